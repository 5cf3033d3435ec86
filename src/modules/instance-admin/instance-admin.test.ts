import { tmpdir } from 'node:os';
import { beforeAll, expect, test } from 'vitest';
import { appOn, type TestApp, testApp } from '../../../test/support/app.ts';
import { group } from '../../../test/support/groups.ts';
import { make } from '../../../test/support/make.ts';
import { customRole, person } from '../../../test/support/people.ts';
import { programs } from '../../../test/support/usage.ts';

/** Later than the creation of the test database, regardless of when the tests run. */
const now = new Date('2099-11-16T12:00:00Z');
const day = 86_400_000;
const statistics = '/api/admin/instance-admin/statistics';

let app: TestApp;
beforeAll(async () => {
  app = await testApp({ clock: () => now });
});

const read = async (path = statistics) => (await app.ask(`GET ${path}`)).json();

test('the statistics count all resources of the installation', async () => {
  const before = await read();
  expect(before).toMatchObject({
    instanceId: (await read('/api/admin/ui-config')).versionInfo.instanceId,
    timestamp: now.toISOString(),
    versionOSS: '6.8.0',
    versionEnterprise: '6.8.0',
    SAMLenabled: false,
    OIDCenabled: false,
    SCIMenabled: false,
    passwordAuthEnabled: true,
    projects: 1,
    environments: 2,
  });
  const create = make(app.ask);
  await create.project('counted', { mode: 'private' });
  for (const name of ['active', 'archived']) await create.feature(name, { project: 'counted' });
  const constraints = [
    { contextName: 'userId', operator: 'IN', values: ['1', '2', '3'] },
    { contextName: 'appName', operator: 'IN', values: ['1'] },
  ];
  const inProduction = { project: 'counted', environment: 'production' };
  await create.strategy('active', { constraints }, inProduction);
  await create.switchedOn('active', inProduction);
  await create.switchedOn('active', { project: 'counted', environment: 'development' });
  await app.ask('DELETE /api/admin/projects/counted/features/archived');
  await create.segment('of-some');
  await app.ask('POST /api/admin/context', { payload: { name: 'tier' } });
  const used = await customRole(app, 'root-custom', []);
  await customRole(app, 'root-custom', []);
  const seen = await person(app, { rootRole: used });
  const seenLongAgo = await person(app);
  await person(app, { kind: 'service account' });
  for (const [id, ago] of [
    [seen.id, 6],
    [seenLongAgo.id, 45],
  ] as const) {
    await app.db
      .insertInto('last_seen')
      .values({ kind: 'account', id, seen_at: new Date(now.getTime() - ago * day) })
      .execute();
  }
  await group(app, { users: [seen.id] });
  await programs(app).metrics(
    { active: { yes: 1, no: 0, variants: { a: 1 } } },
    { appName: 'shop', at: '2099-11-15T03:00:00Z' },
  );
  await read('/api/admin/metrics/applications/shop');
  const after = await read();
  const more = (name: string) => after[name] - before[name];
  expect({
    users: more('users'),
    licensedUsers: more('licensedUsers'),
    serviceAccounts: more('serviceAccounts'),
    featureToggles: more('featureToggles'),
    archivedFeatureToggles: more('archivedFeatureToggles'),
    projects: more('projects'),
    contextFields: more('contextFields'),
    roles: more('roles'),
    customRootRoles: more('customRootRoles'),
    customRootRolesInUse: more('customRootRolesInUse'),
    groups: more('groups'),
    segments: more('segments'),
  }).toEqual({
    users: 2,
    licensedUsers: 2,
    serviceAccounts: 1,
    featureToggles: 1,
    archivedFeatureToggles: 1,
    projects: 1,
    contextFields: 1,
    roles: 2,
    customRootRoles: 2,
    customRootRolesInUse: 1,
    groups: 1,
    segments: 1,
  });
  expect(after.activeUsers).toEqual({ last7: 1, last30: 1, last60: 2, last90: 2 });
  expect(after.productionChanges).toEqual({ last30: 2, last60: 2, last90: 2 });
  expect(after).toMatchObject({
    maxEnvironmentStrategies: 1,
    maxConstraints: 2,
    maxConstraintValues: 3,
  });
  expect(after.clientApps).toEqual([
    { range: 'allTime', count: 1 },
    { range: '30d', count: 1 },
    { range: '7d', count: 1 },
  ]);
  expect(after.previousDayMetricsBucketsCount).toEqual({ enabledCount: 1, variantCount: 1 });
});

test('the CSV has a column for each number of the statistics', async () => {
  const figures = await read();
  const response = await app.ask(`GET ${statistics}/csv`);
  expect(response.headers['content-type']).toContain('text/csv');
  const [names = [], values = []] = response.body
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(','));
  expect(values).toHaveLength(names.length);
  const cell = (name: string) => values[names.indexOf(name)];
  expect(cell('featureToggles')).toBe(String(figures.featureToggles));
  expect(cell('activeUsers.last60')).toBe(String(figures.activeUsers.last60));
  expect(cell('clientApps.30d')).toBe(String(figures.clientApps[1].count));
  expect(cell('OIDCenabled')).toBe('false');
});

test('licensed users are counted at the end of each of the last 12 months', async () => {
  const { seatCount, licensedUsers } = await read('/api/admin/licensed-users');
  expect(seatCount).toBe(licensedUsers.current);
  expect(licensedUsers.current).toBe((await read()).users);
  const past = await person(app);
  await app.db
    .updateTable('users')
    .set({
      created_at: new Date('2099-08-31T23:59:59Z'),
      deleted_at: new Date('2099-10-31T12:00Z'),
    })
    .where('id', '=', past.id)
    .execute();
  const { history, current } = (await read('/api/admin/licensed-users')).licensedUsers;
  expect(current).toBe(licensedUsers.current);
  expect(history.map(({ date }: { date: string }) => date)).toEqual([
    '2098-11-30',
    '2098-12-31',
    '2099-01-31',
    '2099-02-28',
    '2099-03-31',
    '2099-04-30',
    '2099-05-31',
    '2099-06-30',
    '2099-07-31',
    '2099-08-31',
    '2099-09-30',
    '2099-10-31',
  ]);
  const added = history.map(
    ({ count }: { count: number }, index: number) => count - licensedUsers.history[index].count,
  );
  expect(added).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0]);
});

test('the statistics require an administrator', async () => {
  const editor = await person(app, { rootRole: 2 });
  for (const path of [statistics, `${statistics}/csv`, '/api/admin/licensed-users']) {
    expect((await editor.ask(`GET ${path}`)).statusCode).toBe(403);
  }
});

test('the instance state has database, memory and disk usage and requires an administrator', async () => {
  const state = '/api/admin/instance-admin/state';
  const external = await read(state);
  expect(external).toMatchObject({
    nodeVersion: process.version,
    database: { kind: 'external', version: expect.stringMatching(/^\d+/) },
  });
  expect(external.database.sizeBytes).toBeGreaterThan(1_000_000);
  expect(external.memory.totalBytes).toBeGreaterThan(external.memory.usedBytes);
  expect(external).not.toHaveProperty('disk');
  const embedded = await appOn(app, { config: { dataDir: tmpdir() } });
  const { disk, database } = (await embedded.ask(`GET ${state}`)).json();
  expect(database.kind).toBe('embedded');
  expect(disk.folder).toBe(tmpdir());
  expect(disk.totalBytes).toBeGreaterThanOrEqual(disk.freeBytes);
  const gone = await appOn(app, { config: { dataDir: '/nowhere/at-all' } });
  expect((await gone.ask(`GET ${state}`)).json()).not.toHaveProperty('disk');
  const { ask } = await person(app);
  expect((await ask(`GET ${state}`)).statusCode).toBe(403);
});
