import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { type TestApp, testActor, testApp } from '../../../../test/support/app.ts';
import { make } from '../../../../test/support/make.ts';
import { person } from '../../../../test/support/people.ts';
import { programs } from '../../../../test/support/usage.ts';

/** Later than the creation of the test database, regardless of when the tests run. */
const now = new Date('2099-11-16T12:00:00Z');
const insights = '/api/admin/insights';

let app: TestApp;
beforeAll(async () => {
  app = await testApp({ clock: () => now });
  const create = make(app.ask);
  await create.project('shop');
  await create.project('hidden', { mode: 'private' });
  await create.feature('shown', { project: 'shop' });
  await create.feature('old', { project: 'shop', stale: true });
  await create.feature('secret', { project: 'hidden' });
  await create.switchedOn('shown', { project: 'shop', environment: 'production' });
  await create.switchedOn('secret', { project: 'hidden', environment: 'production' });
  const day = (project: string, date: string, stale: number) => ({
    project,
    day: date,
    total: 4,
    stale,
    potentially_stale: 1,
    health: 100 - 25 * (stale + 1),
    reconstructed: false,
  });
  await app.db
    .insertInto('health_snapshots')
    .values([
      day('shop', '2099-11-05', 0),
      day('shop', '2099-11-08', 1),
      day('shop', '2099-11-10', 2),
      day('shop', '2099-01-10', 3),
      day('hidden', '2099-11-08', 1),
    ])
    .execute();
  const { metrics } = programs(app);
  const usage = { shown: { yes: 3, no: 1 }, secret: { yes: 5, no: 0 } };
  await metrics(usage, { appName: 'web', at: '2099-11-10T03:00:00Z' });
  await metrics({ shown: { yes: 1, no: 0 } }, { appName: 'app', at: '2099-11-12T03:00:00Z' });
  await app.ask('GET /api/admin/metrics/applications');
});

const read = async (query = '', ask = app.ask) => (await ask(`GET ${insights}${query}`)).json();
const isIn = (project: string) => (each: { project: string }) => each.project === project;

test('the trends of a project have an entry for the end of each week and for today', async () => {
  const { projectFlagTrends, flagTrends, flags } = await read('?from=2099-11-01&to=2099-11-16');
  expect(projectFlagTrends.filter(isIn('shop'))).toEqual([
    {
      project: 'shop',
      date: '2099-11-08',
      week: '2099-45',
      total: 4,
      active: 2,
      stale: 1,
      potentiallyStale: 1,
      health: 50,
    },
    {
      project: 'shop',
      date: '2099-11-10',
      week: '2099-46',
      total: 4,
      active: 1,
      stale: 2,
      potentiallyStale: 1,
      health: 25,
    },
    {
      project: 'shop',
      date: '2099-11-16',
      week: '2099-47',
      total: 2,
      active: 1,
      stale: 1,
      potentiallyStale: 0,
      health: 50,
      users: 0,
    },
  ]);
  expect(flags).toEqual({ total: 3 });
  expect(flagTrends).toEqual([
    { date: '2099-11-08', week: '2099-45', total: 8, active: 4, stale: 2, potentiallyStale: 2 },
    { date: '2099-11-10', week: '2099-46', total: 4, active: 1, stale: 2, potentiallyStale: 1 },
    { date: '2099-11-16', week: '2099-47', total: 3, active: 2, stale: 1, potentiallyStale: 0 },
  ]);
  const past = await read('?from=2099-01-01&to=2099-01-31');
  expect(past.projectFlagTrends).toMatchObject([{ date: '2099-01-10', stale: 3 }]);
  expect(past.userTrends).toEqual([]);
});

test('usage and changes are counted by week', async () => {
  const { metricsSummaryTrends, environmentTypeTrends } = await read();
  expect(metricsSummaryTrends.filter(isIn('shop'))).toEqual([
    {
      project: 'shop',
      date: '2099-11-15',
      week: '2099-46',
      totalRequests: 5,
      totalYes: 4,
      totalNo: 1,
      totalApps: 2,
      totalFlags: 1,
      totalEnvironments: 1,
    },
  ]);
  const inProduction = environmentTypeTrends.filter(
    ({ environmentType }: { environmentType: string }) => environmentType === 'production',
  );
  expect(inProduction).toMatchObject([{ week: '2099-47', date: '2099-11-16' }]);
});

test('users not seen for 180 days are counted as inactive', async () => {
  const before = await read();
  const gone = await person(app);
  await app.db
    .updateTable('users')
    .set({ created_at: new Date('2099-01-01') })
    .where('id', '=', gone.id)
    .execute();
  const { users, userTrends } = await read();
  expect(users).toEqual({
    total: before.users.total + 1,
    active: before.users.active,
    inactive: before.users.inactive + 1,
  });
  expect(userTrends).toEqual([{ date: '2099-11-16', ...users }]);
});

test('projects that the user cannot see are not included in trends and totals', async () => {
  const viewer = await person(app);
  const seen = await read('', viewer.ask);
  expect(JSON.stringify(seen)).not.toContain('hidden');
  expect(seen.flags).toEqual({ total: 2 });
  const updates = (answer: { environmentTypeTrends: { totalUpdates: number }[] }) =>
    answer.environmentTypeTrends.reduce((sum, each) => sum + each.totalUpdates, 0);
  for (const [ask, answer] of [
    [app.ask, await read()],
    [viewer.ask, seen],
  ] as const) {
    // The first events of the installation happened long before.
    const query = 'environment=IS_ANY_OF:development,production&from=IS:2099-01-01';
    const { total } = (await ask(`GET /api/admin/search/events?${query}`)).json();
    expect(updates(answer)).toBe(total);
  }
});

test('an invalid date is rejected, and a long range is shortened to its end', async () => {
  for (const query of ['from=2099-02-30', 'to=x', 'from=0000-01-01']) {
    expect((await app.ask(`GET ${insights}?${query}`)).statusCode, query).toBe(400);
  }
  const { projectFlagTrends } = await read('?from=1990-01-01&to=2099-11-16');
  expect(projectFlagTrends[0]).toMatchObject({ project: 'hidden' });
  expect((await read('?from=2099-11-16&to=2099-01-01')).projectFlagTrends).toEqual([]);
});

test('concurrent requests read the log one at a time and all succeed', async () => {
  const countWaiting = async () => {
    const { rows } = await sql`
      select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(app.db);
    return rows.length;
  };
  const asked = await app.transact(testActor, async (tx) => {
    await sql`lock table event_days in access exclusive mode`.execute(tx.db);
    const under = Array.from({ length: 5 }, () => app.ask(`GET ${insights}`));
    await expect.poll(countWaiting).toBe(1);
    // Enough time for the other requests to arrive.
    await delay(300);
    expect(await countWaiting()).toBe(1);
    return under;
  });
  const statuses = (await Promise.all(asked)).map(({ statusCode }) => statusCode);
  expect(statuses).toEqual([200, 200, 200, 200, 200]);
});
