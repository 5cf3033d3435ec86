import { beforeAll, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../../test/support/app.ts';
import { limitedApp } from '../../../../../test/support/limited-app.ts';
import { make } from '../../../../../test/support/make.ts';

let app: TestApp;
let create: ReturnType<typeof make>;
beforeAll(async () => {
  app = await testApp();
  create = make(app.ask);
});

const projects = '/api/admin/projects';
const answer = async (path: string) => (await app.ask(`GET ${projects}/${path}`)).json();

test('the deprecated overview is the overview with the list of active features', async () => {
  await create.project('whole', { description: 'All "of" it', featureNaming: { pattern: '.+' } });
  for (const name of ['whole-b', 'whole-a', 'whole-gone']) {
    await create.feature(name, { project: 'whole', tags: [{ type: 'simple', value: 'blue' }] });
  }
  await create.strategy('whole-a', {}, { project: 'whole' });
  await app.ask(`DELETE ${projects}/whole/features/whole-gone`);
  const response = await app.ask(`GET ${projects}/whole`);
  expect(response.statusCode).toBe(200);
  expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
  const { features } = await answer('whole/features');
  expect(features.map(({ name }: { name: string }) => name)).toEqual(['whole-a', 'whole-b']);
  expect(response.json()).toEqual({ ...(await answer('whole/overview')), features });
});

test('the deprecated overview of a project without features has an empty list, archived or not', async () => {
  await create.project('empty');
  expect(await answer('empty')).toMatchObject({ id: 'empty', features: [] });
  await app.ask(`POST ${projects}/archive/empty`);
  expect(await answer('empty')).toMatchObject({ archivedAt: expect.any(String), features: [] });
});

test('the deprecated overview returns 404 for an unknown project and for one the caller cannot see', async () => {
  const limited = limitedApp(app, { sees: new Set(['other']) });
  const unknown = await app.ask(`GET ${projects}/nosuch`);
  const hidden = await limited.ask(`GET ${projects}/default`);
  expect([unknown.statusCode, hidden.statusCode]).toEqual([404, 404]);
  expect(hidden.json().message).toBe("Project 'default' not found");
});
