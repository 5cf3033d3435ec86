import { beforeAll, describe, expect, test } from 'vitest';
import { appOn, type TestApp, testApp } from '../../../../../test/support/app.ts';
import { pathsOf } from '../../../../../test/support/faults.ts';
import { make } from '../../../../../test/support/make.ts';
import { person } from '../../../../../test/support/people.ts';
import { countEvents } from '../../../../../test/support/recorded.ts';
import { adminToken, frontendToken } from '../../../../../test/support/tokens.ts';
import { programs, tokenFor, usageOfFeature, yesOf } from '../../../../../test/support/usage.ts';

/** Not at the edge of an hour. */
const now = new Date('2026-01-05T12:30:00Z');

let app: TestApp;
let sdk: ReturnType<typeof programs>;
let forOther: string;
beforeAll(async () => {
  app = await testApp({ clock: () => now });
  sdk = programs(app);
  await make(app.ask).project('other');
  await make(app.ask).feature('elsewhere', { project: 'other' });
  forOther = await tokenFor(app, ['other']);
});

const newFeature = async (name: string) => {
  await make(app.ask).feature(name);
  return name;
};

const hourBefore = (hours: number) => {
  const at = new Date(now.getTime() - hours * 3_600_000);
  return { at: at.toISOString(), hour: `${at.toISOString().slice(0, 13)}:00:00.000Z` };
};

describe('the reported metrics', () => {
  test('are accepted with 202 and an empty body, and summed', async () => {
    await newFeature('checkout');
    for (const yes of [3, 4]) {
      const response = await sdk.metrics({ checkout: { yes, no: 1, variants: { blue: yes } } });
      expect([response.statusCode, response.body]).toEqual([202, '']);
    }
    const timestamp = hourBefore(0).hour;
    expect(await usageOfFeature(app, 'checkout')).toEqual([
      {
        featureName: 'checkout',
        appName: 'shop',
        environment: 'development',
        timestamp,
        yes: 7,
        no: 2,
        variants: { blue: 7 },
      },
    ]);
    expect((await app.ask('GET /api/admin/client-metrics/features/checkout')).json()).toEqual({
      version: 1,
      maturity: 'stable',
      featureName: 'checkout',
      lastHourUsage: [{ environment: 'development', timestamp, yes: 7, no: 2 }],
      seenApplications: ['shop'],
    });
  });

  test('are counted for several features at once, over a day or a week', async () => {
    const [busy, idle] = [await newFeature('busy'), await newFeature('idle')];
    await make(app.ask).project('closed', { mode: 'private' });
    await make(app.ask).feature('unseen', { project: 'closed' });
    await sdk.metrics({ [busy]: { yes: 1, no: 0 }, unseen: { yes: 3, no: 0 } });
    const production = await tokenFor(app, ['*'], 'production');
    await sdk.metrics({ [busy]: { yes: 4, no: 1 } }, { appName: 'till', token: production });
    await sdk.metrics({ [busy]: { yes: 10, no: 0 } }, { at: hourBefore(30).at });
    const counted = async (more: object, ask = app.ask) =>
      (
        await ask('POST /api/admin/client-metrics/evaluations', {
          payload: { features: [busy, idle, 'unseen', 'nosuch'], ...more },
        })
      ).json().features;
    const [day, unseen] = [
      { name: busy, yes: 5, no: 1 },
      { name: 'unseen', yes: 3, no: 0 },
    ];
    expect(await counted({})).toEqual([{ name: busy, yes: 15, no: 1 }, unseen]);
    expect(await counted({ hours: 24 })).toEqual([day, unseen]);
    expect(await counted({ hours: 24 }, (await person(app)).ask)).toEqual([day]);
    expect(await counted({ environment: 'development', hours: 24 })).toEqual([
      { name: busy, yes: 1, no: 0 },
      unseen,
    ]);
    expect(await counted({ environment: 'production' })).toEqual([{ name: busy, yes: 4, no: 1 }]);
    for (const payload of [{ hours: 5, features: [] }, { features: Array(251).fill('x') }, {}]) {
      const response = await app.ask('POST /api/admin/client-metrics/evaluations', { payload });
      expect(response.statusCode).toBe(400);
    }
  });

  test('are stored by hour, application and environment', async () => {
    const feature = await newFeature('kept-apart');
    const production = await tokenFor(app, ['*'], 'production');
    const [early, late] = [hourBefore(30), hourBefore(2)];
    await sdk.metrics({ [feature]: { yes: 1, no: 0 } }, { at: early.at });
    await sdk.metrics({ [feature]: { yes: 2, no: 0 } }, { at: late.at });
    await sdk.metrics({ [feature]: { yes: 4, no: 0 } }, { at: Date.parse(late.at) });
    await sdk.metrics({ [feature]: { yes: 8, no: 0 } }, { at: late.at, appName: 'till' });
    await sdk.metrics({ [feature]: { yes: 16, no: 0 } }, { at: late.at, token: production });
    const stored = (await usageOfFeature(app, feature)).map(
      ({ environment, appName, timestamp, yes }) => [timestamp, environment, appName, yes],
    );
    expect(stored).toEqual([
      [late.hour, 'development', 'shop', 6],
      [late.hour, 'development', 'till', 8],
      [late.hour, 'production', 'shop', 16],
      [early.hour, 'development', 'shop', 1],
    ]);
    expect(yesOf(await usageOfFeature(app, feature, 20))).toBe(30);
  });

  test('are returned as far back as they are stored, even for years', async () => {
    const feature = await newFeature('long-kept');
    const years = await appOn(app, { clock: () => now, config: { metricsRetentionDays: 3650 } });
    const old = hourBefore(80_000);
    await programs(years).metrics({ [feature]: { yes: 1, no: 0 } }, { at: old.at });
    expect(await usageOfFeature(years, feature, 79_999)).toEqual([]);
    expect(await usageOfFeature(years, feature, 87_600)).toMatchObject([{ timestamp: old.hour }]);
  });

  test('count at the time of arrival if their timestamp is implausible', async () => {
    const feature = await newFeature('wrong-clock');
    for (const at of ['1970-01-01T00:00:00Z', hourBefore(-3).at, 0, 9e15, hourBefore(24 * 31).at]) {
      await sdk.metrics({ [feature]: { yes: 1, no: 0 } }, { at });
    }
    expect(await usageOfFeature(app, feature, 720)).toMatchObject([
      { timestamp: hourBefore(0).hour, yes: 5 },
    ]);
  });

  test('may omit counts and contain unknown properties', async () => {
    const feature = await newFeature('sparse');
    const at = new Date().toISOString();
    for (const payload of [
      { appName: 'sparse', bucket: { start: at, stop: at, toggles: { [feature]: { yes: 1 } } } },
      { appName: 'sparse', bucket: { start: at, stop: at, toggles: {} }, impactMetrics: [{}] },
      { appName: 'sparse', bucket: null, yggdrasilVersion: null, specVersion: '5.2.0' },
      { appName: 'sparse', impactMetrics: [] },
    ]) {
      expect((await sdk.post('metrics', payload)).statusCode).toBe(202);
    }
    expect(await usageOfFeature(app, feature)).toMatchObject([{ yes: 1, no: 0, variants: {} }]);
  });

  test('record no events for a known application', async () => {
    await newFeature('quiet');
    await sdk.metrics({ quiet: { yes: 1, no: 1 } });
    await usageOfFeature(app, 'quiet');
    const before = await countEvents(app.db);
    await sdk.metrics({ quiet: { yes: 1, no: 1 }, unheard: { yes: 1, no: 1 } });
    await sdk.register({ sdkVersion: 'unleash-client-node:6.0.0' });
    expect(yesOf(await usageOfFeature(app, 'quiet'))).toBe(2);
    expect(await countEvents(app.db)).toBe(before);
  });
});

describe('a token reports only usage within its access', () => {
  test('in its own environment, regardless of the body', async () => {
    const feature = await newFeature('own-environment');
    await sdk.metrics({ [feature]: { yes: 1, no: 0 } }, { environment: 'production' });
    expect(await usageOfFeature(app, feature)).toMatchObject([{ environment: 'development' }]);
  });

  test('in its own projects: features of others are not counted, marked as seen or listed as unknown', async () => {
    const feature = await newFeature('not-reached');
    const counts = { yes: 1, no: 0 };
    await sdk.metrics({ [feature]: counts, elsewhere: counts }, { token: forOther });
    expect(await usageOfFeature(app, feature)).toEqual([]);
    expect(yesOf(await usageOfFeature(app, 'elsewhere'))).toBe(1);
    const seen = (await app.ask(`GET /api/admin/projects/default/features/${feature}`)).json();
    expect(seen.lastSeenAt).toBeNull();
    const { unknownFlags } = (await app.ask('GET /api/admin/metrics/unknown-flags')).json();
    expect(unknownFlags.map(({ name }: { name: string }) => name)).not.toContain(feature);
  });

  test('in the environment that an admin token names, or in development', async () => {
    const feature = await newFeature('by-admin');
    for (const environment of ['production', undefined, 'nosuch']) {
      await sdk.metrics(
        { [feature]: { yes: 1, no: 0 } },
        { token: adminToken, ...(environment !== undefined && { environment }) },
      );
    }
    const stored = (await usageOfFeature(app, feature)).map(({ environment }) => environment);
    expect(stored).toEqual(['development', 'production']);
  });

  test('if it is a client or admin token; others are rejected', async () => {
    const { token } = await person(app, { rootRole: 1 });
    for (const path of ['register', 'metrics', 'metrics/bulk']) {
      const payload = { appName: 'shop', applications: [], metrics: [] };
      for (const wrong of [frontendToken, token]) {
        const response = await sdk.post(path, payload, wrong);
        expect([response.statusCode, response.json().name]).toEqual([403, 'NoAccessError']);
        expect(response.json().message).toContain('CLIENT');
      }
      expect((await sdk.post(path, payload, '*:development.unknown')).statusCode).toBe(401);
    }
  });

  test('even during maintenance', async () => {
    const feature = await newFeature('in-maintenance');
    await app.ask('POST /api/admin/maintenance', { payload: { enabled: true } });
    const response = await sdk.metrics({ [feature]: { yes: 1, no: 0 } });
    await app.ask('POST /api/admin/maintenance', { payload: { enabled: false } });
    expect(response.statusCode).toBe(202);
    expect(yesOf(await usageOfFeature(app, feature))).toBe(1);
  });
});

describe('a bulk report of a proxy', () => {
  test('stores applications and hourly counts, except those of other environments', async () => {
    const feature = await newFeature('by-proxy');
    const { at, hour } = hourBefore(1);
    const counted = { featureName: feature, appName: 'behind', timestamp: at, yes: 2, no: 3 };
    const response = await sdk.post('metrics/bulk', {
      applications: [
        { appName: 'behind', instanceId: 'a', environment: 'development', connectVia: [{}] },
        { appName: 'hidden-behind', instanceId: 'b', environment: 'production' },
      ],
      metrics: [
        { ...counted, environment: 'development', variants: { red: 2 } },
        { ...counted, yes: 5 },
        { ...counted, environment: 'production' },
      ],
    });
    expect([response.statusCode, response.body]).toEqual([202, '']);
    expect(await usageOfFeature(app, feature)).toMatchObject([
      { appName: 'behind', timestamp: hour, yes: 7, no: 6, variants: { red: 2 } },
    ]);
    const one = (await app.ask('GET /api/admin/metrics/applications/behind')).json();
    expect(one.instances).toMatchObject([{ instanceId: 'a', environment: 'development' }]);
    const absent = await app.ask('GET /api/admin/metrics/applications/hidden-behind');
    expect(absent.statusCode).toBe(404);
  });

  test('counts in the current hour if it has no timestamp', async () => {
    const feature = await newFeature('untimed');
    const { hour } = hourBefore(0);
    const metrics = [{ featureName: feature, appName: 'behind', yes: 4 }];
    expect((await sdk.post('metrics/bulk', { metrics })).statusCode).toBe(202);
    expect(await usageOfFeature(app, feature)).toMatchObject([{ timestamp: hour, yes: 4, no: 0 }]);
  });

  test('may be empty', async () => {
    expect((await sdk.post('metrics/bulk', {})).statusCode).toBe(202);
  });
});

describe('an invalid request is rejected with all validation errors', () => {
  const at = '2026-01-01T00:00:00Z';
  const bucket = (toggles: object) => ({ start: at, stop: at, toggles });
  const many = Object.fromEntries(Array.from({ length: 10_001 }, (_, n) => [`f${n}`, {}]));

  test.each<[string, object, string[]]>([
    ['metrics', {}, ['/body/appName']],
    ['metrics', { appName: '', bucket: 7 }, ['/body/appName', '/body/bucket']],
    ['metrics', { appName: 'x'.repeat(256) }, ['/body/appName']],
    [
      'metrics',
      { appName: 'a', bucket: {} },
      ['start', 'stop', 'toggles'].map((key) => `/body/bucket/${key}`),
    ],
    [
      'metrics',
      { appName: 'a', bucket: { start: 'never', stop: '', toggles: {} } },
      ['/body/bucket/start', '/body/bucket/stop'],
    ],
    [
      'metrics',
      { appName: 'a', bucket: bucket({ f: { yes: -1, no: '2' } }) },
      ['/body/bucket/toggles/f/yes', '/body/bucket/toggles/f/no'],
    ],
    [
      'metrics',
      { appName: 'a', bucket: bucket({ f: { yes: 1.5, variants: { v: true } } }) },
      ['/body/bucket/toggles/f/yes', '/body/bucket/toggles/f/variants/v'],
    ],
    [
      'metrics',
      { appName: 'a', bucket: bucket({ f: { yes: 1e13 } }) },
      ['/body/bucket/toggles/f/yes'],
    ],
    ['metrics', { appName: 'a', bucket: bucket(many) }, ['/body/bucket/toggles']],
    ['metrics', { appName: 'a\0' }, ['/body/appName']],
    [
      'register',
      { instanceId: 7, strategies: 'all' },
      ['/body/appName', '/body/instanceId', '/body/strategies'],
    ],
    [
      'register',
      { appName: 'a', strategies: [1], started: {} },
      ['/body/strategies/0', '/body/started'],
    ],
    [
      'metrics/bulk',
      { applications: [{}], metrics: [{ featureName: 'f', appName: 'a', timestamp: 'x' }] },
      ['/body/applications/0/appName', '/body/metrics/0/timestamp'],
    ],
    [
      'metrics/bulk',
      { metrics: [{ appName: 'a', yes: 1, timestamp: {} }] },
      ['/body/metrics/0/featureName', '/body/metrics/0/timestamp'],
    ],
  ])('to %s with %o', async (path, payload, paths) => {
    const response = await sdk.post(path, payload);
    expect([response.statusCode, response.json().name]).toEqual([400, 'BadDataError']);
    expect(pathsOf(response).sort()).toEqual([...paths].sort());
  });

  test('and nothing in it is counted', async () => {
    const feature = await newFeature('not-counted');
    await sdk.post('metrics', {
      appName: 'shop',
      bucket: bucket({ [feature]: { yes: 1 }, f: 1 }),
    });
    expect(await usageOfFeature(app, feature)).toEqual([]);
  });

  test.each(['0', '87601', '100000', '-1', '1.5', 'abc', '1&hoursBack=2'])(
    'hoursBack=%s',
    async (hoursBack) => {
      const path = `/api/admin/client-metrics/features/elsewhere/raw?hoursBack=${hoursBack}`;
      const response = await app.ask(`GET ${path}`);
      expect([response.statusCode, pathsOf(response)]).toEqual([400, ['/query/hoursBack']]);
    },
  );

  test('or with 404 for an unknown feature', async () => {
    for (const path of ['nosuch', 'nosuch/raw']) {
      const response = await app.ask(`GET /api/admin/client-metrics/features/${path}`);
      expect([response.statusCode, response.json().name]).toEqual([404, 'NotFoundError']);
    }
  });
});
