import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { appOn, type TestApp, testApp } from '../../../../../test/support/app.ts';
import { testDatabase } from '../../../../../test/support/database.ts';
import { make } from '../../../../../test/support/make.ts';
import { frontendToken } from '../../../../../test/support/tokens.ts';
import { programs, usageOfFeature, yesOf } from '../../../../../test/support/usage.ts';
import { deleteBatches } from '../retention/queries.ts';

/** Time stands still, so that tokens stay cached and counts are of one hour. */
const now = new Date();
const clock = () => now;

let app: TestApp;
let two: TestApp;
beforeAll(async () => {
  app = await testApp({ clock });
  two = await appOn(app, { clock });
});

/** A report of an edge: an application, usage of a feature, and an unknown flag. */
const bulk = (batchId: string, feature: string) => ({
  batchId,
  applications: [{ appName: `of-${feature}`, instanceId: 'one' }],
  metrics: [
    { featureName: feature, appName: `of-${feature}`, yes: 3, no: 1, variants: { red: 3 } },
    { featureName: `unknown-${feature}`, appName: `of-${feature}`, yes: 1 },
  ],
});
const send = (to: Pick<TestApp, 'ask'>, payload: object) =>
  programs(to).post('metrics/bulk', payload);
const statusOf = ({ statusCode }: { statusCode: number }) => statusCode;

describe('a report with a batchId is counted once', () => {
  test('if it is repeated on two instances at the same time', async () => {
    await make(app.ask).feature('at-once');
    const report = bulk(randomUUID(), 'at-once');
    const answers = await Promise.all([app, two, app, two, app, two].map((to) => send(to, report)));
    expect(answers.map(statusOf)).toEqual(Array(6).fill(202));
    const [hour, ...rest] = await usageOfFeature(app, 'at-once');
    expect([hour, rest]).toMatchObject([{ yes: 3, no: 1, variants: { red: 3 } }, []]);
  });

  test('if it is repeated later, with another spelling of its id', async () => {
    await make(app.ask).feature('later');
    const report = bulk(randomUUID(), 'later');
    await send(app, report);
    await send(two, { ...report, batchId: report.batchId.toUpperCase() });
    expect(yesOf(await usageOfFeature(two, 'later'))).toBe(3);
    await send(app, bulk(randomUUID(), 'later'));
    expect(yesOf(await usageOfFeature(app, 'later'))).toBe(6);
  });

  test('with its applications and unknown flags, which are stored before the response', async () => {
    await make(app.ask).feature('complete');
    await send(app, bulk(randomUUID(), 'complete'));
    // The other instance has nothing to store first.
    const { instances } = (await two.ask('GET /api/admin/metrics/applications/of-complete')).json();
    expect(instances).toMatchObject([{ instanceId: 'one' }]);
    const { unknownFlags } = (await two.ask('GET /api/admin/metrics/unknown-flags')).json();
    expect(unknownFlags).toContainEqual(expect.objectContaining({ name: 'unknown-complete' }));
  });

  test('if an SDK sends it to two instances', async () => {
    await make(app.ask).feature('of-sdk');
    const at = now.toISOString();
    const bucket = { start: at, stop: at, toggles: { 'of-sdk': { yes: 2, no: 0 } } };
    const report = { batchId: randomUUID(), appName: 'shop', bucket };
    for (const to of [app, two]) await programs(to).post('metrics', report);
    expect(yesOf(await usageOfFeature(app, 'of-sdk'))).toBe(2);
  });

  test('if it is repeated after a database outage', async () => {
    const { connection, db, name } = await testDatabase();
    const lonely = await appOn({ connection, db }, { clock });
    await make(lonely.ask).feature('in-the-dark');
    await send(lonely, bulk(randomUUID(), 'in-the-dark'));
    await sql.raw(`alter database "${name}" allow_connections false`).execute(app.db);
    await sql
      .raw(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
      .execute(app.db);
    const report = bulk(randomUUID(), 'in-the-dark');
    expect((await Promise.all([send(lonely, report), send(lonely, report)])).map(statusOf)).toEqual(
      [503, 503],
    );
    await sql.raw(`alter database "${name}" allow_connections true`).execute(app.db);
    await vi.waitFor(async () => expect(statusOf(await send(lonely, report))).toBe(202), 60_000);
    expect(yesOf(await usageOfFeature(lonely, 'in-the-dark'))).toBe(6);
  });
});

test('the batchId of a report with a frontend token is ignored, because the token is public', async () => {
  const batchId = randomUUID();
  const payload = { appName: 'shop', bucket: null, batchId };
  const headers = { authorization: frontendToken };
  const response = await app.ask('POST /api/frontend/client/metrics', { payload, headers });
  expect(response.statusCode).toBe(200);
  await usageOfFeature(app, 'at-once');
  const stored = await app.db.selectFrom('usage_batches').select('id').execute();
  expect(stored).not.toContainEqual({ id: batchId });
});

test('a batchId that is not a UUID gets 400', async () => {
  for (const batchId of ['one', '', `urn:uuid:${randomUUID()}`, 1]) {
    const response = await send(app, { batchId });
    expect([response.statusCode, response.json().details[0].path]).toEqual([400, '/body/batchId']);
  }
});

test('old batch ids are deleted, and so are the oldest beyond the limit', async () => {
  await app.db.deleteFrom('usage_batches').execute();
  await sql`insert into usage_batches select gen_random_uuid(), ${now}::timestamptz - n * interval '1 day'
    from generate_series(1, 10) n`.execute(app.db);
  const left = async () => (await app.db.selectFrom('usage_batches').select('id').execute()).length;
  const ago = (days: number) => new Date(now.getTime() - days * 86_400_000);
  await deleteBatches(app.db, ago(7), 100);
  expect(await left()).toBe(7);
  await deleteBatches(app.db, ago(7), 3);
  expect(await left()).toBe(4);
});
