import { describe, expect, test } from 'vitest';
import { type Context, compile, type Definition, type Explanation } from './index.ts';

type Feature = Definition['features'][number];

const explainFeature = (
  feature: Partial<Feature>,
  context: Context = {},
  others: Partial<Definition> = {},
): Explanation =>
  compile(
    {
      features: [{ name: 'f', enabled: true, ...feature }, ...(others.features ?? [])],
      segments: others.segments,
    },
    { now: () => new Date('2026-01-01T00:00:00Z'), chance: () => 0.42 },
  ).explain('f', context);

describe('an explanation', () => {
  test('contains the result of each constraint, even after one that failed', () => {
    const constraints = [
      { contextName: 'plan', operator: 'IN', values: ['gold'] },
      { contextName: 'userId', operator: 'STR_STARTS_WITH', values: ['a'] },
      { contextName: 'userId', operator: 'SOUNDS_LIKE', values: ['a'] },
    ];
    const { strategies, reason, result } = explainFeature(
      { strategies: [{ id: 's1', name: 'default', title: 'Gold', constraints }] },
      { userId: 'ann' },
    );
    expect(strategies).toEqual([
      {
        id: 's1',
        name: 'default',
        title: 'Gold',
        disabled: false,
        constraints: [
          { constraint: constraints[0], sound: true, result: false },
          { constraint: constraints[1], actual: 'ann', sound: true, result: true },
          { constraint: constraints[2], actual: 'ann', sound: false, result: false },
        ],
        segments: [],
        condition: { kind: 'everybody', result: true },
        result: false,
      },
    ]);
    expect({ reason, result }).toEqual({ reason: 'no-strategy-holds', result: false });
  });

  test('contains failed and missing segments', () => {
    const constraint = { contextName: 'plan', operator: 'IN', values: ['gold'] };
    const { strategies } = explainFeature(
      { strategies: [{ name: 'default', segments: [1, 2] }] },
      { properties: { plan: 'tin' } },
      { segments: [{ id: 1, name: 'Gold', constraints: [constraint] }] },
    );
    expect(strategies[0]?.segments).toEqual([
      {
        id: 1,
        name: 'Gold',
        exists: true,
        constraints: [{ constraint, actual: 'tin', sound: true, result: false }],
        result: false,
      },
      { id: 2, exists: false, constraints: [], result: false },
    ]);
  });

  test('contains the bucket of a rollout and the field it depends on', () => {
    const parameters = { rollout: '55', stickiness: 'default', groupId: 'g' };
    const strategies = [{ name: 'flexibleRollout', parameters }];
    const common = { kind: 'rollout', percentage: 55, group: 'g', stickiness: 'default' };

    const known = explainFeature({ strategies }, { sessionId: '25' }).strategies[0]?.condition;
    expect(known).toMatchObject({ ...common, field: 'sessionId', value: '25', byChance: false });
    // The bucket is the first percentage of the rollout that contains the context.
    const { bucket = 0 } = known as { bucket?: number };
    for (const [rollout, expected] of [
      [bucket - 1, false],
      [bucket, true],
    ] as const) {
      const strategy = { name: 'flexibleRollout', parameters: { ...parameters, rollout } };
      const { evaluation } = explainFeature({ strategies: [strategy] }, { sessionId: '25' });
      expect(evaluation.enabled).toBe(expected);
    }

    const byChance = explainFeature({ strategies }).strategies[0]?.condition;
    expect(byChance).toEqual({ ...common, bucket: 43, byChance: true, result: true });

    const sticky = { ...parameters, stickiness: 'userId' };
    const nowhere = explainFeature({
      strategies: [{ name: 'flexibleRollout', parameters: sticky }],
    });
    expect(nowhere.strategies[0]?.condition).toEqual({
      ...common,
      stickiness: 'userId',
      byChance: false,
      result: false,
    });
  });

  test('contains the result of user and address lists', () => {
    const { strategies } = explainFeature(
      {
        strategies: [
          { name: 'userWithId', parameters: { userIds: 'ann, bob' } },
          { name: 'remoteAddress', parameters: { IPs: '10.0.0.0/8' } },
        ],
      },
      { userId: 'bob' },
    );
    expect(strategies.map(({ condition }) => condition)).toEqual([
      { kind: 'users', userIds: ['ann', 'bob'], userId: 'bob', result: true },
      { kind: 'addresses', addresses: ['10.0.0.0/8'], result: false },
    ]);
  });

  test('contains a disabled strategy, which does not count', () => {
    const { strategies, evaluation } = explainFeature({
      strategies: [{ name: 'default', disabled: true }],
    });
    expect(strategies[0]).toMatchObject({
      disabled: true,
      result: false,
      condition: { result: true },
    });
    expect(evaluation.enabled).toBe(false);
  });

  test.each([
    ['ourOwnType', 'custom'],
    ['applicationHostname', 'hosts'],
  ])('has the result unknown for the strategy %s', (name, kind) => {
    const never = [{ contextName: 'userId', operator: 'IN', values: [] }];
    const alone = explainFeature({ strategies: [{ name }, { name, constraints: never }] });
    expect(alone.strategies.map(({ result }) => result)).toEqual(['unknown', false]);
    expect(alone.strategies[0]?.condition).toEqual({ kind, result: 'unknown' });
    expect(alone).toMatchObject({ result: 'unknown', evaluation: { enabled: false } });

    const beside = explainFeature({ strategies: [{ name }, { name: 'default' }] });
    expect(beside).toMatchObject({ result: true, evaluation: { enabled: true } });
    expect(explainFeature({ enabled: false, strategies: [{ name }] }).result).toBe(false);
  });

  test('contains the variant with its strategy and bucket', () => {
    const variants = [
      { name: 'a', weight: 400, stickiness: 'random' },
      { name: 'b', weight: 600, stickiness: 'random' },
    ];
    const { variant } = explainFeature({
      strategies: [
        { name: 'default', disabled: true, variants },
        { name: 'default', parameters: { groupId: 'g' }, variants },
      ],
    });
    expect(variant).toEqual({
      strategy: 1,
      variant: 'b',
      at: 1,
      stickiness: 'random',
      group: 'g',
      totalWeight: 1000,
      bucket: 421,
      from: 401,
      to: 1000,
      byChance: true,
    });

    const overrides = [{ contextName: 'userId', values: ['ann'] }];
    const chosen = { name: 'chosen', weight: 0, overrides };
    expect(explainFeature({ variants: [...variants, chosen] }, { userId: 'ann' }).variant).toEqual({
      variant: 'chosen',
      at: 2,
      stickiness: 'random',
      group: 'f',
      totalWeight: 1000,
      override: { contextName: 'userId', value: 'ann' },
      byChance: false,
    });
  });

  test('contains whether each parent has the required state', () => {
    const red = [{ name: 'red', weight: 1 }];
    const features = [
      { name: 'on', enabled: true, variants: red },
      { name: 'off', enabled: false },
      { name: 'child', enabled: true, dependencies: [{ feature: 'on' }] },
      { name: 'custom', enabled: true, strategies: [{ name: 'ourOwnType' }] },
    ];
    const dependencies = [
      { feature: 'on' },
      { feature: 'on', variants: ['red', 'blue'] },
      { feature: 'on', variants: ['blue'] },
      { feature: 'on', enabled: false },
      { feature: 'off' },
      { feature: 'off', enabled: false, variants: ['blue'] },
      { feature: 'child' },
      { feature: 'nowhere', enabled: false },
      { feature: 'custom' },
    ];
    const explained = explainFeature({ dependencies }, {}, { features });
    expect(explained.parents.map(({ reason, result }) => [reason, result])).toEqual([
      ['as-wanted', true],
      ['as-wanted', true],
      ['other-variant', false],
      ['other-state', false],
      ['other-state', false],
      ['as-wanted', true],
      ['has-parents', false],
      ['missing', false],
      ['other-state', 'unknown'],
    ]);
    expect(explained.parents[2]).toEqual({
      feature: 'on',
      wanted: { enabled: true, variants: ['blue'] },
      actual: { enabled: true, variant: 'red' },
      reason: 'other-variant',
      result: false,
    });
    expect(explained).toMatchObject({ reason: 'parents', evaluation: { enabled: false } });

    const onlyCustom = explainFeature({ dependencies: [{ feature: 'custom' }] }, {}, { features });
    expect(onlyCustom).toMatchObject({ result: 'unknown', reason: 'parents' });
  });

  test.each([
    [{ enabled: false }, 'off', false],
    [{ enabled: false, dependencies: [{ feature: 'nowhere' }] }, 'off', false],
    [{ strategies: [] }, 'no-strategies', true],
    [{ strategies: [{ name: 'default' }] }, 'strategy-holds', true],
  ])('for %j has the reason %s', (feature, reason, result) => {
    expect(explainFeature(feature)).toMatchObject({ reason, result });
  });

  test('has the reason missing for an unknown feature', () => {
    expect(compile({ features: [] }).explain('f', {})).toMatchObject({
      reason: 'missing',
      result: false,
      evaluation: { name: 'f', enabled: false },
    });
  });
});
