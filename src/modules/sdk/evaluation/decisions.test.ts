import { describe, expect, test } from 'vitest';
import { type Context, compile, type Definition, type Evaluation } from './index.ts';

type Feature = Definition['features'][number];
type Strategy = NonNullable<Feature['strategies']>[number];

const evaluate = (feature: Partial<Feature>, context: Context = {}, chance = 0): Evaluation =>
  compile(
    { features: [{ name: 'f', enabled: true, ...feature }] },
    { chance: () => chance },
  ).evaluate('f', context);

const isOn = (strategy: Strategy, context: Context = {}, chance = 0) =>
  evaluate({ strategies: [strategy] }, context, chance).enabled;

const people = Array.from({ length: 20_000 }, (_, number) => `person-${number}`);
const shareOf = (holds: (userId: string) => boolean) =>
  people.filter((userId) => holds(userId)).length / people.length;

describe('strategies', () => {
  const off = { name: 'default', disabled: true };

  test('a feature without strategies is enabled for everyone', () => {
    expect(evaluate({ strategies: [] }).enabled).toBe(true);
    expect(evaluate({ strategies: null }).enabled).toBe(true);
  });

  test('a feature whose strategies are all disabled is disabled for everyone', () => {
    expect(evaluate({ strategies: [off, off] }).enabled).toBe(false);
    expect(evaluate({ strategies: [off, { name: 'default' }] }).enabled).toBe(true);
  });

  test('strategy types that only the application can evaluate do not enable a feature', () => {
    expect(isOn({ name: 'applicationHostname', parameters: { hostNames: 'localhost' } })).toBe(
      false,
    );
    expect(isOn({ name: 'ourOwnType' })).toBe(false);
    expect(evaluate({ strategies: [{ name: 'ourOwnType' }, { name: 'default' }] }).enabled).toBe(
      true,
    );
  });

  test.each([
    ['a', true],
    ['b c', true],
    ['b', false],
    ['', false],
    [undefined, false],
  ])('userWithId matches whole ids: %j is %j', (userId, expected) => {
    const parameters = { userIds: 'a, b c ,,' };
    expect(isOn({ name: 'userWithId', parameters }, { userId })).toBe(expected);
  });

  test.each([
    ['10.0.0.9', true],
    ['192.168.5.5', true],
    ['::ffff:192.168.5.5', true],
    ['2001:db8:1::1', true],
    ['192.169.0.0', false],
    ['2001:db9::1', false],
    ['somewhere', false],
    [undefined, false],
  ])('remoteAddress matches IPv4 and IPv6: %j is %j', (remoteAddress, expected) => {
    const parameters = { IPs: '10.0.0.9, 192.168.0.0/16, nonsense, 2001:db8::/32' };
    expect(isOn({ name: 'remoteAddress', parameters }, { remoteAddress })).toBe(expected);
  });

  test('a missing segment matches no one', () => {
    const features = [
      { name: 'f', enabled: true, strategies: [{ name: 'default', segments: [1] }] },
    ];
    expect(compile({ features }).evaluate('f', {}).enabled).toBe(false);
    const segments = [{ id: 1, constraints: [] }];
    expect(compile({ features, segments }).evaluate('f', {}).enabled).toBe(true);
  });
});

describe('rollouts', () => {
  const rollout = (parameters: Record<string, unknown>): Strategy => ({
    name: 'flexibleRollout',
    parameters,
  });

  test.each(['1', '10', '50', '99'])('%s percent include that share of users', (percentage) => {
    const evaluator = compile({
      features: [{ name: 'f', enabled: true, strategies: [rollout({ rollout: percentage })] }],
    });
    const share = shareOf((userId) => evaluator.evaluate('f', { userId }).enabled);
    expect(Math.abs(share - Number(percentage) / 100)).toBeLessThan(0.015);
  });

  test('increasing the percentage removes no user', () => {
    const steps = ['10', '20', '55', '100'].map((percentage) =>
      compile({
        features: [{ name: 'f', enabled: true, strategies: [rollout({ rollout: percentage })] }],
      }),
    );
    for (const userId of people.slice(0, 2000)) {
      const results = steps.map((evaluator) => evaluator.evaluate('f', { userId }).enabled);
      expect(results).toEqual([...results].sort());
    }
  });

  test('the group defaults to the feature name', () => {
    for (const userId of people.slice(0, 300)) {
      expect(isOn(rollout({ rollout: '50' }), { userId })).toBe(
        isOn(rollout({ rollout: '50', groupId: 'f' }), { userId }),
      );
    }
  });

  test('default stickiness uses the user, then the session, then chance', () => {
    const half = rollout({ rollout: '50', stickiness: 'default' });
    for (const id of people.slice(0, 300)) {
      const byUser = isOn(half, { userId: id, sessionId: 'x' });
      expect(isOn(half, { sessionId: id, userId: '' })).toBe(byUser);
    }
    expect(isOn(half, {}, 0.49)).toBe(true);
    expect(isOn(half, {}, 0.5)).toBe(false);
  });

  test.each([
    ['random', 0.29, true],
    ['random', 0.3, false],
  ])(
    'with %s stickiness, 30 percent include chance %f for any user: %s',
    (stickiness, chance, expected) => {
      const strategy = rollout({ rollout: '30', stickiness });
      expect(isOn(strategy, { userId: 'a' }, chance)).toBe(expected);
      const old = { name: 'gradualRolloutRandom', parameters: { percentage: '30' } };
      expect(isOn(old, { userId: 'a' }, chance)).toBe(expected);
    },
  );

  test('a missing stickiness field matches no one', () => {
    for (const stickiness of ['userId', 'sessionId', 'tenant']) {
      expect(isOn(rollout({ rollout: '100', stickiness }))).toBe(false);
    }
    expect(
      isOn(rollout({ rollout: '100', stickiness: 'tenant' }), { properties: { tenant: 7 } }),
    ).toBe(true);
    const byUser = { name: 'gradualRolloutUserId', parameters: { percentage: '100' } };
    expect(isOn(byUser, { sessionId: 'a' })).toBe(false);
    const bySession = { name: 'gradualRolloutSessionId', parameters: { percentage: '100' } };
    expect(isOn(bySession, { sessionId: 'a' })).toBe(true);
  });

  test.each([['0'], ['-5'], ['all'], [''], [null]])('%j percent match no one', (percentage) => {
    expect(isOn(rollout({ rollout: percentage }), { userId: 'a' })).toBe(false);
    expect(isOn(rollout({ rollout: percentage, stickiness: 'random' }))).toBe(false);
  });
});

describe('variants', () => {
  const variant = (name: string, weight: number, more: object = {}) => ({ name, weight, ...more });
  const nameOf = (feature: Partial<Feature>, context: Context = {}, chance = 0) =>
    evaluate(feature, context, chance).variant.name;

  test('are split between users by weight', () => {
    const variants = [variant('a', 500), variant('none', 0), variant('b', 300), variant('c', 200)];
    const evaluator = compile({ features: [{ name: 'f', enabled: true, variants }] });
    for (const { name, weight } of variants) {
      const share = shareOf((userId) => evaluator.evaluate('f', { userId }).variant.name === name);
      expect(Math.abs(share - weight / 1000)).toBeLessThan(0.015);
    }
  });

  test('are distributed independently of the rollout', () => {
    const evaluator = compile({
      features: [
        {
          name: 'f',
          enabled: true,
          strategies: [{ name: 'flexibleRollout', parameters: { rollout: '10' } }],
          variants: [variant('a', 500), variant('b', 500)],
        },
      ],
    });
    const enabled = people
      .map((userId) => evaluator.evaluate('f', { userId }))
      .filter((e) => e.enabled);
    const share =
      enabled.filter((evaluation) => evaluation.variant.name === 'a').length / enabled.length;
    expect(Math.abs(share - 0.5)).toBeLessThan(0.05);
  });

  test('of the matching strategy take precedence over those of the feature', () => {
    const feature = {
      strategies: [
        { name: 'userWithId', parameters: { userIds: 'ann' }, variants: [variant('ann', 1)] },
        { name: 'userWithId', parameters: { userIds: 'bob' }, variants: [variant('none', 0)] },
        { name: 'default' },
      ],
      variants: [variant('all', 1)],
    };
    expect(nameOf(feature, { userId: 'ann' })).toBe('ann');
    expect(nameOf(feature, { userId: 'bob' })).toBe('all');
    expect(nameOf(feature, { userId: 'cyd' })).toBe('all');
  });

  test('are assigned by overrides regardless of weight', () => {
    const overrides = [
      { contextName: 'plan', values: ['gold'] },
      { contextName: 'userId', values: ['7'] },
    ];
    const variants = [variant('all', 1000), variant('chosen', 0, { overrides })];
    expect(nameOf({ variants }, { userId: '7' })).toBe('chosen');
    expect(nameOf({ variants }, { properties: { plan: 'gold' } })).toBe('chosen');
    expect(nameOf({ variants }, { userId: '8' })).toBe('all');
  });

  test.each([
    ['random', { userId: 'a' }],
    ['tenant', { userId: 'a' }],
    ['default', {}],
  ])('with stickiness %s are random if the context lacks the field', (stickiness, ctx) => {
    const variants = [variant('a', 300, { stickiness }), variant('b', 700, { stickiness })];
    expect(nameOf({ variants }, ctx, 0.299)).toBe('a');
    expect(nameOf({ variants }, ctx, 0.3)).toBe('b');
    expect(nameOf({ variants }, ctx, 0.999)).toBe('b');
  });

  test('with default stickiness use the address without user and session', () => {
    const variants = [variant('a', 500), variant('b', 500)];
    for (const id of people.slice(0, 100)) {
      const byUser = nameOf({ variants }, { userId: id, sessionId: 'x', remoteAddress: 'y' });
      expect(nameOf({ variants }, { sessionId: id, remoteAddress: 'y' })).toBe(byUser);
      expect(nameOf({ variants }, { remoteAddress: id })).toBe(byUser);
    }
  });

  test('default to the disabled variant with feature_enabled if there are none', () => {
    const expected = { name: 'disabled', enabled: false, feature_enabled: true };
    expect(evaluate({}).variant).toEqual(expected);
    expect(evaluate({ variants: [variant('a', 0)] }).variant).toEqual(expected);
  });

  test('come with impressionData, even if the feature is disabled', () => {
    expect(evaluate({ impressionData: true })).toMatchObject({ impressionData: true });
    expect(evaluate({ impressionData: true, enabled: false })).toMatchObject({
      impressionData: true,
    });
    expect(evaluate({})).toMatchObject({ impressionData: false });
    expect(compile({ features: [] }).evaluate('f', {})).toEqual({
      name: 'f',
      enabled: false,
      variant: { name: 'disabled', enabled: false, feature_enabled: false },
      impressionData: false,
    });
  });
});
