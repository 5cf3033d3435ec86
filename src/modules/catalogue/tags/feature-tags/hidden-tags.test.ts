import { beforeAll, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../../test/support/app.ts';
import { make } from '../../../../../test/support/make.ts';
import { person } from '../../../../../test/support/people.ts';
import { recordedBy } from '../../../../../test/support/recorded.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
  await make(app.ask).project('private', { mode: 'private' });
});

const tags = '/api/admin/tags';
const simple = (value: string) => ({ type: 'simple', value });

test('a tag used only in a private project is hidden until a visible feature has it', async () => {
  const viewer = await person(app);
  await make(app.ask).feature('secretive', { project: 'private', tags: [simple('discreet')] });
  const known = async () => [
    (await viewer.ask(`GET ${tags}/simple/discreet`)).statusCode,
    (await viewer.ask(`GET ${tags}`)).body.includes('discreet'),
    (await viewer.ask(`GET ${tags}/simple`)).body.includes('discreet'),
  ];
  expect(await known()).toEqual([404, false, false]);
  expect((await app.ask(`GET ${tags}`)).json().tags).toContainEqual(simple('discreet'));
  await make(app.ask).feature('outspoken', { tags: [simple('discreet')] });
  expect(await known()).toEqual([200, true, true]);
});

test('a tag created globally stays visible even if only a private project uses it', async () => {
  const viewer = await person(app);
  await app.ask(`POST ${tags}`, { payload: simple('general') });
  await make(app.ask).feature('general-user', { project: 'private', tags: [simple('general')] });
  expect((await viewer.ask(`GET ${tags}/simple/general`)).statusCode).toBe(200);
});

test('a tag hidden from the caller can be created again, which makes it visible to all', async () => {
  const editor = await person(app, { rootRole: 2 });
  await make(app.ask).feature('another-secretive', { project: 'private', tags: [simple('muted')] });
  const create = () => editor.ask('POST /api/admin/tags', { payload: simple('muted') });
  const created = await create();
  expect([created.statusCode, created.json().tag]).toEqual([201, simple('muted')]);
  expect(await recordedBy(app.db, created)).toMatchObject([
    { type: 'tag-created', data: simple('muted') },
  ]);
  const { tags } = (await (await person(app)).ask('GET /api/admin/tags')).json();
  expect(tags).toContainEqual(simple('muted'));
  expect((await create()).statusCode).toBe(409);
});

test('tags of a deleted private project stay hidden when a new project gets its id', async () => {
  const create = make(app.ask);
  const viewer = await person(app);
  const seen = async () => {
    const { tags } = (await viewer.ask('GET /api/admin/tags')).json();
    return tags.map(({ value }: { value: string }) => value);
  };
  const removeWith = async (project: string, feature: string) => {
    await app.ask(`DELETE /api/admin/projects/${project}/features/${feature}`);
    expect((await app.ask(`DELETE /api/admin/projects/${project}`)).statusCode).toBe(200);
  };
  await create.project('gone', { mode: 'private' });
  await create.feature('acquisition', { project: 'gone', tags: [simple('acme'), simple('both')] });
  await create.feature('elsewhere', { tags: [simple('both')] });
  await removeWith('gone', 'acquisition');
  await create.project('gone');
  expect(await seen()).not.toContain('acme');
  expect(await seen()).toContain('both');

  await create.project('known');
  await create.feature('known-one', { project: 'known', tags: [simple('familiar')] });
  await removeWith('known', 'known-one');
  expect(await seen()).toContain('familiar');
});
