import { beforeAll, describe, expect, test } from 'vitest';
import { up as rememberFirstEvents } from '../src/migrations/0026-first-event-of-a-project.ts';
import { type TestApp, testApp } from './support/app.ts';
import { delivery } from './support/deliveries.ts';
import { make } from './support/make.ts';
import { type Person, person } from './support/people.ts';
import { programs } from './support/usage.ts';

const secret = 'acquisition of ACME';

let app: TestApp;
let editor: Person;
let viewer: Person;
let formerOwner: Person;
/** The last event of the deleted project. */
let lastOfBefore: number;

interface Answer {
  readonly total: number;
  readonly events: readonly { readonly id: number; readonly type: string }[];
  readonly nextCursor?: string;
}

const search = async (who: Pick<TestApp, 'ask'>, query: Record<string, string>): Promise<Answer> =>
  (await who.ask(`GET /api/admin/search/events?${new URLSearchParams(query)}`)).json();

const headOf = async ({ db }: TestApp) =>
  (await db.selectFrom('events').select('id').orderBy('id', 'desc').executeTakeFirstOrThrow()).id;

const cursorId = ({ nextCursor = '' }: Answer) =>
  Number(Buffer.from(nextCursor, 'base64url').toString('latin1').split(':')[1]);

beforeAll(async () => {
  app = await testApp();
  editor = await person(app, { rootRole: 2 });
  viewer = await person(app);
  formerOwner = await person(app, { rootRole: 1 });
  await make(formerOwner.ask).project('gone', { mode: 'private', description: secret });
  await make(formerOwner.ask).feature('acme', { project: 'gone', description: 'price 42M' });
  await app.ask('DELETE /api/admin/projects/gone/features/acme');
  await app.ask('DELETE /api/admin/archive/acme');
  const deleted = await app.ask('DELETE /api/admin/projects/gone');
  expect(deleted.statusCode).toBe(200);
  lastOfBefore = await headOf(app);
  await programs(app).metrics({ acme: { yes: 1, no: 0 } }, { appName: 'shop' });
  await make(editor.ask).project('gone', { name: 'mine' });
  await make(editor.ask).feature('new', { project: 'gone' });
});

describe('after the id of a deleted private project is reused, its history', () => {
  test('is excluded from all searches and their totals', async () => {
    for (const who of [viewer, editor]) {
      const all = await search(who, { project: 'IS:gone', limit: '1000' });
      expect(all.events.length).toBeGreaterThan(1);
      expect(all.total).toBe(all.events.length);
      expect(Math.min(...all.events.map(({ id }) => id))).toBe(lastOfBefore + 1);
      expect(await search(who, { query: 'acquisition' })).toMatchObject({ total: 0, events: [] });
      expect(await search(who, { query: 'acme', queryIn: 'data,preData' })).toMatchObject({
        total: 0,
      });
      expect(await search(who, { feature: 'IS:acme' })).toMatchObject({ total: 0, events: [] });
      // The default project and the new one.
      expect(await search(who, { type: 'IS:project-created' })).toMatchObject({ total: 2 });
      expect(await search(who, { id: `IS:${lastOfBefore}` })).toMatchObject({ total: 0 });
      expect(
        await search(who, { type: 'IS:project-created', createdBy: `IS:${formerOwner.id}` }),
      ).toMatchObject({ total: 0 });
    }
  });

  test('is excluded from exports and the events of a feature', async () => {
    for (const accept of ['text/csv', 'application/x-ndjson']) {
      const { body } = await viewer.ask('GET /api/admin/search/events', { headers: { accept } });
      expect(body).toContain('"mine"'.replaceAll('"', accept === 'text/csv' ? '""' : '"'));
      expect(body).not.toContain('ACME');
    }
    const ofFeature = await viewer.ask('GET /api/admin/events/acme');
    expect(ofFeature.json()).toMatchObject({ totalEvents: 0, events: [] });
  });

  test('is excluded from the list of creators', async () => {
    const { body } = await viewer.ask('GET /api/admin/event-creators');
    expect(body).toContain(editor.name);
    expect(body).not.toContain(formerOwner.name);
  });

  test('is excluded from the activity of the new project', async () => {
    const own = (await search(viewer, { project: 'IS:gone' })).total;
    const status = (await viewer.ask('GET /api/admin/projects/gone/status')).json();
    expect(
      status.activityCountByDate.reduce(
        (sum: number, day: { count: number }) => sum + day.count,
        0,
      ),
    ).toBe(own);
    const insights = (await viewer.ask('GET /api/admin/projects/gone/insights')).json();
    expect(insights.stats.projectActivityCurrentWindow).toBe(own);
  });

  test('is excluded from unknown flags of applications', async () => {
    const { body } = await viewer.ask('GET /api/admin/metrics/applications/shop/overview');
    expect(body).not.toContain('acme');
  });

  test('is visible to administrators', async () => {
    expect(await search(app, { query: 'acquisition' })).toMatchObject({ total: 1 });
    const all = await search(app, { project: 'IS:gone', limit: '1000' });
    expect(Math.min(...all.events.map(({ id }) => id))).toBeLessThan(lastOfBefore);
  });
});

test('cached search results do not show the history of a project whose id was reused', async () => {
  const { project } = make(app.ask);
  await project('twice', { description: 'first life' });
  expect(await search(viewer, { query: 'first life' })).toMatchObject({ total: 1 });
  expect(await search(viewer, { type: 'IS:project-created' })).toMatchObject({ total: 3 });
  await app.ask('DELETE /api/admin/projects/twice');
  expect(await search(viewer, { query: 'first life' })).toMatchObject({ total: 0 });
  await project('twice', { description: 'second life' });
  expect(await search(viewer, { query: 'first life' })).toMatchObject({ total: 0, events: [] });
  expect(await search(viewer, { query: 'second life' })).toMatchObject({ total: 1 });
  expect(await search(viewer, { type: 'IS:project-created' })).toMatchObject({ total: 3 });
});

test('a cursor points to the last event the user can see, whatever happens in other projects', async () => {
  const { project } = make(app.ask);
  const before = await search(viewer, { order: 'asc', limit: '1000' });
  expect(cursorId(before)).toBe(before.events.at(-1)?.id);
  await project('unseen', { mode: 'private' });
  const again = { cursor: before.nextCursor ?? '' };
  expect(await search(viewer, again)).toEqual({ ...before, events: [] });
  // Searches for hidden or missing events reveal nothing.
  const nothing = await search(viewer, { order: 'asc', project: 'IS:unseen' });
  expect(cursorId(nothing)).toBe(0);
  const rare = await search(viewer, { order: 'asc', query: 'nowhere to be found' });
  expect(cursorId(rare)).toBe(cursorId(before));
  await project('shared');
  const next = await search(viewer, again);
  expect(next.events[0]).toMatchObject({ type: 'project-created' });
  expect(cursorId(next)).toBe(next.events.at(-1)?.id);
  expect(cursorId(await search(app, { order: 'asc', limit: '1000' }))).toBe(await headOf(app));
});

test('deliveries of the earlier project are hidden from users of the new one', async () => {
  const integration = {
    provider: 'webhook',
    enabled: false,
    parameters: { url: 'http://127.0.0.1:9/hook' },
    events: ['feature-created'],
    projects: ['gone'],
  };
  const { id } = (await editor.ask('POST /api/admin/addons', { payload: integration })).json();
  await delivery(app, id, { eventId: lastOfBefore });
  const { body } = await editor.ask(`GET /api/admin/addons/${id}/events`);
  expect(JSON.parse(body)).toMatchObject({ integrationEvents: [] });
});

test('the migration finds projects whose id was reused', async () => {
  await app.db.schema.alterTable('projects').dropColumn('first_event_id').execute();
  await app.db.transaction().execute(rememberFirstEvents);
  const rows = await app.db
    .selectFrom('projects')
    .where('first_event_id', '>', 0)
    .select(['id', 'first_event_id as firstEventId'])
    .orderBy('id')
    .execute();
  expect(rows).toEqual([
    { id: 'gone', firstEventId: lastOfBefore + 1 },
    { id: 'twice', firstEventId: expect.any(Number) },
  ]);
});
