import { beforeAll, describe, expect, test } from 'vitest';
import { appOn, type TestApp, testApp } from '../../../../../test/support/app.ts';
import { pathsOf } from '../../../../../test/support/faults.ts';
import { make } from '../../../../../test/support/make.ts';
import { person } from '../../../../../test/support/people.ts';
import { recordedBy } from '../../../../../test/support/recorded.ts';
import { programs, tokenFor } from '../../../../../test/support/usage.ts';

const now = new Date('2026-01-05T12:30:00Z');
const at = now.toISOString();
const counts = { yes: 1, no: 0 };
const applications = '/api/admin/metrics/applications';

let app: TestApp;
let reporter: ReturnType<typeof programs>;
let production: string;
beforeAll(async () => {
  app = await testApp({ clock: () => now });
  reporter = programs(app);
  production = await tokenFor(app, ['default'], 'production');
  await make(app.ask).project('other');
  await make(app.ask).feature('checkout');
  await make(app.ask).feature('elsewhere', { project: 'other' });
});

const get = async (path: string) => (await app.ask(`GET ${path}`)).json();
const created = async () =>
  app.db
    .selectFrom('events')
    .where('type', '=', 'application-created')
    .select(['created_by as by', 'project', 'data', 'pre_data as preData', 'label'])
    .orderBy('id')
    .execute();
const lastEvent = () =>
  app.db
    .selectFrom('events')
    .select(['label', 'summary'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
const createdOf = async (appName: string) =>
  (await created()).filter(
    ({ data }) => (data as { appName?: string } | null)?.appName === appName,
  );

describe('an application', () => {
  test('is created by its first report and recorded once', async () => {
    const strategies = ['default', 'ourOwn'];
    const sdkVersion = 'unleash-node-sdk:6.12.1';
    const started = { interval: 15_000, started: at, specVersion: '5.2.0' };
    const registration = { appName: 'shop', instanceId: 'one', sdkVersion, strategies, ...started };
    const response = await reporter.register(registration);
    expect([response.statusCode, response.body]).toEqual([202, '']);
    await reporter.metrics({ checkout: counts, elsewhere: counts }, { instanceId: 'two' });
    await reporter.metrics(
      { checkout: counts, typo: counts },
      { token: production, instanceId: 'one' },
    );
    await app.ask('DELETE /api/admin/projects/other/features/elsewhere');
    const instance = { clientIp: null, lastSeen: at, sdkVersion: null };
    expect(await get(`${applications}/shop`)).toEqual({
      appName: 'shop',
      description: '',
      sdkVersion,
      strategies,
      usage: [
        { project: '*', environments: ['development'] },
        { project: 'default', environments: ['production'] },
      ],
      createdBy: 'burgee-system',
      createdAt: at,
      lastSeen: at,
      seenToggles: ['checkout', 'elsewhere'],
      features: [
        {
          name: 'checkout',
          project: 'default',
          archived: false,
          environments: ['development', 'production'],
          lastSeen: at,
        },
        {
          name: 'elsewhere',
          project: 'other',
          archived: true,
          environments: ['development'],
          lastSeen: at,
        },
      ],
      instances: [
        {
          ...instance,
          instanceId: 'one',
          sdkVersion,
          clientIp: '127.0.0.1',
          environment: 'development',
        },
        { ...instance, instanceId: 'one', environment: 'production' },
        { ...instance, instanceId: 'two', environment: 'development' },
      ],
    });
    await reporter.register({ ...registration, instanceId: 'three' });
    await get(applications);
    expect(await createdOf('shop')).toEqual([
      {
        by: 'burgee-system',
        project: null,
        label: 'Application created',
        preData: null,
        data: {
          appName: 'shop',
          description: '',
          strategies,
          url: null,
          color: null,
          icon: null,
          createdBy: 'burgee-system',
          createdAt: at,
          updatedAt: at,
        },
      },
    ]);
  });

  test('has an overview of environments, SDKs and issues', async () => {
    const sdk = (sdkVersion: string, more = {}) => ({ appName: 'many', sdkVersion, ...more });
    await reporter.register(
      sdk('unleash-client-java:8.0.0', { instanceId: 'a', strategies: ['ourOwn', 'default'] }),
    );
    await reporter.register(
      sdk('unleash-react:1.0.0', { instanceId: 'b', sdkType: 'frontend', specVersion: '5.0.0' }),
    );
    await reporter.metrics(
      { checkout: counts, nosuch: counts },
      { appName: 'many', instanceId: 'a' },
    );
    expect(await get(`${applications}/many/overview`)).toEqual({
      projects: ['default'],
      featureCount: 1,
      environments: [
        {
          name: 'development',
          instanceCount: 2,
          sdks: ['unleash-client-java:8.0.0', 'unleash-react:1.0.0'],
          frontendSdks: ['unleash-react:1.0.0'],
          backendSdks: ['unleash-client-java:8.0.0'],
          lastSeen: at,
          issues: { missingFeatures: ['nosuch'], outdatedSdks: ['unleash-client-java:8.0.0'] },
        },
      ],
      issues: { missingStrategies: ['ourOwn'] },
    });
    const outdated = { sdkVersion: 'unleash-client-java:8.0.0', applications: ['many'] };
    expect(await get('/api/admin/metrics/sdks/outdated')).toEqual({ sdks: [outdated] });
    expect(await get('/api/admin/projects/default/sdks/outdated')).toEqual({ sdks: [outdated] });
    expect(await get('/api/admin/projects/other/sdks/outdated')).toEqual({ sdks: [] });
  });

  test('lists its instances in an environment, with IP addresses for administrators only', async () => {
    await reporter.register({ appName: 'listed', instanceId: 'a', sdkVersion: 'own:1' });
    const path = '/api/admin/metrics/instances/listed/environment';
    const instance = { instanceId: 'a', sdkVersion: 'own:1', lastSeen: at };
    expect(await get(`${path}/development`)).toEqual({
      instances: [{ ...instance, clientIp: '127.0.0.1' }],
    });
    const viewer = await person(app);
    expect((await viewer.ask(`GET ${path}/development`)).json()).toEqual({
      instances: [{ ...instance, clientIp: null }],
    });
    expect(await get(`${path}/production`)).toEqual({ instances: [] });
    for (const address of [
      'metrics/instances/nosuch/environment/development',
      'metrics/applications/nosuch',
      'metrics/applications/nosuch/overview',
    ]) {
      const response = await app.ask(`GET /api/admin/${address}`);
      expect([response.statusCode, response.json().name]).toEqual([404, 'NotFoundError']);
    }
  });

  test('lists only projects that still exist in its usage', async () => {
    for (const id of ['passing', 'staying']) await make(app.ask).project(id);
    const token = await tokenFor(app, ['passing', 'staying']);
    const report = () => reporter.metrics({}, { appName: 'through', token, instanceId: 'a' });
    const projects = async () =>
      (await get(`${applications}/through`)).usage.map((each: { project: string }) => each.project);
    await report();
    expect(await projects()).toEqual(['passing', 'staying']);
    await app.db.deleteFrom('projects').where('id', '=', 'passing').execute();
    await report();
    expect(await projects()).toEqual(['staying']);
  });

  test('has the strategies of its latest registration', async () => {
    await reporter.register({ appName: 'changing', strategies: ['old'] });
    expect((await get(`${applications}/changing`)).strategies).toEqual(['old']);
    await reporter.register({ appName: 'changing', strategies: ['new'] });
    await reporter.metrics({}, { appName: 'changing' });
    expect((await get(`${applications}/changing`)).strategies).toEqual(['new']);
  });
});

describe('the list of applications', () => {
  beforeAll(async () => {
    for (const appName of ['list-b', 'list-a', 'LIST-c']) await reporter.register({ appName });
  });
  const names = async (query: string) => {
    const { applications: found, total } = await get(`${applications}?${query}`);
    return [found.map(({ appName }: { appName: string }) => appName), total];
  };

  test('is sorted by name and paginated, with the total', async () => {
    expect(await names('query=list-')).toEqual([['LIST-c', 'list-a', 'list-b'], 3]);
    expect(await names('query=LIST-&sortBy=appName&sortOrder=desc&limit=1&offset=1')).toEqual([
      ['list-a'],
      3,
    ]);
    expect(await names('query=list-&limit=2&offset=99999999999999999999')).toEqual([[], 3]);
    expect(await names('query=%25')).toEqual([[], 0]);
  });

  test('can be searched by description', async () => {
    await app.ask(`POST ${applications}/list-a`, { payload: { description: 'Sells Umbrellas' } });
    expect(await names('query=umbrella')).toEqual([['list-a'], 1]);
  });

  test('reports all validation errors together', async () => {
    const response = await app.ask(`GET ${applications}?limit=0&offset=-1&sortOrder=up`);
    expect(response.statusCode).toBe(400);
    expect(pathsOf(response).sort()).toEqual(
      ['limit', 'offset', 'sortOrder'].map((name) => `/query/${name}`),
    );
  });

  test('ignores an unknown sortBy', async () => {
    expect(await names('query=LIST-&sortBy=project&limit=1')).toEqual(
      await names('query=LIST-&limit=1'),
    );
    const path = '/api/admin/projects/default/applications';
    const asked = `${path}?offset=0&limit=25&sortBy=createdAt&sortOrder=desc`;
    expect(await get(asked)).toEqual(await get(`${path}?sortOrder=desc`));
  });

  test('contains for a project the applications that evaluate its features', async () => {
    const shared = { appName: 'of-project', sdkVersion: 'own-sdk:1.0' };
    await reporter.register({ ...shared, instanceId: 'x' });
    await reporter.register({ ...shared, instanceId: 'y', sdkVersion: 'own-sdk:2.0' });
    await make(app.ask).project('used');
    await make(app.ask).feature('in-used', { project: 'used' });
    await reporter.metrics({ 'in-used': counts }, { appName: 'of-project', instanceId: 'x' });
    const path = '/api/admin/projects/used/applications';
    expect(await get(path)).toEqual({
      applications: [
        {
          name: 'of-project',
          environments: ['development'],
          instances: ['x', 'y'],
          sdks: [{ name: 'own-sdk', versions: ['1.0', '2.0'] }],
        },
      ],
      total: 1,
    });
    expect(await get(`${path}?query=nothing&sortBy=appName&sortOrder=desc&limit=5`)).toEqual({
      applications: [],
      total: 0,
    });
    expect((await app.ask('GET /api/admin/projects/nosuch/applications')).statusCode).toBe(404);
  });
});

describe('describing and deleting an application', () => {
  const annotate = (appName: string, payload: object) =>
    app.ask(`POST ${applications}/${appName}`, { payload });

  test('records the previous description, and nothing if nothing changes', async () => {
    await reporter.register({ appName: 'described' });
    const said = { description: 'Sells', url: 'https://example.com', color: 'red', icon: 'cart' };
    const response = await annotate('described', said);
    expect([response.statusCode, response.body]).toEqual([202, '']);
    expect(await get(`${applications}/described`)).toMatchObject(said);
    expect(await recordedBy(app.db, response)).toMatchObject([
      {
        type: 'application-created',
        data: { appName: 'described', ...said },
        preData: { appName: 'described', description: '', url: null, color: null, icon: null },
      },
    ]);
    expect(await lastEvent()).toEqual({
      label: 'Application described',
      summary: '**admin** updated application **described**',
    });
    expect(await recordedBy(app.db, await annotate('described', said))).toEqual([]);
    await annotate('described', { url: null, color: '' });
    const after = await get(`${applications}/described`);
    expect(after).toMatchObject({ description: 'Sells', icon: 'cart' });
    expect(after).not.toHaveProperty('url');
    expect(after).not.toHaveProperty('color');
  });

  test('deletes it until it reports again, and keeps its counts', async () => {
    await make(app.ask).feature('counted-for-good');
    const reportAgain = () =>
      reporter.metrics({ 'counted-for-good': counts }, { appName: 'forgotten' });
    await reportAgain();
    const response = await app.ask(`DELETE ${applications}/forgotten`);
    expect([response.statusCode, response.body]).toEqual([200, '']);
    expect(await recordedBy(app.db, response)).toMatchObject([
      { type: 'application-created', data: null, preData: { appName: 'forgotten' } },
    ]);
    expect(await lastEvent()).toEqual({
      label: 'Application deleted',
      summary: '**admin** deleted application **forgotten**',
    });
    expect((await app.ask(`GET ${applications}/forgotten`)).statusCode).toBe(404);
    const again = await app.ask(`DELETE ${applications}/forgotten`);
    expect([again.statusCode, await recordedBy(app.db, again)]).toEqual([200, []]);
    const usage = '/api/admin/client-metrics/features/counted-for-good';
    expect((await get(usage)).seenApplications).toEqual([]);
    await reportAgain();
    expect((await get(usage)).seenApplications).toEqual(['forgotten']);
    expect((await get(`${usage}/raw`)).data).toMatchObject([{ appName: 'forgotten', yes: 2 }]);
    expect(await createdOf('forgotten')).toHaveLength(2);
  });

  test.each<[object, string[]]>([
    [{ url: 'javascript:alert(1)', color: 7 }, ['/body/color', '/body/url']],
    [{ description: 'x'.repeat(1001), icon: 'y'.repeat(101) }, ['/body/description', '/body/icon']],
  ])('rejects %o', async (payload, paths) => {
    await reporter.register({ appName: 'faulty' });
    const response = await annotate('faulty', payload);
    expect([response.statusCode, pathsOf(response).sort()]).toEqual([400, paths]);
  });

  test('requires UPDATE_APPLICATION, and returns 404 for an unknown application', async () => {
    await reporter.register({ appName: 'guarded' });
    const viewer = await person(app);
    for (const method of ['POST', 'DELETE'] as const) {
      const refused = await viewer.ask(`${method} ${applications}/guarded`, { payload: {} });
      expect([refused.statusCode, refused.json().message]).toEqual([
        403,
        expect.stringContaining('UPDATE_APPLICATION'),
      ]);
    }
    const absent = await app.ask(`POST ${applications}/nosuch`, { payload: {} });
    expect([absent.statusCode, absent.json().name]).toEqual([404, 'NotFoundError']);
  });
});

describe('unknown flags', () => {
  test('are listed with their applications until such a feature is created', async () => {
    await reporter.metrics({ misspelt: counts }, { appName: 'speller' });
    const unknown = async () =>
      (await get('/api/admin/metrics/unknown-flags')).unknownFlags.filter(
        ({ name }: { name: string }) => name === 'misspelt',
      );
    const told = { name: 'misspelt', appName: 'speller', environment: 'development', seenAt: at };
    expect(await unknown()).toEqual([told]);
    await make(app.ask).feature('misspelt');
    expect(await unknown()).toEqual([]);
  });

  test('are hidden if they may have been reported with a token for a hidden project', async () => {
    await make(app.ask).project('hidden', { mode: 'private' });
    const hidden = await tokenFor(app, ['hidden']);
    const open = await tokenFor(app, ['default']);
    await reporter.metrics({ 'open-yet-unmade': counts }, { appName: 'open', token: open });
    await reporter.metrics({ 'to-come': counts }, { appName: 'both', token: open });
    await reporter.metrics({ 'secret-to-come': counts }, { appName: 'both', token: hidden });
    const viewer = await person(app);
    const seen = async (ask: TestApp['ask']) =>
      (await ask('GET /api/admin/metrics/unknown-flags'))
        .json()
        .unknownFlags.map(({ name }: { name: string }) => name);
    expect(await seen(app.ask)).toContain('secret-to-come');
    expect(await seen(viewer.ask)).toContain('open-yet-unmade');
    expect(await seen(viewer.ask)).not.toContain('secret-to-come');
  });

  test('can be ignored and un-ignored, which is recorded', async () => {
    await reporter.metrics({ 'of-a-test': counts }, { appName: 'prober' });
    const ignore = '/api/admin/metrics/unknown-flags/of-a-test/ignore';
    const names = async (query = '') =>
      (await get(`/api/admin/metrics/unknown-flags${query}`)).unknownFlags
        .map(({ name }: { name: string }) => name)
        .filter((name: string) => name === 'of-a-test');
    const missing = async () =>
      (await get(`${applications}/prober/overview`)).environments[0].issues.missingFeatures;

    const ignored = await app.ask(`PUT ${ignore}`);
    expect([ignored.statusCode, ignored.body]).toEqual([200, '']);
    expect(await recordedBy(app.db, ignored)).toMatchObject([
      { type: 'application-created', data: { name: 'of-a-test' } },
    ]);
    expect((await lastEvent())?.label).toBe('Unknown name ignored');
    expect([await names(), await names('?ignored=true'), await missing()]).toEqual([
      [],
      ['of-a-test'],
      [],
    ]);
    expect(await recordedBy(app.db, await app.ask(`PUT ${ignore}`))).toEqual([]);

    const noticed = await app.ask(`DELETE ${ignore}`);
    expect(await recordedBy(app.db, noticed)).toMatchObject([
      { type: 'application-created', preData: { name: 'of-a-test' } },
    ]);
    expect([await names(), await names('?ignored=true'), await missing()]).toEqual([
      ['of-a-test'],
      [],
      ['of-a-test'],
    ]);
    expect(await recordedBy(app.db, await app.ask(`DELETE ${ignore}`))).toEqual([]);
  });

  test('can be ignored only if they were reported, and only with UPDATE_APPLICATION', async () => {
    const ignore = (name: string) => `/api/admin/metrics/unknown-flags/${name}/ignore` as const;
    const never = await app.ask(`PUT ${ignore('never-asked-for')}`);
    expect([never.statusCode, never.json().name]).toEqual([404, 'NotFoundError']);
    expect((await app.ask(`PUT ${ignore('checkout')}`)).statusCode).toBe(404);
    await reporter.metrics({ 'not-for-viewers': counts }, { appName: 'prober' });
    const viewer = await person(app);
    const refused = await viewer.ask(`PUT ${ignore('not-for-viewers')}`);
    expect([refused.statusCode, refused.json().message]).toEqual([
      403,
      expect.stringContaining('UPDATE_APPLICATION'),
    ]);
  });
});

test('an application reported to several instances at once is recorded once', async () => {
  const two = await appOn(app, { clock: () => now });
  const names = Array.from({ length: 20 }, (_, n) => `at-once-${n}`);
  for (const appName of names) await reporter.register({ appName });
  for (const appName of names.toReversed()) await programs(two).register({ appName });
  const lists = await Promise.all(
    [app, two].map(({ ask }) => ask(`GET ${applications}?query=at-once-`)),
  );
  expect(lists.map((list) => list.statusCode)).toEqual([200, 200]);
  expect((await get(`${applications}?query=at-once-`)).total).toBe(20);
  for (const appName of names) expect(await createdOf(appName)).toHaveLength(1);
});
