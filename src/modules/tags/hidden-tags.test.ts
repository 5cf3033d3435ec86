import { beforeAll, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../test/support/app.ts';
import { make } from '../../../test/support/make.ts';
import { person } from '../../../test/support/people.ts';

let on: TestApp;
beforeAll(async () => {
  on = await testApp();
  await make(on.ask).project('private', { mode: 'private' });
});

const tags = '/api/admin/tags';
const simple = (value: string) => ({ type: 'simple', value });

test('a tag that came with a feature of a private project is unknown, until one is seen with it', async () => {
  const viewer = await person(on);
  await make(on.ask).feature('secretive', { project: 'private', tags: [simple('discreet')] });
  const known = async () => [
    (await viewer.ask(`GET ${tags}/simple/discreet`)).statusCode,
    (await viewer.ask(`GET ${tags}`)).body.includes('discreet'),
    (await viewer.ask(`GET ${tags}/simple`)).body.includes('discreet'),
  ];
  expect(await known()).toEqual([404, false, false]);
  expect((await on.ask(`GET ${tags}`)).json().tags).toContainEqual(simple('discreet'));
  await make(on.ask).feature('outspoken', { tags: [simple('discreet')] });
  expect(await known()).toEqual([200, true, true]);
});

test('a tag that was made for all stays known, though only a private project uses it', async () => {
  const viewer = await person(on);
  await on.ask(`POST ${tags}`, { payload: simple('general') });
  await make(on.ask).feature('general-user', { project: 'private', tags: [simple('general')] });
  expect((await viewer.ask(`GET ${tags}/simple/general`)).statusCode).toBe(200);
});
