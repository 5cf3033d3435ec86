import { beforeAll, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../../test/support/app.ts';
import { happen } from '../../../../../test/support/happen.ts';
import { make } from '../../../../../test/support/make.ts';
import { type Person, person } from '../../../../../test/support/people.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});

const follows = '/api/admin/user/follows';
const notifications = `${follows}/notifications` as const;

const follow = ({ ask }: Person, feature: string, project = 'default') =>
  ask(`PUT ${follows}/projects/${project}/features/${feature}`);
const change = (name: string, description: string, ask = app.ask, project = 'default') =>
  ask(`PUT /api/admin/projects/${project}/features/${name}`, {
    payload: { name, type: 'release', description },
  });
const read = async ({ ask }: Person, query = '') =>
  (await ask(`GET ${notifications}${query}`)).json();
const mark = async ({ ask }: Person, payload: object = {}) =>
  (await ask(`PUT ${notifications}/read`, { payload })).json();
const descriptions = (events: readonly { data: { description: string } }[]) =>
  events.map(({ data }) => data.description);

test('notifications are changes by others since the user followed, newest first and in pages', async () => {
  await make(app.ask).feature('noticed');
  await change('noticed', 'Before the follow');
  const ada = await person(app, { rootRole: 1 });
  expect(await read(ada)).toEqual({ events: [], unread: 0, readUpTo: 0 });
  await follow(ada, 'noticed');
  await ada.ask(`PUT ${follows}/projects/default`);
  await change('noticed', 'One');
  await change('noticed', 'By myself', ada.ask);
  await change('noticed', 'Two');
  await app.ask('POST /api/admin/projects/default/features/noticed/favorites');
  const { events, unread, nextCursor } = await read(ada);
  expect([descriptions(events), unread, nextCursor]).toEqual([['Two', 'One'], 2, undefined]);
  const first = await read(ada, '?limit=1');
  const second = await read(ada, `?limit=1&cursor=${first.nextCursor}`);
  expect([...first.events, ...second.events]).toEqual(events);
  expect(second.nextCursor).toBeUndefined();
});

test('notifications can be marked as read, all or up to an event, but not as unread again', async () => {
  await make(app.ask).feature('marked');
  const ada = await person(app);
  const bob = await person(app);
  await follow(ada, 'marked');
  await follow(bob, 'marked');
  await change('marked', 'One');
  await change('marked', 'Two');
  const [newer, older] = (await read(ada)).events;
  expect(await mark(ada, { upTo: older.id })).toEqual({ unread: 1, readUpTo: older.id });
  expect(await mark(ada)).toMatchObject({ unread: 0 });
  expect(await mark(ada, { upTo: older.id })).toMatchObject({ unread: 0 });
  expect((await read(ada)).events).toHaveLength(2);
  expect((await read(bob)).unread).toBe(2);
  await change('marked', 'Three');
  const { unread, readUpTo, events } = await read(ada);
  expect([unread, descriptions(events)]).toEqual([1, ['Three', 'Two', 'One']]);
  expect(readUpTo).toBeGreaterThanOrEqual(newer.id);

  // A mark in the future would hide what is yet to happen.
  const future = await mark(bob, { upTo: Number.MAX_SAFE_INTEGER });
  expect(future.readUpTo).toBeLessThanOrEqual(events[0].id);
  await change('marked', 'Four');
  expect((await read(bob)).unread).toBe(1);
});

test('notifications about a project disappear when the user loses access to it', async () => {
  await make(app.ask).project('hushed', { mode: 'private' });
  await make(app.ask).feature('inside', { project: 'hushed' });
  const eve = await person(app, { rootRole: 2, roles: { hushed: 5 } });
  await follow(eve, 'inside', 'hushed');
  await eve.ask(`PUT ${follows}/projects/hushed`);
  await change('inside', 'Secret', app.ask, 'hushed');
  expect(await read(eve)).toMatchObject({ unread: 1, events: [{ featureName: 'inside' }] });
  await app.db.deleteFrom('project_user_roles').where('user_id', '=', eve.id).execute();
  await app.ask('POST /api/admin/projects/hushed/access', {
    payload: { roles: [], groups: [], users: [] },
  });
  await expect.poll(() => read(eve)).toMatchObject({ unread: 0, events: [] });
  expect(await mark(eve)).toMatchObject({ unread: 0 });
});

test('unread notifications are counted up to 100', async () => {
  await make(app.ask).feature('busy');
  const ada = await person(app);
  await follow(ada, 'busy');
  const changed = {
    type: 'feature-metadata-updated',
    project: 'default',
    featureName: 'busy',
  } as const;
  await happen(app.db, ...Array.from({ length: 102 }, () => changed));
  expect((await read(ada, '?limit=1')).unread).toBe(100);
});

test('API tokens have no notifications, and invalid parameters are rejected', async () => {
  const ada = await person(app);
  const statuses = [
    await app.ask(`GET ${notifications}`),
    await app.ask(`PUT ${notifications}/read`, { payload: {} }),
    await ada.ask(`PUT ${notifications}/read`, { payload: { upTo: -1 } }),
    await ada.ask(`PUT ${notifications}/read`, { payload: { upTo: 1e30 } }),
    await ada.ask(`GET ${notifications}?limit=0`),
  ].map(({ statusCode }) => statusCode);
  expect(statuses).toEqual([403, 403, 400, 400, 400]);
});
