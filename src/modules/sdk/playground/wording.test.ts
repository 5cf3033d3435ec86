import { describe, expect, test } from 'vitest';
import { type Context, compile, type Definition } from '../evaluation/index.ts';
import { decisionWords, strategyWords } from './wording.ts';

type Feature = Definition['features'][number];
type Strategy = NonNullable<Feature['strategies']>[number];
type Constraint = NonNullable<Strategy['constraints']>[number];

const explained = (
  feature: Partial<Feature>,
  context: Context = {},
  rest: Partial<Definition> = {},
) =>
  compile(
    {
      features: [{ name: 'f', enabled: true, ...feature }, ...(rest.features ?? [])],
      segments: rest.segments,
    },
    { chance: () => 0.42 },
  ).explain('f', context);

const words = (strategy: Partial<Strategy>, context?: Context, rest?: Partial<Definition>) => {
  const { strategies } = explained(
    { strategies: [{ name: 'default', ...strategy }] },
    context,
    rest,
  );
  return strategyWords(strategies[0] as (typeof strategies)[number]);
};

const decision = (feature: Partial<Feature>, context?: Context, rest?: Partial<Definition>) =>
  decisionWords(explained(feature, context, rest), 'production');

describe('the explanation of a strategy says', () => {
  const broken = (constraint: Partial<Constraint>, given: string | null = 'x') =>
    words(
      { constraints: [{ contextName: 'field', operator: 'IN', ...constraint }] },
      { properties: { field: given } },
    );

  test.each<[Partial<Constraint>, string]>([
    [{ values: ['a'] }, "field must be one of “a”, but it's “x”"],
    [{ values: [] }, "field must be one of an empty list, but it's “x”"],
    [{ values: ['x'], inverted: true }, "field must not be one of “x”, but it's “x”"],
    [{ operator: 'NOT_IN', values: ['x'] }, "field must not be one of “x”, but it's “x”"],
    [
      { operator: 'STR_ENDS_WITH', values: ['a'], caseInsensitive: true },
      "field must end with one of “a”, ignoring case, but it's “x”",
    ],
    [{ operator: 'NUM_GTE', value: '3' }, "field must be at least “3”, but it's “x”"],
    [{ operator: 'DATE_AFTER', value: '2026-01-01T00:00:00Z' }, 'field must be after “2026-01-01'],
    [{ operator: 'SEMVER_LTE', value: '1.0.0' }, 'field must be at most version “1.0.0”'],
    [{ operator: 'REGEX', value: '^a' }, 'field must match “^a”'],
    [{ operator: 'IN_CIDR', values: ['10.0.0.0/8'] }, 'field must be in one of the ranges “10.'],
    [{ operator: 'LIKE', values: ['a'] }, 'field must LIKE “a”, but the constraint is invalid'],
    [{ values: ['a', 'b', 'c', 'd', 'e', 'g', 'h'] }, "“d”, “e”, and 2 more, but it's"],
    [{ values: ['y'.repeat(200)] }, `“${'y'.repeat(100)}…”`],
  ])('what %j expects', (constraint, expected) => {
    expect(broken(constraint)).toContain(expected);
    expect(broken(constraint)).toMatch(/^Doesn't match: .*\.$/);
  });

  test('that the context has no value', () => {
    expect(broken({ values: ['a'] }, null)).toContain("but it's missing");
  });

  test('which segment does not match, and which does not exist', () => {
    const constraints = [{ contextName: 'plan', operator: 'IN', values: ['gold'] }];
    const segments = [{ id: 1, name: 'Gold', constraints }];
    expect(words({ segments: [1, 2] }, {}, { segments })).toBe(
      "Doesn't match: segment “Gold” doesn't match: plan must be one of “gold”, but it's missing; segment 2 doesn't exist.",
    );
  });

  test.each<[string, Record<string, string>, Context, string]>([
    ['default', {}, {}, 'Matches: it applies to everyone.'],
    ['userWithId', { userIds: 'a' }, { userId: 'a' }, 'userId “a” is on the user list'],
    ['userWithId', { userIds: 'a' }, { userId: 'b' }, "userId “b” isn't on the user list"],
    ['userWithId', { userIds: 'a' }, {}, 'the context has no userId'],
    ['remoteAddress', { IPs: '::1' }, { remoteAddress: '::2' }, "isn't on the IP address list"],
    ['flexibleRollout', { rollout: '50' }, {}, 'random bucket 43 ≤ 50%'],
    [
      'flexibleRollout',
      { rollout: '50', stickiness: 'x' },
      {},
      'the context has no x for stickiness',
    ],
    ['flexibleRollout', { rollout: '100' }, { userId: 'a' }, 'userId “a” is in bucket'],
    ['applicationHostname', {}, {}, "Can't be evaluated here: only the application"],
    ['ours', {}, {}, 'only the application can evaluate custom strategies'],
  ])('how %s with %j applies to %j', (name, parameters, context, expected) => {
    expect(words({ name, parameters }, context)).toContain(expected);
  });
});

describe('the explanation of a feature says', () => {
  const parent = { name: 'p', enabled: true, variants: [{ name: 'red', weight: 1 }] };
  const country = { contextName: 'country', operator: 'IN', values: ['DK'] };
  const child = { name: 'c', enabled: true, dependencies: [{ feature: 'p' }] };

  test.each<[string, Partial<Feature>]>([
    ['Disabled in production.', { enabled: false }],
    ['Enabled for everyone in production: no strategies.', {}],
    [
      "Requires “p” to be disabled, but it's enabled.",
      { dependencies: [{ feature: 'p', enabled: false }] },
    ],
    [
      'Requires “p” to be enabled with variant “blue”, but it has “red”.',
      { dependencies: [{ feature: 'p', variants: ['blue'] }] },
    ],
    [
      "Requires “c” to be enabled, but “c” has a parent of its own, which isn't supported.",
      { dependencies: [{ feature: 'c' }] },
    ],
    [
      "The parent feature doesn't exist or you don't have access to it.",
      { dependencies: [{ feature: 'p' }, { feature: 'nowhere' }] },
    ],
    [
      "Strategy “default” doesn't match: it's disabled.",
      { strategies: [{ name: 'default', disabled: true }] },
    ],
    [
      "None of the 3 strategies match. Closest: “Nordics” (default) – country must be one of “DK”, but it's “DE”.",
      {
        strategies: [
          { name: 'userWithId', parameters: { userIds: 'a' }, constraints: [country] },
          { name: 'default', title: 'Nordics', constraints: [country] },
          { name: 'default', disabled: true },
        ],
      },
    ],
    [
      'None of the 2 strategies match: all are disabled.',
      {
        strategies: [
          { name: 'default', disabled: true },
          { name: 'default', disabled: true },
        ],
      },
    ],
    [
      'No match here. The remaining strategies can only be evaluated by the application.',
      { strategies: [{ name: 'ours' }] },
    ],
    [
      'Strategy “All” (default) matches: it applies to everyone.',
      { strategies: [{ name: 'default', title: 'All' }] },
    ],
    ['no strategies. Variant “red”: random bucket 1 (1–1 of 1).', { variants: parent.variants }],
  ])('%s', (expected, feature) => {
    const words = decision(
      feature,
      { properties: { country: 'DE' } },
      { features: [parent, child] },
    );
    expect(words.toLowerCase()).toContain(expected.toLowerCase());
  });

  test('which override assigned a variant', () => {
    const overrides = [{ contextName: 'userId', values: ['ann'] }];
    const variants = [{ name: 'red', weight: 1, overrides }];
    expect(decision({ variants }, { userId: 'ann' })).toContain(
      'Variant “red”: override for userId “ann”.',
    );
  });

  test('that the feature does not exist', () => {
    expect(decisionWords(compile({ features: [] }).explain('f', {}), 'production')).toBe(
      "The feature doesn't exist.",
    );
  });
});
