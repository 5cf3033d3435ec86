import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../test/support/app.ts';
import { limitedApp } from '../../../../test/support/limited-app.ts';
import { make } from '../../../../test/support/make.ts';
import { maxFeatures } from './uses-schema.ts';

const admin = '/api/admin';
const nothing = {
  features: [],
  featureCount: 0,
  enabledFeatureCount: 0,
  projects: [],
  segments: [],
};

let app: TestApp;
let shopper: TestApp;
let segment: number;

const usesOf = async (path: string, reader = app) =>
  (await reader.ask(`GET ${admin}/${path}/uses`)).json();

const feature = (name: string, project: string, ...environments: [string, boolean][]) => ({
  name,
  project,
  archived: false,
  environments: environments.map(([environment, enabled]) => ({ name: environment, enabled })),
});

beforeAll(async () => {
  app = await testApp();
  shopper = limitedApp(app, { sees: new Set(['shop']) });
  const things = make(app.ask);
  await things.project('shop');
  await things.project('bank', { defaultStickiness: 'tenant' });
  for (const [path, payload] of [
    ['context', { name: 'tenant', stickiness: true }],
    ['context', { name: 'unused' }],
    ['strategies', { name: 'custom', parameters: [] }],
    ['tag-types', { name: 'team' }],
  ] as const) {
    expect((await app.ask(`POST ${admin}/${path}`, { payload })).statusCode).toBe(201);
  }
  const constraints = [{ contextName: 'tenant', operator: 'IN', values: ['1'] }];
  segment = (await things.segment('tenants', { constraints })).id;

  const tags = [{ type: 'team', value: 'red' }];
  await things.feature('basket', { project: 'shop', tags });
  for (const environment of ['development', 'production']) {
    await things.strategy(
      'basket',
      { segments: [segment], constraints },
      { project: 'shop', environment },
    );
  }
  await things.switchedOn('basket', { project: 'shop', environment: 'production' });
  await things.feature('vault', { project: 'bank', tags });
  await things.strategy(
    'vault',
    { segments: [segment], parameters: { rollout: '50', stickiness: 'tenant', groupId: 'vault' } },
    { project: 'bank' },
  );
  await things.strategy('vault', { name: 'custom' }, { project: 'bank' });
  await app.ask(`DELETE ${admin}/projects/bank/features/vault`);
  const path = `${admin}/projects/bank/environments/production/default-strategy`;
  const payload = { name: 'flexibleRollout', segments: [segment], constraints };
  expect((await app.ask(`POST ${path}`, { payload })).statusCode).toBe(200);
});

describe('the uses of an object', () => {
  const basket = () => feature('basket', 'shop', ['development', false], ['production', true]);
  const vault = (...environments: [string, boolean][]) => ({
    ...feature('vault', 'bank', ...environments),
    archived: true,
  });
  const bank = (...environments: string[]) => ({
    id: 'bank',
    name: 'bank',
    archived: false,
    environments,
  });

  test('of a segment include features with their environments, and default strategies', async () => {
    expect(await usesOf(`segments/${segment}`)).toEqual({
      features: [basket(), vault(['development', false])],
      featureCount: 2,
      enabledFeatureCount: 1,
      projects: [bank('production')],
      segments: [],
    });
  });

  test('of a context field include stickiness, segments and the default stickiness of projects', async () => {
    expect(await usesOf('context/tenant')).toEqual({
      features: [basket(), vault(['development', false])],
      featureCount: 2,
      enabledFeatureCount: 1,
      projects: [bank('production')],
      segments: [{ id: segment, name: 'tenants' }],
    });
    expect(await usesOf('context/unused')).toEqual(nothing);
  });

  test('of a strategy type, a tag type and an environment are features and projects', async () => {
    expect(await usesOf('strategies/custom')).toEqual({
      ...nothing,
      features: [vault(['development', false])],
      featureCount: 1,
    });
    expect(await usesOf('tag-types/team')).toEqual({
      ...nothing,
      features: [feature('basket', 'shop'), vault()],
      featureCount: 2,
      enabledFeatureCount: 1,
    });
    const { features, projects, enabledFeatureCount } = await usesOf('environments/production');
    expect(features).toEqual([feature('basket', 'shop')]);
    expect(enabledFeatureCount).toBe(1);
    expect(projects.map(({ id }: { id: string }) => id)).toEqual(['bank', 'default', 'shop']);
  });

  test('are listed and counted only in projects that the caller can see', async () => {
    const own = { ...nothing, features: [basket()], featureCount: 1, enabledFeatureCount: 1 };
    expect(await usesOf(`segments/${segment}`, shopper)).toEqual(own);
    expect(await usesOf('context/tenant', shopper)).toEqual({
      ...own,
      segments: [{ id: segment, name: 'tenants' }],
    });
    expect(await usesOf('strategies/custom', shopper)).toEqual(nothing);
    const numbers = async (reader: TestApp) => {
      const { strategies } = (await reader.ask(`GET ${admin}/strategies`)).json();
      const { tagTypes } = (await reader.ask(`GET ${admin}/tag-types`)).json();
      const { types } = (await reader.ask(`GET ${admin}/feature-types`)).json();
      const used = (list: { usedInFeatures: number }[], key: string, value: string) =>
        list.find((each) => (each as unknown as Record<string, unknown>)[key] === value)
          ?.usedInFeatures;
      return [
        used(strategies, 'name', 'custom'),
        used(tagTypes, 'name', 'team'),
        used(types, 'id', 'release'),
      ];
    };
    expect(await numbers(app)).toEqual([1, 2, 1]);
    expect(await numbers(shopper)).toEqual([0, 1, 1]);
  });

  test.each(['segments/999', 'context/no', 'strategies/no', 'tag-types/no', 'environments/no'])(
    'return 404 for %s',
    async (path) => {
      expect((await app.ask(`GET ${admin}/${path}/uses`)).statusCode).toBe(404);
    },
  );

  test('count enabled features beyond those that are listed, without archived ones', async () => {
    await app.ask(`POST ${admin}/strategies`, { payload: { name: 'crowded', parameters: [] } });
    // Those that are enabled are the last by name, and so not listed.
    const names = Array.from({ length: maxFeatures }, (_, index) => `crowd-${index}`);
    const enabled = ['enabled', 'enabled-and-archived'];
    const all = [...names, ...enabled];
    const data = {
      features: all.map((name) => ({ name, type: 'release' })),
      featureStrategies: all.map((featureName) => ({ featureName, name: 'crowded' })),
      featureEnvironments: enabled.map((featureName) => ({ featureName, enabled: true })),
    };
    const payload = { project: 'shop', environment: 'production', data };
    const imported = await app.ask(`POST ${admin}/features-batch/import`, { payload });
    expect(imported.statusCode).toBe(200);
    expect(await usesOf('strategies/crowded')).toMatchObject({ enabledFeatureCount: 2 });
    await app.ask(`DELETE ${admin}/projects/shop/features/enabled-and-archived`);
    const { features, ...counts } = await usesOf('strategies/crowded');
    expect(features.map(({ name }: { name: string }) => name).toSorted()).toEqual(names.toSorted());
    expect(counts).toMatchObject({ featureCount: maxFeatures + 2, enabledFeatureCount: 1 });
  });
});
