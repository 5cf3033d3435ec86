import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../../test/support/app.ts';
import { make } from '../../../../../test/support/make.ts';
import { frontendToken } from '../../../../../test/support/tokens.ts';
import { fill, programs, usageOfFeature } from '../../../../../test/support/usage.ts';

const now = new Date('2026-01-05T12:30:00Z');
const at = now.toISOString();
const applications = '/api/admin/metrics/applications';
const once = { yes: 1, no: 0 };

let app: TestApp;
beforeAll(async () => {
  app = await testApp({ clock: () => now });
  await make(app.ask).feature('shown');
});

const post = (path: string, payload: object) =>
  app.ask(`POST /api/frontend/client/${path}`, {
    payload,
    headers: { authorization: frontendToken },
  });
const inPage = (appName: string, toggles: object = { shown: once }) =>
  post('metrics', { appName, bucket: { start: at, stop: at, toggles } });
const total = async (query: string): Promise<number> =>
  (await app.ask(`GET ${applications}?query=${query}`)).json().total;
const unknownOf = async (appName: string): Promise<string[]> => {
  await usageOfFeature(app, 'shown');
  const rows = await app.db
    .selectFrom('unknown_features')
    .where('app_name', '=', appName)
    .select('name')
    .orderBy('name')
    .execute();
  return rows.map(({ name }) => name);
};

/** Simulates this many invented names. */
const invent = (prefix: string, since: string, rows: number) =>
  fill(
    app.db,
    'applications',
    'app_name, description, strategies, is_public, created_by, created_at, updated_at, seen_at',
    `'${prefix}-' || n, '', '{}', true, '', timestamptz '${since}', now(), timestamptz '${at}'`,
    rows,
  );

describe('a public frontend token', () => {
  test('does not store the IP address of the client', async () => {
    await post('register', { appName: 'in-page', instanceId: 'browser', sdkVersion: 'own:1' });
    const one = (await app.ask(`GET ${applications}/in-page`)).json();
    expect(one.instances).toMatchObject([{ instanceId: 'browser', clientIp: null }]);
    await programs(app).register({ appName: 'on-server', instanceId: 'one' });
    const other = (await app.ask(`GET ${applications}/on-server`)).json();
    expect(other.instances).toMatchObject([{ clientIp: '127.0.0.1' }]);
  });

  test('creates at most 100 applications per hour, unlike tokens of servers', async () => {
    await invent('lately', '2026-01-05 12:00Z', 98);
    // Together with the one above, one more is allowed.
    for (const appName of ['page-1', 'page-2', 'page-3']) await inPage(appName);
    expect(await total('page-')).toBe(1);
    for (const appName of ['server-1', 'server-2']) await programs(app).register({ appName });
    expect(await total('server-')).toBe(2);
    expect(await usageOfFeature(app, 'shown')).toMatchObject([
      { appName: '(others)', yes: 2 },
      { appName: expect.stringMatching(/^page-\d$/), yes: 1 },
    ]);
  });

  test('creates at most 1,000 applications, not counting those that servers also report', async () => {
    await app.db
      .updateTable('applications')
      .set({ created_at: new Date(0) })
      .execute();
    await invent('formerly', '2026-01-01Z', 900);
    await inPage('not-any-more');
    expect(await total('not-any-more')).toBe(0);
    await programs(app).register({ appName: 'formerly-1' });
    await programs(app).register({ appName: 'on-server-too' });
    expect([await total('formerly-'), await total('on-server-too')]).toEqual([900, 1]);
    await inPage('now-there-is');
    expect(await total('now-there-is')).toBe(1);
  });

  test('leaves room for instances and unknown flags reported by servers', async () => {
    await fill(
      app.db,
      'unknown_features',
      'name, app_name, environment, seen_at',
      `'made-' || n, 'maker-' || n % 20, 'development', now()`,
      5_000,
    );
    await fill(
      app.db,
      'application_instances',
      'app_name, environment, instance_id, created_at, seen_at',
      `'on-server', 'development', 'made-' || n, timestamptz '${at}', timestamptz '${at}'`,
      25_000,
    );
    await post('metrics', {
      appName: 'in-page',
      instanceId: 'another',
      bucket: { start: at, stop: at, toggles: { 'invented-in-page': once } },
    });
    await programs(app).metrics({ 'asked-on-server': once }, { instanceId: 'late' });
    expect(await unknownOf('in-page')).toEqual([]);
    expect(await unknownOf('shop')).toEqual(['asked-on-server']);
    const late = await app.db
      .selectFrom('application_instances')
      .where('instance_id', 'in', ['another', 'late'])
      .select('instance_id as id')
      .execute();
    expect(late).toEqual([{ id: 'late' }]);
    await app.db.deleteFrom('unknown_features').execute();
  });
});

test('one application can report at most 1,000 unknown flags', async () => {
  await fill(
    app.db,
    'unknown_features',
    'name, app_name, environment, seen_at',
    `'made-' || n, 'inventor', 'development', now()`,
    999,
  );
  await programs(app).metrics({ 'one-more': once, 'two-more': once }, { appName: 'inventor' });
  await programs(app).metrics({ 'from-another': once }, { appName: 'shop' });
  expect(await unknownOf('inventor')).toHaveLength(1_000);
  expect(await unknownOf('shop')).toEqual(['from-another']);
});
