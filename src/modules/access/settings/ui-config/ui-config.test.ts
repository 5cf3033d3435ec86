import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../../test/support/app.ts';
import { customRole, person } from '../../../../../test/support/people.ts';
import { countEvents, recordedBy } from '../../../../../test/support/recorded.ts';
import { logIn, newcomer } from '../../../../../test/support/visitor.ts';
import { apiVersion, version } from '../../../../platform/version.ts';
import {
  maxConstraints,
  maxConstraintValues,
  maxSegmentValues,
} from '../../../catalogue/context-fields/constraint-schema.ts';
import { maxEnvironments } from '../../../catalogue/environments/service.ts';
import { maxProjects } from '../../../catalogue/projects/limits.ts';
import { maxSegments } from '../../../catalogue/segments/service.ts';
import { setStrategyShape } from '../../../catalogue/strategy-types/strategy-schema.ts';
import { maxFeatures } from '../../../flags/features/limits.ts';
import { maxStrategies } from '../../../flags/features/strategies/add/contract.ts';
import { maxApiTokens } from '../index.ts';
import { frontendOrigins } from '../service.ts';
import { resourceLimits } from './service.ts';

const uiConfig = '/api/admin/ui-config';

let app: TestApp;
beforeAll(async () => {
  app = await testApp({ config: { baseUrl: 'https://flags.example.com' } });
});

const setOrigins = (frontendApiOrigins: unknown) =>
  app.ask(`POST ${uiConfig}/cors`, { payload: { frontendApiOrigins } as object });

test('the UI configuration is returned to a viewer', async () => {
  const viewer = await person(app);
  const response = await viewer.ask(`GET ${uiConfig}`);
  expect([response.statusCode, response.json()]).toEqual([
    200,
    {
      name: 'Burgee',
      slogan: expect.any(String),
      version: '6.8.0',
      burgeeVersion: version,
      environment: '',
      unleashUrl: 'https://flags.example.com',
      baseUriPath: '',
      versionInfo: {
        current: { oss: apiVersion, enterprise: apiVersion },
        latest: {},
        isLatest: true,
        instanceId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      },
      flags: { EEA: true, embedProxy: true, embedProxyFrontend: true },
      authenticationType: 'enterprise',
      disablePasswordAuth: false,
      emailEnabled: false,
      networkViewEnabled: false,
      maxSessionsCount: 0,
      maintenanceMode: false,
      frontendApiOrigins: ['*'],
      segmentValuesLimit: 7500,
      strategySegmentsLimit: 20,
      resourceLimits,
    },
  ]);
});

test('the instance id is stable, and maxSessionsCount is the largest number of sessions of one user', async () => {
  const read = async () => (await app.ask(`GET ${uiConfig}`)).json();
  const before = await read();
  const busy = await newcomer(app);
  for (const { username, password } of [busy, busy, await newcomer(app)]) {
    expect((await logIn(app, { username, password })).statusCode).toBe(200);
  }
  const after = await read();
  expect(after.versionInfo.instanceId).toBe(before.versionInfo.instanceId);
  expect(after.maxSessionsCount).toBe(2);
});

test('resourceLimits contains the enforced limits', () => {
  const limitOf = (schema: unknown) => (schema as { maxItems: number }).maxItems;
  expect(resourceLimits).toEqual({
    segmentValues: maxSegmentValues,
    strategySegments: limitOf(setStrategyShape.segments),
    constraintValues: maxConstraintValues,
    constraints: maxConstraints,
    featureEnvironmentStrategies: maxStrategies,
    featureFlags: maxFeatures,
    segments: maxSegments,
    apiTokens: maxApiTokens,
    environments: maxEnvironments,
    projects: maxProjects,
    // Burgee has neither signals nor actions.
    signalEndpoints: 0,
    signalTokensPerEndpoint: 0,
    actionSetActions: 0,
    actionSetsPerProject: 0,
    actionSetFilters: 0,
    actionSetFilterValues: 0,
  });
});

describe('the allowed origins of the frontend API', () => {
  test('are all by default, and are normalized when set', async () => {
    expect(await frontendOrigins(app.db)).toEqual(['*']);
    expect((await setOrigins(['https://Shop.example.com:443', 'http://localhost:3000'])).body).toBe(
      '',
    );
    const named = ['https://shop.example.com', 'http://localhost:3000'];
    expect(await frontendOrigins(app.db)).toEqual(named);
    expect((await app.ask(`GET ${uiConfig}`)).json().frontendApiOrigins).toEqual(named);
  });

  test('can be none, all, IPv6 addresses and app schemes; duplicates are removed', async () => {
    for (const [sent, kept] of [
      [[], []],
      [['*'], ['*']],
      [
        ['https://a.example', 'https://A.example', '*'],
        ['https://a.example', '*'],
      ],
      [
        ['http://[::1]:8080', 'capacitor://localhost'],
        ['http://[::1]:8080', 'capacitor://localhost'],
      ],
    ]) {
      expect((await setOrigins(sent)).statusCode).toBe(204);
      expect(await frontendOrigins(app.db)).toEqual(kept);
    }
  });

  test('record an event only when they change', async () => {
    await setOrigins(['https://one.example']);
    expect(await recordedBy(app.db, await setOrigins(['https://two.example']))).toMatchObject([
      {
        type: 'setting-updated',
        data: { id: 'unleash.frontend', frontendApiOrigins: ['https://two.example'] },
        preData: { frontendApiOrigins: ['https://one.example'] },
      },
    ]);
    expect(await recordedBy(app.db, await setOrigins(['https://two.example']))).toEqual([]);
  });

  test('can be set through the older route', async () => {
    const response = await app.ask(`POST ${uiConfig}`, {
      payload: { frontendSettings: { frontendApiOrigins: ['https://old.example'] } },
    });
    expect([response.statusCode, response.body]).toEqual([204, '']);
    expect(await frontendOrigins(app.db)).toEqual(['https://old.example']);
    const wrong = await app.ask(`POST ${uiConfig}`, {
      payload: { frontendSettings: { frontendApiOrigins: ['nonsense'] } },
    });
    expect(wrong.json().details).toMatchObject([
      { path: '/body/frontendSettings/frontendApiOrigins/0' },
    ]);
  });

  test('report all invalid origins together', async () => {
    const wrong = [
      'https://a.example/',
      'https://a.example/path',
      'a.example',
      'https://',
      'https://ada@a.example',
      'https://a.example:70000',
      'https://*.example',
      '',
      ' *',
      'https://a.example?x',
      'http://[::zz]',
    ];
    const before = await countEvents(app.db);
    const response = await setOrigins(['https://good.example', ...wrong]);
    expect(response.statusCode).toBe(400);
    expect(response.json().details.map(({ path }: { path: string }) => path)).toEqual(
      wrong.map((_, index) => `/body/frontendApiOrigins/${index + 1}`),
    );
    for (const none of [undefined, 'https://a.example', [7], Array(201).fill('*')]) {
      expect((await setOrigins(none)).statusCode).toBe(400);
    }
    expect(await countEvents(app.db)).toBe(before);
  });

  test('can be set with UPDATE_CORS but not by an editor', async () => {
    const role = await customRole(app, 'root-custom', [{ name: 'UPDATE_CORS' }]);
    const keeper = await person(app, { rootRole: role });
    const payload = { frontendApiOrigins: ['https://keeper.example'] };
    expect((await keeper.ask(`POST ${uiConfig}/cors`, { payload })).statusCode).toBe(204);
    const editor = await person(app, { rootRole: 2 });
    const refused = await editor.ask(`POST ${uiConfig}/cors`, { payload });
    expect([refused.statusCode, refused.json().name]).toEqual([403, 'NoAccessError']);
  });
});
