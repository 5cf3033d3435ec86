import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../support/app.ts';
import { asSpecified } from '../support/as-specified.ts';
import { make } from '../support/make.ts';
import { featureEnvironmentPath, strategiesOn } from '../support/strategies.ts';

let app: TestApp;
let strategies: ReturnType<typeof strategiesOn>;
beforeAll(async () => {
  app = await testApp();
  strategies = strategiesOn(app);
});

const environmentOf = async (feature: string, environment = 'development') => {
  const response = await app.ask(`GET ${featureEnvironmentPath(feature, { environment })}`);
  expect(response.statusCode, response.body).toBe(200);
  return asSpecified(response.json());
};
const pathsOf = (response: { json: () => { details: { path: string }[] } }) =>
  response.json().details.map(({ path }) => path);

describe('2.7 FeatureEnvironment', () => {
  test('a new feature has all fields except those without a value', async () => {
    await strategies.feature('untouched');
    expect(await environmentOf('untouched')).toEqual({
      name: 'development',
      featureName: 'untouched',
      environment: 'development',
      type: 'development',
      enabled: false,
      sortOrder: 100,
      variantCount: 0,
      strategies: [],
      variants: [],
      hasStrategies: false,
      hasEnabledStrategies: false,
    });
  });

  test('type and sortOrder come from the environment', async () => {
    await strategies.feature('typed');
    expect(await environmentOf('typed', 'production')).toMatchObject({
      name: 'production',
      environment: 'production',
      type: 'production',
      sortOrder: 200,
    });
  });

  test('enabled is true only in the environment where the feature is enabled', async () => {
    await strategies.feature('switched');
    await strategies.turn('switched', 'on');
    expect(await environmentOf('switched')).toMatchObject({ enabled: true });
    expect(await environmentOf('switched', 'production')).toMatchObject({ enabled: false });
    await strategies.turn('switched', 'off');
    expect(await environmentOf('switched')).toMatchObject({ enabled: false });
  });

  test('strategies belong to the environment and keep their order', async () => {
    await strategies.feature('listing');
    const second = await strategies.added('listing', { sortOrder: 2 });
    const first = await strategies.added('listing', { sortOrder: 1 });
    await strategies.added('listing', {}, { environment: 'production' });
    expect((await environmentOf('listing')).strategies).toEqual(asSpecified([first, second]));
  });

  test('hasStrategies and hasEnabledStrategies distinguish disabled strategies from none', async () => {
    await strategies.feature('having');
    const { id } = await strategies.added('having', { disabled: true });
    expect(await environmentOf('having')).toMatchObject({
      hasStrategies: true,
      hasEnabledStrategies: false,
    });
    await strategies.replace('having', id, { disabled: false });
    expect(await environmentOf('having')).toMatchObject({
      hasStrategies: true,
      hasEnabledStrategies: true,
    });
  });

  test('variants belong to the environment, and variantCount counts them', async () => {
    await strategies.feature('varied');
    const variant = { name: 'a', weight: 1000, weightType: 'variable', stickiness: 'default' };
    await make(app.ask).variants('varied', [variant]);
    expect(await environmentOf('varied')).toMatchObject({
      variantCount: 1,
      variants: [{ ...variant, overrides: [] }],
    });
    expect(await environmentOf('varied', 'production')).toMatchObject({ variantCount: 0 });
  });

  test('lastSeenAt appears once metrics were reported', async () => {
    await strategies.feature('seen');
    await strategies.turn('seen', 'on');
    const lastSeenAt = '2026-02-03T04:05:06.789Z';
    await app.db
      .updateTable('feature_environments')
      .set({ last_seen_at: new Date(lastSeenAt) })
      .where('feature_name', '=', 'seen')
      .execute();
    expect(await environmentOf('seen')).toMatchObject({ lastSeenAt });
    expect(await environmentOf('seen', 'production')).not.toHaveProperty('lastSeenAt');
  });

  test('the feature itself (2.6) contains the same environment', async () => {
    await strategies.feature('shown');
    await strategies.added('shown', { title: 'One' });
    await strategies.added('shown', { disabled: true });
    await strategies.turn('shown', 'on');
    const feature = (await app.ask('GET /api/admin/projects/default/features/shown')).json();
    expect(asSpecified(feature.environments)).toEqual([
      await environmentOf('shown'),
      await environmentOf('shown', 'production'),
    ]);
  });
});

describe('2.8 Strategy', () => {
  test('has id, name, title, disabled, featureName, sortOrder, segments, constraints, variants, parameters', async () => {
    await strategies.feature('complete');
    const { id: segment } = await make(app.ask).segment('complete-segment');
    const strategy = await strategies.added('complete', {
      title: 'Everything',
      disabled: true,
      sortOrder: 3,
      segments: [segment],
      constraints: [
        {
          contextName: 'country',
          operator: 'IN',
          caseInsensitive: true,
          inverted: true,
          values: ['no', 'se'],
        },
        { contextName: 'age', operator: 'NUM_GT', value: '17' },
      ],
      variants: [
        {
          name: 'blue',
          weight: 400,
          weightType: 'fix',
          stickiness: 'userId',
          payload: { type: 'json', value: '{}' },
        },
        { name: 'green', weight: 0, weightType: 'variable', stickiness: 'userId' },
      ],
      parameters: { rollout: '50', stickiness: 'userId', groupId: 'g' },
    });
    expect(strategy).toEqual({
      id: expect.any(String),
      name: 'flexibleRollout',
      title: 'Everything',
      disabled: true,
      featureName: 'complete',
      sortOrder: 3,
      segments: [segment],
      constraints: [
        {
          contextName: 'country',
          operator: 'IN',
          caseInsensitive: true,
          inverted: true,
          values: ['no', 'se'],
        },
        {
          contextName: 'age',
          operator: 'NUM_GT',
          caseInsensitive: false,
          inverted: false,
          values: [],
          value: '17',
        },
      ],
      variants: [
        {
          name: 'blue',
          weight: 400,
          weightType: 'fix',
          stickiness: 'userId',
          payload: { type: 'json', value: '{}' },
        },
        { name: 'green', weight: 600, weightType: 'variable', stickiness: 'userId' },
      ],
      parameters: { rollout: '50', stickiness: 'userId', groupId: 'g' },
    });
  });

  test('omits a title that is missing, null or empty', async () => {
    await strategies.feature('untitled');
    for (const more of [{}, { title: null }, { title: '' }]) {
      expect((await strategies.added('untitled', more)).title).toBeNull();
    }
  });

  test('gives every strategy its own id', async () => {
    await strategies.feature('identified');
    const first = await strategies.added('identified');
    const second = await strategies.added('identified');
    expect(first.id).not.toBe(second.id);
  });
});

describe('2.8 Constraint', () => {
  const text = 'x'.repeat(1000);
  const good: [string, object][] = [
    ['IN', { values: ['a', '', text] }],
    ['IN', { values: [] }],
    ['NOT_IN', { values: ['a'] }],
    ['NOT_IN', {}],
    ['STR_CONTAINS', { values: ['a', 'b'], caseInsensitive: true }],
    ['STR_STARTS_WITH', { values: ['a'] }],
    ['STR_ENDS_WITH', { values: ['a'], inverted: true }],
    ['NUM_EQ', { value: '1' }],
    ['NUM_GT', { value: '-1.5' }],
    ['NUM_GTE', { value: '1e3' }],
    ['NUM_LT', { value: '0' }],
    ['NUM_LTE', { value: '.5' }],
    ['DATE_AFTER', { value: '2026-01-31T12:00:00Z' }],
    ['DATE_BEFORE', { value: '2026-01-31T12:00:00.000+02:00' }],
    ['SEMVER_EQ', { value: '1.2.3' }],
    ['SEMVER_GT', { value: '1.2.3-beta.1' }],
    ['SEMVER_GTE', { value: '1.2.3' }],
    ['SEMVER_LT', { value: '2.0.0+build' }],
    ['SEMVER_LTE', { value: '2.0.0' }],
    ['IN_CIDR', { values: ['10.0.0.0/8', '::1'] }],
    ['REGEX', { value: '^[a-z]+$' }],
  ];
  const bad: [string, object, string][] = [
    ['IN', { values: 'a' }, '/values'],
    ['NOT_IN', { values: [1] }, '/values/0'],
    ['STR_CONTAINS', {}, '/values'],
    ['STR_STARTS_WITH', { values: [] }, '/values'],
    ['STR_ENDS_WITH', { values: ['a', ' '] }, '/values/1'],
    ['NUM_EQ', { value: 'one' }, '/value'],
    ['NUM_GT', {}, '/value'],
    ['NUM_GTE', { values: ['1'] }, '/value'],
    ['NUM_LT', { value: '0x10' }, '/value'],
    ['NUM_LTE', { value: 1 }, '/value'],
    ['DATE_AFTER', { value: '2026-02-30T12:00:00Z' }, '/value'],
    ['DATE_BEFORE', { value: 'tomorrow' }, '/value'],
    ['SEMVER_EQ', { value: '1.2' }, '/value'],
    ['SEMVER_GT', { value: 'v1.2.3' }, '/value'],
    ['SEMVER_GTE', { value: '1' }, '/value'],
    ['SEMVER_LT', {}, '/value'],
    ['SEMVER_LTE', { values: ['1.2.3'] }, '/value'],
    ['IN_CIDR', { value: '10.0.0.0/8' }, '/values'],
    ['IN_CIDR', { values: ['10.0.0.0/8', 'localhost'] }, '/values/1'],
    ['REGEX', { value: '(' }, '/value'],
    ['LIKE', { values: ['a'] }, '/operator'],
    ['in', { values: ['a'] }, '/operator'],
  ];

  beforeAll(async () => {
    await strategies.feature('constrained');
    await strategies.feature('ill-constrained');
  });

  test.each(good)('%s accepts %j', async (operator, more) => {
    const constraint = { contextName: 'field', operator, ...more };
    const strategy = await strategies.added('constrained', { constraints: [constraint] });
    const kept = { caseInsensitive: false, inverted: false, values: [], ...constraint };
    expect(strategy.constraints).toEqual([kept]);
    const listed = await strategies.list('constrained');
    expect(listed.find(({ id }) => id === strategy.id)?.constraints).toEqual([kept]);
    await strategies.remove('constrained', strategy.id);
  });

  test.each(bad)('%s rejects %j', async (operator, more, path) => {
    const fine = { contextName: 'field', operator: 'IN', values: [] };
    const constraints = [fine, { contextName: 'field', operator, ...more }];
    const response = await strategies.add('ill-constrained', { constraints });
    expect([response.statusCode, ...pathsOf(response)]).toEqual([
      400,
      `/body/constraints/1${path}`,
    ]);
    expect(await strategies.list('ill-constrained')).toEqual([]);
  });

  test('these tables cover every operator with valid and invalid values', async () => {
    const document = (await app.ask('GET /docs/openapi.json')).json();
    const path =
      '/api/admin/projects/{projectId}/features/{featureName}/environments/{environment}';
    const { schema } =
      document.paths[`${path}/strategies`].post.requestBody.content['application/json'];
    expect(schema.$ref).toBe('#/components/schemas/createFeatureStrategySchema');
    const { createFeatureStrategySchema, constraintSchema } = document.components.schemas;
    expect(createFeatureStrategySchema.properties.constraints.items.$ref).toBe(
      '#/components/schemas/constraintSchema',
    );
    const operators: string[] = constraintSchema.properties.operator.enum;
    expect(new Set(good.map(([operator]) => operator))).toEqual(new Set(operators));
    expect(new Set(bad.map(([operator]) => operator))).toEqual(
      new Set([...operators, 'LIKE', 'in']),
    );
  });

  test('omits value if it is not set', async () => {
    await strategies.feature('valueless');
    const constraints = [{ contextName: 'a', operator: 'IN', values: ['b'] }];
    const strategy = await strategies.added('valueless', { constraints });
    expect(strategy.constraints[0]).not.toHaveProperty('value');
  });
});

describe('2.8 StrategyVariant', () => {
  const variant = (name: string, weight: number, weightType: string, more: object = {}) => ({
    name,
    weight,
    weightType,
    stickiness: 'default',
    ...more,
  });

  beforeAll(() => strategies.feature('ill-weighted'));

  test('variable variants share the weight that fixed ones leave', async () => {
    await strategies.feature('weighted');
    const { variants } = await strategies.added('weighted', {
      variants: [
        variant('a', 1, 'variable'),
        variant('b', 400, 'fix'),
        variant('c', 1, 'variable'),
      ],
    });
    expect(variants.map(({ weight }) => weight)).toEqual([300, 400, 300]);
  });

  test.each([
    ['/body/variants/1/name', [variant('a', 1, 'variable'), variant('a', 1, 'variable')]],
    ['/body/variants', [variant('a', 600, 'fix'), variant('b', 600, 'fix')]],
    ['/body/variants', [variant('a', 600, 'fix')]],
    ['/body/variants/0/weight', [variant('a', 1001, 'fix')]],
    ['/body/variants/0/weight', [variant('a', 0.5, 'variable')]],
    ['/body/variants/0/weightType', [variant('a', 1, 'fixed')]],
    ['/body/variants/0/payload/value', [variant('a', 1, 'variable', { payload: { type: 'x' } })]],
    ['/body/variants/0/name', [variant('', 1, 'variable')]],
  ])('rejects invalid variants with 400 at %s', async (path, variants) => {
    const response = await strategies.add('ill-weighted', { variants });
    expect([response.statusCode, ...pathsOf(response)]).toEqual([400, path]);
  });
});
