import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../test/support/app.ts';
import { make } from '../../../../test/support/make.ts';
import { type Person, person } from '../../../../test/support/people.ts';
import { recordedBy } from '../../../../test/support/recorded.ts';
import { forgetEverywhere } from '../../../app/installation.ts';
import { systemActor } from '../../access/gate/index.ts';
import { endSchedule } from '../change-requests/state/scheduled.ts';

let app: TestApp;
let insider: Person;
let outsider: Person;
let now = new Date('2026-03-02T10:00:00Z');
beforeAll(async () => {
  app = await testApp({
    clock: () => now,
    config: { baseUrl: 'https://flags.example.com' },
  });
  await make(app.ask).project('sealed', { mode: 'private' });
  insider = await person(app, { roles: { sealed: 4 } });
  outsider = await person(app, { rootRole: 2 });
});

const hours = (count: number) => new Date(now.getTime() + count * 3_600_000).toISOString();
let made = 0;

async function schedule(who: Pick<Person, 'ask'>, project: string, scheduledAt: string) {
  made += 1;
  const feature = `planned-${made}`;
  await make(app.ask).feature(feature, { project });
  const { id } = (
    await who.ask(`POST /api/admin/projects/${project}/environments/production/change-requests`, {
      payload: { feature, action: 'updateEnabled', payload: { enabled: true } },
    })
  ).json();
  const response = await set(who, project, id, { state: 'Scheduled', scheduledAt });
  expect(response.statusCode, response.body).toBe(200);
  return { id: id as number, feature };
}

const set = (who: Pick<Person, 'ask'>, project: string, id: number, payload: object) =>
  who.ask(`PUT /api/admin/projects/${project}/change-requests/${id}/state`, { payload });

const calendar = async ({ ask }: Pick<Person, 'ask'>, query = '') =>
  (await ask(`GET /api/admin/calendar${query}`)).json().entries;
const ids = async (who: Pick<Person, 'ask'>, query = '') =>
  (await calendar(who, query)).map(({ id }: { id: number }) => id);

const tokens = '/api/admin/user/calendar-tokens';

async function subscribe({ ask }: Person, scope: object = {}) {
  const response = await ask(`POST ${tokens}`, { payload: scope });
  expect(response.statusCode, response.body).toBe(201);
  return response.json();
}

const file = async (url: string, headers: Record<string, string> = {}) => {
  const { pathname, search } = new URL(url);
  return app.app.inject({ url: `${pathname}${search}`, headers });
};

/** The change requests in a calendar file. */
const idsIn = async (url: string) =>
  [...(await file(url)).body.matchAll(/^UID:change-request-(\d+)@/gm)].map(([, id]) => Number(id));

test('scheduled changes are listed by time, without those of hidden projects', async () => {
  const late = await schedule(insider, 'sealed', hours(5));
  const early = await schedule(outsider, 'default', hours(2));
  expect(await calendar(insider)).toMatchObject([
    {
      id: early.id,
      project: 'default',
      environment: 'production',
      features: [early.feature],
      segments: [],
      scheduledAt: hours(2),
      status: 'pending',
      createdBy: { id: outsider.id },
    },
    { id: late.id, project: 'sealed' },
  ]);
  expect(await ids(app)).toEqual([early.id, late.id]);
  expect(await ids(outsider)).toEqual([early.id]);
  expect(await ids(outsider, '?project=sealed')).toEqual([]);
  expect(await ids(outsider, `?feature=${late.feature}`)).toEqual([]);
  expect(await ids(insider, '?project=sealed')).toEqual([late.id]);
  expect(await ids(insider, `?feature=${early.feature}`)).toEqual([early.id]);
  expect(await ids(insider, '?environment=development')).toEqual([]);
  expect(await ids(insider, `?from=${hours(3)}`)).toEqual([late.id]);
  expect(await ids(insider, `?to=${hours(3)}`)).toEqual([early.id]);
  for (const query of ['from=tomorrow', 'status=later', 'to=2026-12-31T23:59:60Z']) {
    const { statusCode } = await app.ask(`GET /api/admin/calendar?${query}`);
    expect([query, statusCode]).toEqual([query, 400]);
  }
});

test('a schedule stays in the calendar with its outcome after it has ended', async () => {
  const schedules = async () => {
    const author = await person(app, { roles: { sealed: 4 } });
    return { ...(await schedule(author, 'sealed', hours(30))), author };
  };
  const applied = await schedule(insider, 'sealed', hours(30));
  const canceled = await schedules();
  const suspended = await schedules();
  const failed = await schedules();
  await set(insider, 'sealed', applied.id, { state: 'Applied' });
  await set(canceled.author, 'sealed', canceled.id, { state: 'Cancelled' });
  await app.transact(systemActor, async (tx) => {
    await endSchedule(tx, suspended.id, 'suspended', 'It was changed');
    await endSchedule(tx, failed.id, 'failed', 'No strategy');
  });
  expect(await ids(insider, `?status=applied&to=${hours(1)}`)).toEqual([applied.id]);
  const later = await calendar(insider, `?from=${hours(20)}`);
  const byId = (id: number) => later.find((entry: { id: number }) => entry.id === id);
  expect(byId(canceled.id)).toMatchObject({ status: 'canceled' });
  expect(byId(suspended.id)).toMatchObject({ status: 'suspended', reason: 'It was changed' });
  expect(byId(failed.id)).toMatchObject({ status: 'failed', reason: 'No strategy' });
  const { url } = await subscribe(insider, { project: 'sealed' });
  const { body } = await file(url);
  const revisionOf = (id: number) =>
    new RegExp(`UID:change-request-${id}@[\\s\\S]*?SEQUENCE:(\\d+)`).exec(body)?.[1];
  expect(revisionOf(suspended.id)).toBe('1');
});

test('a calendar token returns only changes in its scope that its owner can currently see', async () => {
  const mine = await schedule(insider, 'sealed', hours(7));
  const all = await subscribe(insider);
  const ofProject = await subscribe(insider, { project: 'sealed' });
  const ofFeature = await subscribe(insider, { feature: mine.feature });
  expect(all.url).toBe(`https://flags.example.com/api/admin/calendar.ics?token=${all.secret}`);
  expect(ofFeature).toMatchObject({ feature: mine.feature, secret: expect.any(String) });
  expect((await idsIn(all.url)).length).toBeGreaterThan((await idsIn(ofProject.url)).length);
  expect(await idsIn(ofFeature.url)).toEqual([mine.id]);
  const first = await file(ofFeature.url);
  expect(first.headers).toMatchObject({
    'content-type': 'text/calendar; charset=utf-8',
    'cache-control': 'private, no-cache',
  });
  const again = await file(ofFeature.url, { 'if-none-match': `${first.headers.etag}` });
  expect([again.statusCode, again.body]).toEqual([304, '']);
  await app.db.deleteFrom('project_user_roles').where('user_id', '=', insider.id).execute();
  await sql`notify burgee_access`.execute(app.db);
  expect(await idsIn(ofFeature.url)).toEqual([]);
  expect(await idsIn(ofProject.url)).toEqual([]);
});

test('a calendar token cannot be created for a project or feature that its creator cannot see', async () => {
  const hidden = await make(app.ask).feature('hidden-plan', { project: 'sealed' });
  expect(hidden).toBeDefined();
  for (const payload of [
    { project: 'sealed' },
    { project: 'nowhere' },
    { feature: 'hidden-plan' },
    { feature: 'no-such-feature' },
  ]) {
    const { statusCode } = await outsider.ask(`POST ${tokens}`, { payload });
    expect([payload, statusCode]).toEqual([payload, 404]);
  }
  const ending = await person(app, { expiresAt: new Date(now.getTime() + 86_400_000) });
  expect((await ending.ask(`POST ${tokens}`, { payload: {} })).statusCode).toBe(403);
});

test('calendar tokens are listed without secrets, recorded, limited, and revoked permanently', async () => {
  const owner = await person(app);
  const created = await owner.ask(`POST ${tokens}`, { payload: { project: 'default' } });
  const { id, secret, url } = created.json();
  expect(await recordedBy(app.db, created)).toMatchObject([
    { type: 'user-preference-updated', data: { id, userId: owner.id, project: 'default' } },
  ]);
  const listed = await owner.ask(`GET ${tokens}`);
  expect(listed.json()).toEqual({
    tokens: [{ id, project: 'default', createdAt: expect.any(String) }],
  });
  expect(listed.body).not.toContain(secret);
  expect((await outsider.ask(`DELETE ${tokens}/${id}`)).statusCode).toBe(404);
  expect((await file(url)).statusCode).toBe(200);
  expect((await owner.ask(`DELETE ${tokens}/${id}`)).statusCode).toBe(200);
  const gone = await file(url);
  expect([gone.statusCode, gone.json().name]).toEqual([404, 'NotFoundError']);
  expect(gone.body).not.toContain(secret);
  for (let count = 0; count < 20; count += 1) await subscribe(owner);
  expect((await owner.ask(`POST ${tokens}`, { payload: {} })).statusCode).toBe(403);
});

test('deleting or erasing a user deletes their calendar tokens', async () => {
  const deleted = await person(app);
  const erased = await person(app);
  const ofDeleted = await subscribe(deleted);
  const ofErased = await subscribe(erased);
  await app.ask(`DELETE /api/admin/user-admin/${deleted.id}`);
  await forgetEverywhere(app.transact, systemActor, erased.id);
  for (const { url } of [ofDeleted, ofErased]) expect((await file(url)).statusCode).toBe(404);
  const left = await app.db
    .selectFrom('calendar_tokens')
    .where('user_id', 'in', [deleted.id, erased.id])
    .selectAll()
    .execute();
  expect(left).toEqual([]);
});

test('an address that requests too many calendars gets 429', async () => {
  now = new Date(now.getTime() + 3_600_000);
  const url = 'https://flags.example.com/api/admin/calendar.ics?token=unknown';
  const statuses: number[] = [];
  for (let count = 0; count < 121; count += 1) statuses.push((await file(url)).statusCode);
  expect(statuses.slice(0, 120).every((status) => status === 404)).toBe(true);
  expect(statuses.at(-1)).toBe(429);
});
