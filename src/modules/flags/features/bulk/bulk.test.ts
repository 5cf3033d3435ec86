import { beforeAll, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../../test/support/app.ts';
import { limitedApp } from '../../../../../test/support/limited-app.ts';
import { make } from '../../../../../test/support/make.ts';

let app: TestApp;
const projects = '/api/admin/projects';

beforeAll(async () => {
  app = await testApp();
  await make(app.ask).project('shop');
});

const bulk = async (payload: object, { dryRun = false, app: server = app } = {}) => {
  const response = await server.ask(`POST /api/admin/features/bulk?dryRun=${dryRun}`, { payload });
  expect(response.statusCode, response.body).toBe(200);
  return response.json().features;
};

const feature = async (name: string, project = 'default') =>
  (await app.ask(`GET ${projects}/${project}/features/${name}?archived=true`)).json();

test('enabling changes features of several projects in one request', async () => {
  await make(app.ask).feature('on-here');
  await make(app.ask).feature('on-there', { project: 'shop' });
  const payload = {
    action: 'enable',
    environment: 'development',
    features: ['on-here', 'on-there'],
  };
  expect(await bulk(payload)).toEqual([
    { name: 'on-here', project: 'default', outcome: 'changed' },
    { name: 'on-there', project: 'shop', outcome: 'changed' },
  ]);
  expect((await feature('on-there', 'shop')).enabled).toBe(true);
  expect((await bulk(payload)).map(({ outcome }: { outcome: string }) => outcome)).toEqual([
    'unchanged',
    'unchanged',
  ]);
});

test('archiving skips a feature that others depend on and archives the rest', async () => {
  await make(app.ask).feature('parent');
  await make(app.ask).feature('child');
  await make(app.ask).feature('single');
  await make(app.ask).dependency('child', 'parent');
  const outcomes = await bulk({ action: 'archive', features: ['single', 'parent', 'missing'] });
  expect(outcomes).toEqual([
    { name: 'single', project: 'default', outcome: 'changed' },
    {
      name: 'parent',
      project: 'default',
      outcome: 'refused',
      why: "Other features depend on it: 'child'",
    },
    { name: 'missing', outcome: 'refused', why: "Feature 'missing' not found" },
  ]);
  expect((await feature('single')).archived).toBe(true);
  expect((await feature('parent')).archived).toBe(false);
  expect(await bulk({ action: 'archive', features: ['parent', 'child', 'single'] })).toMatchObject([
    { outcome: 'changed' },
    { outcome: 'changed' },
    { outcome: 'refused', why: "'single' is archived" },
  ]);
});

test('a dry run returns the same result and changes nothing', async () => {
  await make(app.ask).feature('rehearsed');
  const payload = { action: 'mark-stale', features: ['rehearsed'] };
  const rehearsed = await bulk(payload, { dryRun: true });
  expect((await feature('rehearsed')).stale).toBe(false);
  expect(await bulk(payload)).toEqual(rehearsed);
  expect((await feature('rehearsed')).stale).toBe(true);
});

test('features of a project without the environment are refused with that reason', async () => {
  await make(app.ask).project('narrow', { environments: ['development'] });
  await make(app.ask).feature('in-narrow', { project: 'narrow' });
  await make(app.ask).feature('in-wide');
  const features = ['in-narrow', 'in-wide'];
  expect(await bulk({ action: 'enable', environment: 'production', features })).toMatchObject([
    {
      outcome: 'refused',
      why: "The project 'narrow' has no environment 'production'",
    },
    { outcome: 'changed' },
  ]);
  expect(await bulk({ action: 'move', newProjectId: 'narrow', features })).toMatchObject([
    { outcome: 'unchanged' },
    { outcome: 'refused', why: expect.stringContaining('production') },
  ]);
});

test('moving stops when the limit of the target project is reached', async () => {
  await make(app.ask).project('small');
  await app.db
    .updateTable('projects')
    .set({ feature_limit: 1 })
    .where('id', '=', 'small')
    .execute();
  await make(app.ask).feature('moves-in');
  await make(app.ask).feature('stays-out');
  const outcomes = await bulk({
    action: 'move',
    newProjectId: 'small',
    features: ['moves-in', 'stays-out'],
  });
  expect(outcomes).toMatchObject([
    { outcome: 'changed' },
    { outcome: 'refused', why: 'the project has reached its limit of 1 features' },
  ]);
  expect((await feature('moves-in', 'small')).project).toBe('small');
});

test('tags are added and removed, and features that need no change are unchanged', async () => {
  const simple = (value: string) => ({ type: 'simple', value });
  await make(app.ask).feature('tagged', { tags: [simple('new'), simple('kept')] });
  await make(app.ask).feature('untagged', { tags: [simple('old')] });
  const payload = {
    action: 'tag',
    features: ['tagged', 'untagged'],
    addedTags: [simple('new')],
    removedTags: [simple('old')],
  };
  expect(await bulk(payload)).toMatchObject([{ outcome: 'unchanged' }, { outcome: 'changed' }]);
  expect((await feature('untagged')).tags).toEqual([simple('new')]);
});

test('archived features can be revived or deleted', async () => {
  await make(app.ask).feature('back');
  await make(app.ask).feature('gone');
  await bulk({ action: 'archive', features: ['back', 'gone'] });
  expect(await bulk({ action: 'revive', features: ['back'] })).toMatchObject([
    { outcome: 'changed' },
  ]);
  expect((await feature('back')).archived).toBe(false);
  expect(await bulk({ action: 'delete', features: ['gone', 'back'] })).toMatchObject([
    { outcome: 'changed' },
    { outcome: 'refused', why: "'back' is not archived" },
  ]);
});

test('a refusal names the missing permission, and an invisible feature is reported as unknown', async () => {
  await make(app.ask).feature('guarded');
  const payload = { action: 'archive', features: ['guarded'] };
  const viewer = limitedApp(app, { may: (name) => name !== 'DELETE_FEATURE' });
  expect(await bulk(payload, { app: viewer })).toMatchObject([
    { outcome: 'refused', why: expect.stringContaining('DELETE_FEATURE') },
  ]);
  const stranger = limitedApp(app, { sees: new Set(['shop']) });
  expect(await bulk(payload, { app: stranger })).toEqual([
    { name: 'guarded', outcome: 'refused', why: "Feature 'guarded' not found" },
  ]);
});

test('an action without its required properties is rejected', async () => {
  const send = (payload: object) => app.ask('POST /api/admin/features/bulk', { payload });
  for (const [payload, path] of [
    [{ action: 'enable', features: ['a'] }, '/body/environment'],
    [{ action: 'move', features: ['a'] }, '/body/newProjectId'],
    [{ action: 'tag', features: ['a'] }, '/body/addedTags'],
  ] as const) {
    const response = await send(payload);
    expect(response.statusCode).toBe(400);
    expect(response.json().details[0].path).toBe(path);
  }
  const unknown = { action: 'move', features: ['a'], newProjectId: 'nowhere' };
  expect((await send(unknown)).statusCode).toBe(404);
});

test('too many tag changes and contradictory tags are rejected', async () => {
  const tags = Array.from({ length: 51 }, (_, number) => ({ type: 'simple', value: `t${number}` }));
  const send = async (payload: object) => {
    const response = await app.ask('POST /api/admin/features/bulk', {
      payload: { action: 'tag', ...payload },
    });
    expect(response.statusCode).toBe(400);
    return response.json().details;
  };
  const features = Array.from({ length: 100 }, (_, number) => `none-${number}`);
  expect(await send({ features, addedTags: tags })).toMatchObject([
    { path: '/body', message: expect.stringContaining('at most 5000') },
  ]);
  const both = tags.slice(0, 1);
  expect(await send({ features, addedTags: both, removedTags: both })).toMatchObject([
    { path: '/body/removedTags/0', message: expect.stringContaining('also one of the added tags') },
  ]);
});

test('features can be completed and uncompleted in bulk, with a result for each', async () => {
  await make(app.ask).feature('done-one');
  await make(app.ask).feature('done-two', { project: 'shop' });
  await make(app.ask).feature('done-gone');
  await app.ask(`DELETE ${projects}/default/features/done-gone`);
  const names = ['done-one', 'done-two', 'done-gone', 'done-missing'];
  const payload = { action: 'complete', status: 'kept', features: names };
  const outcomesOf = async (body: object) =>
    (await bulk(body)).map(({ outcome }: { outcome: string }) => outcome);
  expect(await bulk(payload)).toEqual([
    { name: 'done-one', project: 'default', outcome: 'changed' },
    { name: 'done-two', project: 'shop', outcome: 'changed' },
    { name: 'done-gone', project: 'default', outcome: 'refused', why: "'done-gone' is archived" },
    { name: 'done-missing', outcome: 'refused', why: "Feature 'done-missing' not found" },
  ]);
  expect((await feature('done-two', 'shop')).lifecycle).toMatchObject({
    stage: 'completed',
    status: 'kept',
  });
  const two = names.slice(0, 2);
  expect(await outcomesOf({ ...payload, features: two })).toEqual(['unchanged', 'unchanged']);
  expect(await outcomesOf({ ...payload, status: 'discarded', features: two })).toEqual([
    'changed',
    'changed',
  ]);
  expect(await outcomesOf({ action: 'uncomplete', features: two })).toEqual(['changed', 'changed']);
  expect(await outcomesOf({ action: 'uncomplete', features: two })).toEqual([
    'unchanged',
    'unchanged',
  ]);
  const incomplete = await app.ask('POST /api/admin/features/bulk', {
    payload: { action: 'complete', features: two },
  });
  expect([incomplete.statusCode, incomplete.json().details[0].path]).toEqual([400, '/body/status']);
});
