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

/** Closes a database to everybody, as a server that was stopped is; and opens it again. */
function outageOf(name: string, elsewhere: TestApp['db']) {
  const run = (statement: string) => sql.raw(statement).execute(elsewhere);
  return {
    async begin() {
      // In this order: a connection made between the two would live on.
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

/** What each answer says of how long ago it was true. */
const marksNow = async () => {
  const marks: unknown[] = [];
  for (const ask of Object.values(asked)) {
    marks.push((await ask()).headers['x-burgee-stale-seconds'] ?? 'fresh');
  }
  return marks;
};

/** Answers are marked alike. */
const all = (mark: unknown) => Object.keys(asked).map(() => mark);

const metrics = async () => {
  const { body } = await app.app.inject({ url: '/internal-backstage/prometheus' });
  const figureOf = (name: string) => new RegExp(`^${name} (\\S+)$`, 'm').exec(body)?.[1];
  return {
    up: figureOf('burgee_database_up'),
    stale: figureOf('burgee_sdk_snapshot_stale'),
    age: Number(figureOf('burgee_sdk_snapshot_age_seconds')),
  };
};

/** Waits until the notices of all that was done have arrived, by one that another instance sends behind them. */
async function hearOfAll(): Promise<void> {
  const other = await appOn(app, { clock: time.clock });
  await make(other.ask).feature('marker');
  await other.app.close();
  await vi.waitFor(async () => expect((await features()).body).toContain('marker'), 60_000);
  // What was believed before is looked up anew.
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
  // Used before, so that it would be believed, and then revoked.
  expect(await statusOf(app.ask(`DELETE /api/admin/api-tokens/${idOf('default')}`))).toBe(200);
  await hearOfAll();
  for (const token of [expiring, clientToken, frontendToken]) {
    expect(await statusOf(features(token))).not.toBe(401);
  }
});

describe('While the database is away', () => {
  test('SDKs are answered as before, and nobody else is let in', async () => {
    const before = await answersNow();
    expect(Object.values(before).map((text) => text.slice(0, 3))).not.toContain('503');
    expect(await marksNow()).toEqual(all('fresh'));
    expect(await metrics()).toMatchObject({ up: '1', stale: '0' });
    await away.begin();
    // Nothing is believed any more because it was asked a moment ago.
    time.pass({ minutes: 1 });

    expect(await answersNow()).toEqual(before);
    // What was true a moment ago is not looked at again at once.
    await expect
      .poll(async () => (await features()).headers)
      .toHaveProperty('x-burgee-stale-seconds');
    expect(await marksNow()).toEqual(all(expect.stringMatching(/^\d+$/)));
    // A second after the last look at the metrics they are looked at again.
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
    // A load balancer must keep sending SDKs here: all instances lose the database together.
    const ready = await app.ask('GET /ready');
    expect([ready.statusCode, ready.json()]).toEqual([200, { health: 'GOOD', database: 'away' }]);
    expect(await statusOf(app.ask('GET /ready?database=true'))).toBe(503);
  });

  test('a token ends at its time', async () => {
    time.pass({ hours: 1 });
    expect(await statusOf(features(expiring))).toBe(401);
    expect(await statusOf(features())).toBe(200);
  });

  test('what SDKs report is taken, and stored once the database is back', async () => {
    const at = time.clock().toISOString();
    const answers = await programs(app).metrics({ kept: { yes: 7, no: 0 } }, { at });
    expect([answers.statusCode, (await programs(app).register()).statusCode]).toEqual([202, 202]);
    await away.end();
    await expect.poll(() => statusOf(app.ask('GET /ready?database=true'))).toBe(200);
    // It waits for the database for a second only.
    await expect
      .poll(async () => (await app.ask('GET /ready')).json())
      .toEqual({ health: 'GOOD', database: 'reached' });
    // Twice for OFREP, which counts what it is asked for, before the outage and twice during it.
    await expect.poll(async () => yesOf(await usageOfFeature(app, 'kept'))).toBe(11);
  });
});

describe('Once it is back', () => {
  test('SDKs get what changed, and revoked tokens are refused', async () => {
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
