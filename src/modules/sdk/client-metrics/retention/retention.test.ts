import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../../test/support/app.ts';
import { make } from '../../../../../test/support/make.ts';
import { fill, programs, usageOfFeature } from '../../../../../test/support/usage.ts';
import { isOutdated } from '../applications/outdated-sdks.ts';
import { hourOf, plausibleInstant } from '../moment.ts';
import { prune } from './jobs.ts';

const hour = 3_600_000;
const day = 24 * hour;
const start = Date.UTC(2026, 0, 5, 12, 30);
let nowMs = start;
const clock = () => new Date(nowMs);

let app: TestApp;
beforeAll(async () => {
  app = await testApp({ clock });
  await make(app.ask).feature('kept');
});

const counts = { yes: 1, no: 0, variants: { red: 1 } };
const report = async (appName: string, toggles: object = { kept: counts }) => {
  await programs(app).metrics(toggles, { at: clock().toISOString(), appName, instanceId: 'one' });
  await usageOfFeature(app, 'kept');
};
const get = async (path: string) => (await app.ask(`GET /api/admin/${path}`)).json();
const names = async () =>
  (await get('metrics/applications')).applications.map(
    ({ appName }: { appName: string }) => appName,
  );
const instances = async (appName: string) =>
  (await get(`metrics/applications/${appName}`)).instances.length;
const unknown = async () => (await get('metrics/unknown-flags')).unknownFlags.length;

describe('deleting old metrics', () => {
  test('applies the retention of each kind, and keeps described applications', async () => {
    await report('shop');
    await report('till', { kept: counts, misspelt: counts });
    await app.ask('POST /api/admin/metrics/applications/till', { payload: { icon: 'coin' } });
    nowMs = start + 20 * hour;
    await report('shop');
    await prune(app.db, clock(), 30);
    expect([await instances('till'), await unknown()]).toEqual([1, 1]);

    nowMs = start + 25 * hour;
    await prune(app.db, clock(), 30);
    expect([await instances('till'), await instances('shop'), await unknown()]).toEqual([0, 1, 1]);

    nowMs = start + 8 * day;
    await prune(app.db, clock(), 30);
    expect([await instances('shop'), await unknown()]).toEqual([0, 0]);
    expect(await usageOfFeature(app, 'kept', 720)).toHaveLength(3);

    nowMs = start + 30.5 * day;
    await prune(app.db, clock(), 30);
    const left = await app.db.selectFrom('usage_hours').select(['app_name', 'hour']).execute();
    expect(left).toEqual([{ app_name: 'shop', hour: new Date(Date.UTC(2026, 0, 6, 8)) }]);
    const variants = await app.db.selectFrom('usage_variant_hours').select('app_name').execute();
    expect(variants).toEqual([{ app_name: 'shop' }]);
    const sums = await app.db.selectFrom('evaluation_hours').select('hour').execute();
    expect(sums).toEqual([{ hour: left[0]?.hour }]);
    expect((await get('client-metrics/features/kept')).seenApplications).toEqual(['shop']);
    expect(await names()).toEqual(['shop', 'till']);

    nowMs = start + 92 * day;
    await prune(app.db, clock(), 30);
    expect(await names()).toEqual(['till']);
  });

  test('removes stale application–project links and applications reported only from a browser', async () => {
    const { environment, project } = { environment: 'development', project: '*' };
    await fill(
      app.db,
      'applications',
      'app_name, description, strategies, is_public, created_by, created_at, updated_at, seen_at',
      `(array['server', 'page', 'silent'])[n], case n when 3 then 'said' else '' end, '{}', n = 2, '',
        now(), now(), timestamptz '2026-06-01Z' - case n when 3 then interval '1 year' else interval '0' end`,
      3,
    );
    await fill(
      app.db,
      'application_reach',
      'app_name, project, environment, seen_at',
      `(array['server', 'server', 'silent'])[n], (array['default', '*', '*'])[n], 'development',
        timestamptz '2026-06-01Z' - case n when 2 then interval '0' else interval '40 days' end`,
      3,
    );
    const reach = () =>
      app.db
        .selectFrom('application_reach')
        .where('app_name', 'in', ['server', 'silent'])
        .select(['app_name as appName', 'project', 'environment'])
        .orderBy('app_name')
        .execute();
    await prune(app.db, new Date('2026-06-03T00:00:00Z'), 30);
    expect(await reach()).toEqual([
      { appName: 'server', project, environment },
      { appName: 'silent', project, environment },
    ]);
    expect(await names()).toEqual(expect.arrayContaining(['page', 'server', 'silent']));
    await prune(app.db, new Date('2026-06-09T00:00:00Z'), 30);
    expect(await names()).toEqual(expect.arrayContaining(['server', 'silent']));
    expect(await names()).not.toContain('page');
  });

  test('deletes many rows in batches', async () => {
    await fill(
      app.db,
      'usage_hours',
      'feature_name, hour, environment, app_name, yes, no',
      `'kept', timestamptz '2026-01-05 12:00Z', 'development', 'old-' || n, 1, 0`,
      12_000,
    );
    await prune(app.db, clock(), 30);
    expect(await app.db.selectFrom('usage_hours').select('hour').execute()).toEqual([]);
  });
});

describe('the hour that a metric is counted in', () => {
  const now = Date.UTC(2026, 0, 5, 12, 30);
  const atNoon = Date.UTC(2026, 0, 5, 12);
  test.each<[string, string | number | undefined, number]>([
    ['that of its timestamp', '2026-01-05T09:59:59.999Z', Date.UTC(2026, 0, 5, 9)],
    ['that of a timestamp with an offset', '2026-01-05T09:59:59+05:30', Date.UTC(2026, 0, 5, 4)],
    ['that of a timestamp in milliseconds', Date.UTC(2026, 0, 5, 9, 1), Date.UTC(2026, 0, 5, 9)],
    ['the current hour for a clock slightly ahead', now + 60_000, atNoon],
    ['the current hour for a clock far ahead', now + day, atNoon],
    ['the current hour for a timestamp older than the retention', now - 31 * day, atNoon],
    ['that of the oldest timestamp within the retention', now - 29 * day, atNoon - 29 * day],
    ['the current hour for an invalid timestamp', 'yesterday', atNoon],
    ['the current hour without a timestamp', undefined, atNoon],
  ])('is %s', (_what, written, expected) => {
    expect(hourOf(plausibleInstant(written, now, 30 * day))).toBe(expected);
  });
});

describe('an SDK is outdated', () => {
  test.each([
    ['unleash-client-node:5.3.1', true],
    ['unleash-client-node:5.3.2', false],
    ['unleash-client-node:6.4.5', false],
    ['unleash-client-java:9.1.6', true],
    ['unleash-client-go:4.1.0', false],
    ['unleash-client-php:2.2.6', true],
    ['unleash-client-node', false],
    ['unleash-client-node:next', false],
    ['unleash-client-swift:0.1.0', false],
    ['constructor:1.0.0', false],
    ['of-our-own:1.0.0', false],
  ])('%s: %s', (sdkVersion, expected) => {
    expect(isOutdated({ sdkVersion })).toBe(expected);
  });
});
