import { sql } from 'kysely';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { appOn, type TestApp, testApp } from '../support/app.ts';
import { testDatabase } from '../support/database.ts';
import { make } from '../support/make.ts';
import { adminToken, clientToken, frontendToken } from '../support/tokens.ts';
import { programs, tokenFor, usageOfFeature, yesOf } from '../support/usage.ts';
import { movableClock } from '../support/visitor.ts';

const time = movableClock();
let app: TestApp;
let away: { begin: () => Promise<void>; end: () => Promise<void> };
let revoked: string;
let expiring: string;

const as = (authorization: string) => ({ headers: { authorization } });
const features = (token = clientToken) => app.ask('GET /api/client/features', as(token));
const statusOf = async (asked: Promise<{ statusCode: number }>) => (await asked).statusCode;

/** Closes the database to all connections, as a stopped server does, and opens it again. */
function outageOf(name: string, elsewhere: TestApp['db']) {
  const run = (statement: string) => sql.raw(statement).execute(elsewhere);
  return {
    async begin() {
      // In this order: a connection opened between the two would survive.
      await run(`alter database "${name}" allow_connections false`);
      await run(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);
    },
    end: async () => void (await run(`alter database "${name}" allow_connections true`)),
  };
}

const asked = {
  'GET /api/client/features': () => features(),
  'GET /api/client/features/kept': () => app.ask('GET /api/client/features/kept', as(clientToken)),
  'GET /api/client/delta': () => app.ask('GET /api/client/delta', as(clientToken)),
  'GET /api/client/streaming': () =>
    app.ask('GET /api/client/streaming', {
      headers: { authorization: clientToken, accept: 'application/json' },
    }),
  'GET /api/frontend': () => app.ask('GET /api/frontend?userId=ada', as(frontendToken)),
  'POST /api/frontend': () =>
    app.ask('POST /api/frontend', { ...as(frontendToken), payload: { context: {} } }),
  'POST /ofrep': () =>
    app.ask('POST /ofrep/v1/evaluate/flags', { ...as(clientToken), payload: { context: {} } }),
  'POST /ofrep/:key': () =>
    app.ask('POST /ofrep/v1/evaluate/flags/kept', { ...as(clientToken), payload: { context: {} } }),
} satisfies Record<string, () => ReturnType<TestApp['ask']>>;

const answersNow = async () => {
  const answers: Record<string, string> = {};
  for (const [name, ask] of Object.entries(asked)) {
    const { statusCode, body } = await ask();
    answers[name] = `${statusCode} ${body}`;
  }
  return answers;
};

/** The age of the data that each response states. */
const marksNow = async () => {
  const marks: unknown[] = [];
  for (const ask of Object.values(asked)) {
    marks.push((await ask()).headers['x-burgee-stale-seconds'] ?? 'fresh');
  }
  return marks;
};

/** The same mark for every endpoint. */
const all = (mark: unknown) => Object.keys(asked).map(() => mark);

const metrics = async () => {
  const { body } = await app.app.inject({ url: '/internal-backstage/prometheus' });
  const metricOf = (name: string) => new RegExp(`^${name} (\\S+)$`, 'm').exec(body)?.[1];
  return {
    up: metricOf('burgee_database_up'),
    stale: metricOf('burgee_sdk_snapshot_stale'),
    age: Number(metricOf('burgee_sdk_snapshot_age_seconds')),
  };
};

/** Waits until all earlier notifications arrived, by waiting for a last one from another instance. */
async function hearOfAll(): Promise<void> {
  const other = await appOn(app, { clock: time.clock });
  await make(other.ask).feature('marker');
  await other.app.close();
  await vi.waitFor(async () => expect((await features()).body).toContain('marker'), 60_000);
  // Invalidates what was trusted before.
  time.pass({ minutes: 1 });
}

beforeAll(async () => {
  const { connection, db, name } = await testDatabase();
  app = await appOn({ connection, db }, { clock: time.clock });
  away = outageOf(name, (await testApp()).db);
  const create = make(app.ask);
  await create.feature('kept');
  await create.switchedOn('kept');
  revoked = await tokenFor(app, ['default']);
  expiring = await tokenFor(app, ['*']);
  const { tokens } = (await app.ask('GET /api/admin/api-tokens')).json() as {
    tokens: { id: number; tokenName: string; projects: string[] }[];
  };
  const idOf = (projects: string) =>
    tokens.find(({ tokenName }) => tokenName === `for-development-${projects}`)?.id;
  const expiresAt = new Date(time.clock().getTime() + 3_600_000).toISOString();
  await app.ask(`PUT /api/admin/api-tokens/${idOf('*')}`, { payload: { expiresAt } });
  for (const token of [revoked, expiring]) expect(await statusOf(features(token))).toBe(200);
  // Used and therefore cached, then revoked.
  expect(await statusOf(app.ask(`DELETE /api/admin/api-tokens/${idOf('default')}`))).toBe(200);
  await hearOfAll();
  for (const token of [expiring, clientToken, frontendToken]) {
    expect(await statusOf(features(token))).not.toBe(401);
  }
});

describe('while the database is down', () => {
  test('SDK requests are answered as before, and all others are rejected', async () => {
    const before = await answersNow();
    expect(Object.values(before).map((text) => text.slice(0, 3))).not.toContain('503');
    expect(await marksNow()).toEqual(all('fresh'));
    expect(await metrics()).toMatchObject({ up: '1', stale: '0' });
    await away.begin();
    // Expires everything that is trusted because of a recent check.
    time.pass({ minutes: 1 });

    expect(await answersNow()).toEqual(before);
    // A recent result is not checked again at once.
    await expect
      .poll(async () => (await features()).headers)
      .toHaveProperty('x-burgee-stale-seconds');
    expect(await marksNow()).toEqual(all(expect.stringMatching(/^\d+$/)));
    // One second after the last check, it is checked again.
    await expect.poll(metrics).toMatchObject({ up: '0', stale: '1', age: expect.any(Number) });
    expect((await metrics()).age).toBeGreaterThan(0);
    expect(await statusOf(features(expiring))).toBe(200);
    const { headers } = await features();
    const known = { authorization: clientToken, 'if-none-match': String(headers.etag) };
    const unchanged = await app.ask('GET /api/client/features', { headers: known });
    expect(unchanged.statusCode).toBe(304);
    expect(unchanged.headers).toHaveProperty('x-burgee-stale-seconds');

    expect(await statusOf(features(revoked))).toBe(503);
    expect(await statusOf(features('*:development.never-seen'))).toBe(503);
    expect(await statusOf(app.ask('GET /api/admin/projects', as(adminToken)))).toBe(503);
    expect(await statusOf(app.ask('GET /health'))).toBe(200);
    // A load balancer must keep sending SDKs here, because all instances lose the database together.
    const ready = await app.ask('GET /ready');
    expect([ready.statusCode, ready.json()]).toEqual([200, { health: 'GOOD', database: 'away' }]);
    expect(await statusOf(app.ask('GET /ready?database=true'))).toBe(503);
  });

  test('a token still expires', async () => {
    time.pass({ hours: 1 });
    expect(await statusOf(features(expiring))).toBe(401);
    expect(await statusOf(features())).toBe(200);
  });

  test('SDK metrics are accepted and stored once the database is back', async () => {
    const at = time.clock().toISOString();
    const answers = await programs(app).metrics({ kept: { yes: 7, no: 0 } }, { at });
    expect([answers.statusCode, (await programs(app).register()).statusCode]).toEqual([202, 202]);
    await away.end();
    await expect.poll(() => statusOf(app.ask('GET /ready?database=true'))).toBe(200);
    // It waits only a second for the database.
    await expect
      .poll(async () => (await app.ask('GET /ready')).json())
      .toEqual({ health: 'GOOD', database: 'reached' });
    // OFREP counts its own evaluations: two before the outage and two during it.
    await expect.poll(async () => yesOf(await usageOfFeature(app, 'kept'))).toBe(11);
  });
});

describe('once the database is back', () => {
  test('SDKs get all changes, and revoked tokens are rejected', async () => {
    expect(await statusOf(features(revoked))).toBe(401);
    await make(app.ask).feature('later');
    expect((await features()).body).toContain('later');
    expect(await marksNow()).toEqual(all('fresh'));
    await expect.poll(metrics).toMatchObject({ up: '1', stale: '0' });
    const { tokens } = (await app.ask('GET /api/admin/api-tokens')).json();
    const own = tokens.find(({ type }: { type: string }) => type === 'frontend');
    expect(await statusOf(app.ask(`DELETE /api/admin/api-tokens/${own.id}`))).toBe(200);
    expect(await statusOf(asked['GET /api/frontend']())).toBe(401);
  });
});
