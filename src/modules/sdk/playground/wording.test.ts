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
    [{ values: ['a'] }, "field must be one of 'a', but it is 'x'"],
    [{ values: [] }, "field must be one of an empty list, but it is 'x'"],
    [{ values: ['x'], inverted: true }, "field must not be one of 'x', but it is 'x'"],
    [{ operator: 'NOT_IN', values: ['x'] }, "field must not be one of 'x', but it is 'x'"],
    [
      { operator: 'STR_ENDS_WITH', values: ['a'], caseInsensitive: true },
      "field must end with one of 'a', ignoring case, but it is 'x'",
    ],
    [{ operator: 'NUM_GTE', value: '3' }, "field must be at least '3', but it is 'x'"],
    [{ operator: 'DATE_AFTER', value: '2026-01-01T00:00:00Z' }, "field must be after '2026-01-01"],
    [{ operator: 'SEMVER_LTE', value: '1.0.0' }, "field must be at most the version '1.0.0'"],
    [{ operator: 'REGEX', value: '^a' }, "field must match '^a'"],
    [{ operator: 'IN_CIDR', values: ['10.0.0.0/8'] }, "field must be an address in one of '10."],
    [{ operator: 'LIKE', values: ['a'] }, "field must LIKE 'a', which cannot be evaluated"],
    [{ values: ['a', 'b', 'c', 'd', 'e', 'g', 'h'] }, "'d', 'e' and 2 more, but it is"],
    [{ values: ['y'.repeat(200)] }, `'${'y'.repeat(100)}…'`],
  ])('what %j expects', (constraint, expected) => {
    expect(broken(constraint)).toContain(expected);
    expect(broken(constraint)).toMatch(/^It does not match: .*\.$/);
  });

  test('that the context has no value', () => {
    expect(broken({ values: ['a'] }, null)).toContain('but the context has none');
  });

  test('which segment does not match, and which does not exist', () => {
    const constraints = [{ contextName: 'plan', operator: 'IN', values: ['gold'] }];
    const segments = [{ id: 1, name: 'Gold', constraints }];
    expect(words({ segments: [1, 2] }, {}, { segments })).toBe(
      "It does not match: the segment 'Gold' does not match: plan must be one of 'gold', but the context has none; the segment 2 does not exist.",
    );
  });

  test.each<[string, Record<string, string>, Context, string]>([
    ['default', {}, {}, 'It matches: it applies to everybody.'],
    ['userWithId', { userIds: 'a' }, { userId: 'a' }, "userId 'a' is on the list of users"],
    ['userWithId', { userIds: 'a' }, { userId: 'b' }, "userId 'b' is not on the list of users"],
    ['userWithId', { userIds: 'a' }, {}, 'the context has no userId'],
    ['remoteAddress', { IPs: '::1' }, { remoteAddress: '::2' }, 'not on the list of addresses'],
    [
      'flexibleRollout',
      { rollout: '50' },
      {},
      'a random choice gave bucket 43 of 100, and the rollout is 50 %',
    ],
    [
      'flexibleRollout',
      { rollout: '50', stickiness: 'x' },
      {},
      'the context has no value for the stickiness x',
    ],
    ['flexibleRollout', { rollout: '100' }, { userId: 'a' }, "userId 'a' is in bucket"],
    ['applicationHostname', {}, {}, 'It cannot be evaluated here: only the application'],
    ['ours', {}, {}, 'only applications can evaluate'],
  ])('how %s with %j applies to %j', (name, parameters, context, expected) => {
    expect(words({ name, parameters }, context)).toContain(expected);
  });
});

describe('the explanation of a feature says', () => {
  const parent = { name: 'p', enabled: true, variants: [{ name: 'red', weight: 1 }] };
  const child = { name: 'c', enabled: true, dependencies: [{ feature: 'p' }] };

  test.each<[string, Partial<Feature>]>([
    ['It is disabled in production.', { enabled: false }],
    ['It is enabled for everybody in production, because it has no strategies.', {}],
    [
      "It requires 'p' to be disabled, but 'p' is enabled.",
      { dependencies: [{ feature: 'p', enabled: false }] },
    ],
    [
      "It requires 'p' to be enabled with the variant 'blue', but 'p' has 'red'.",
      { dependencies: [{ feature: 'p', variants: ['blue'] }] },
    ],
    [
      "It requires 'c' to be enabled, but 'c' depends on other features.",
      { dependencies: [{ feature: 'c' }] },
    ],
    [
      'It depends on a feature that does not exist or that you cannot see.',
      { dependencies: [{ feature: 'p' }, { feature: 'nowhere' }] },
    ],
    [
      "Its only strategy 'default' does not match: it is disabled.",
      { strategies: [{ name: 'default', disabled: true }] },
    ],
    [
      'None of its 2 strategies matches.',
      {
        strategies: [
          { name: 'default', disabled: true },
          { name: 'default', disabled: true },
        ],
      },
    ],
    [
      'None of the strategies that can be evaluated here matches; only applications can evaluate the others.',
      { strategies: [{ name: 'ours' }] },
    ],
    [
      "Its strategy 'All' (default) matches: it applies to everybody.",
      { strategies: [{ name: 'default', title: 'All' }] },
    ],
    [
      "it has no strategies. Its variant is 'red': a random choice gave bucket 1 of 1, and the variant has 1 to 1.",
      { variants: parent.variants },
    ],
  ])('%s', (expected, feature) => {
    const words = decision(feature, {}, { features: [parent, child] });
    expect(words.toLowerCase()).toContain(expected.toLowerCase());
  });

  test('which override assigned a variant', () => {
    const overrides = [{ contextName: 'userId', values: ['ann'] }];
    const variants = [{ name: 'red', weight: 1, overrides }];
    expect(decision({ variants }, { userId: 'ann' })).toContain(
      "an override assigns it to userId 'ann'.",
    );
  });

  test('that the feature does not exist', () => {
    expect(decisionWords(compile({ features: [] }).explain('f', {}), 'production')).toBe(
      'The feature does not exist.',
    );
  });
});
