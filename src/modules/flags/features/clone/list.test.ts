import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../../test/support/app.ts';
import { limitedApp } from '../../../../../test/support/limited-app.ts';
import { make } from '../../../../../test/support/make.ts';
import { countEvents, recordedBy } from '../../../../../test/support/recorded.ts';

const admin = '/api/admin';
let server: TestApp;

beforeAll(async () => {
  server = await testApp();
  const create = make(server.ask);
  await create.project('shop', { environments: ['production'] });
  await create.feature('parent');
  await create.feature('child', { tags: [{ type: 'simple', value: 'beta' }] });
  await create.strategy(
    'child',
    { parameters: { rollout: '5', groupId: 'child' } },
    { environment: 'production' },
  );
  await create.dependency('child', 'parent');
});

const cloneAll = (payload: object, { project = 'default', query = '', app = server } = {}) =>
  app.ask(`POST ${admin}/projects/${project}/features/clone${query}`, { payload });

const pair = (suffix: string) => [
  { feature: 'child', name: `child-${suffix}` },
  { feature: 'parent', name: `parent-${suffix}` },
];

describe('cloning a list of features', () => {
  test('returns the copies in the order of the list', async () => {
    const response = await cloneAll({ features: pair('1') });
    expect(response.statusCode, response.body).toBe(200);
    const { features } = response.json();
    expect(features.map(({ name }: { name: string }) => name)).toEqual(['child-1', 'parent-1']);
    expect(features[0].environments[1].strategies[0].parameters.groupId).toBe('child-1');
    expect(features[0].dependencies).toEqual([{ feature: 'parent', enabled: true, variants: [] }]);
    expect((await recordedBy(server.db, response)).map(({ type }) => type).sort()).toEqual([
      'feature-created',
      'feature-created',
      'feature-dependency-added',
      'feature-strategy-add',
      'feature-tagged',
    ]);
  });

  test('makes copies in another project depend on the copies of their parents', async () => {
    const { features } = (await cloneAll({ features: pair('2') }, { project: 'shop' })).json();
    expect(features[0].dependencies).toMatchObject([{ feature: 'parent-2' }]);
    expect(features[1].children).toEqual(['child-2']);
    expect(features[0]).not.toHaveProperty('notCopied');
  });

  test('can copy one feature several times', async () => {
    const features = ['a', 'b', 'c'].map((name) => ({ feature: 'child', name }));
    expect((await cloneAll({ features })).json().features).toHaveLength(3);
  });

  test('creates nothing if one name is in use', async () => {
    const events = await countEvents(server.db);
    const features = [...pair('3'), { feature: 'child', name: 'parent' }];
    const response = await cloneAll({ features });
    expect([response.statusCode, response.json().name]).toEqual([409, 'NameExistsError']);
    expect(response.json().message).toContain("'parent'");
    expect((await server.ask(`GET ${admin}/projects/default/features/child-3`)).statusCode).toBe(
      404,
    );
    expect(await countEvents(server.db)).toBe(events);
  });

  test('reports every unknown source feature', async () => {
    const features = [
      { feature: 'nobody', name: 'n1' },
      ...pair('4'),
      { feature: 'no-one', name: 'n2' },
    ];
    const response = await cloneAll({ features });
    expect(response.statusCode).toBe(400);
    expect(response.json().details.map(({ path }: { path: string }) => path)).toEqual([
      '/body/features/0/feature',
      '/body/features/3/feature',
    ]);
  });

  test.each([
    [{}, '/body/features'],
    [{ features: [] }, '/body/features'],
    [{ features: [{ feature: 'child' }] }, '/body/features/0/name'],
    [{ features: [{ feature: 'child', name: 'a b' }] }, '/body/features/0/name'],
    [
      {
        features: [
          { feature: 'child', name: 'x' },
          { feature: 'child', name: 'x' },
        ],
      },
      '/body/features/1/name',
    ],
    [{ features: [{ feature: 'child', name: 'x' }], project: 'shop' }, '/body/project'],
    [
      { features: Array.from({ length: 501 }, (_, i) => ({ feature: 'child', name: `x${i}` })) },
      '/body/features',
    ],
  ])('returns 400 for %j', async (payload, path) => {
    const response = await cloneAll(payload);
    expect(response.statusCode).toBe(400);
    expect(response.json().details[0].path).toBe(path);
  });

  test('counts all copies against the limit of the project', async () => {
    await make(server.ask).project('small', { featureLimit: 1 });
    const response = await cloneAll({ features: pair('5') }, { project: 'small' });
    expect([response.statusCode, response.json().name]).toEqual([403, 'InvalidOperationError']);
    const one = await cloneAll({ features: pair('5').slice(1) }, { project: 'small' });
    expect(one.statusCode, one.body).toBe(200);
  });

  test('requires permission in every environment that receives something', async () => {
    const lacking = limitedApp(server, {
      may: (permission) => permission !== 'CREATE_FEATURE_STRATEGY',
    });
    const response = await cloneAll({ features: pair('6') }, { app: lacking });
    expect([response.statusCode, response.json().name]).toEqual([403, 'NoAccessError']);
  });

  test('creates nothing in a dry run', async () => {
    const events = await countEvents(server.db);
    const dry = await cloneAll({ features: pair('7') }, { query: '?dryRun=true' });
    expect(dry.json().features.map(({ name }: { name: string }) => name)).toEqual([
      'child-7',
      'parent-7',
    ]);
    expect(await countEvents(server.db)).toBe(events);
    expect((await cloneAll({ features: pair('7') })).statusCode).toBe(200);
  });

  test('copies many features in one request', async () => {
    const features = Array.from({ length: 60 }, (_, index) => ({
      feature: 'child',
      name: `many-${index}`,
    }));
    const response = await cloneAll({ features });
    expect(response.statusCode).toBe(200);
    expect(response.json().features).toHaveLength(60);
    // Each copy has a creation, a tag, a strategy and a parent.
    expect(await recordedBy(server.db, response)).toHaveLength(240);
  });
});
