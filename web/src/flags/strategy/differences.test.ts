import { describe, expect, test } from 'vitest';
import { counterparts, environmentDifferences, strategyDifferences } from './differences.ts';
import type { Constraint, StrategyContent, Variant } from './strategy-sentence.ts';

const base: StrategyContent = {
  name: 'flexibleRollout',
  disabled: false,
  parameters: { rollout: '10', stickiness: 'default', groupId: 'x' },
  constraints: [],
  segments: [],
  variants: [],
};

const inCountry = (...values: string[]): Constraint => ({
  contextName: 'country',
  operator: 'IN',
  caseInsensitive: false,
  inverted: false,
  values,
});

const version = (value: string): Constraint => ({
  ...inCountry(),
  contextName: 'appVersion',
  operator: 'SEMVER_GTE',
  value,
});

const variant = (name: string, weight: number, part: Partial<Variant> = {}): Variant => ({
  name,
  weight,
  weightType: 'variable',
  stickiness: 'default',
  ...part,
});

const names = new Map([[1, 'Beta']]);
const parameters = (part: Record<string, string>) => ({
  parameters: { ...base.parameters, ...part },
});

describe('the difference between two strategies', () => {
  test.each<[string, Partial<StrategyContent>, Partial<StrategyContent>, string[]]>([
    ['no change', {}, {}, []],
    ['another rollout', {}, parameters({ rollout: '25' }), ['rollout 10% → 25%']],
    [
      'another stickiness',
      {},
      parameters({ stickiness: 'userId' }),
      ['stickiness default → userId'],
    ],
    ['another parameter', {}, parameters({ groupId: 'y' }), ['group ID x → y']],
    [
      'another list of users',
      { name: 'userWithId', parameters: { userIds: 'a,b' } },
      { name: 'userWithId', parameters: { userIds: 'b,c' } },
      ['userIds: added c, removed a'],
    ],
    ['a new title', {}, { title: 'Nordics' }, ['title none → “Nordics”']],
    ['a disabled strategy', {}, { disabled: true }, ['strategy disabled']],
    ['an added segment', {}, { segments: [1] }, ['segments: added Beta']],
    [
      'other values of a constraint',
      { constraints: [inCountry('NO', 'SE')] },
      { constraints: [inCountry('SE', 'DK')] },
      ['country: added DK, removed NO'],
    ],
    [
      'many added values',
      { constraints: [inCountry()] },
      { constraints: [inCountry(...'abcdefg')] },
      ['country: added a, b, c, d, e, and 2 more'],
    ],
    [
      'another single value',
      { constraints: [version('4.2.0')] },
      { constraints: [version('4.3.0')] },
      ['appVersion ≥ 4.2.0 → ≥ 4.3.0'],
    ],
    [
      'an inverted constraint',
      { constraints: [inCountry('NO')] },
      { constraints: [{ ...inCountry('NO'), inverted: true }] },
      ['country is NO → is not NO'],
    ],
    [
      'added and removed constraints',
      { constraints: [inCountry('NO')] },
      { constraints: [version('1.0.0')] },
      ['constraint removed: country is NO', 'constraint added: appVersion ≥ 1.0.0'],
    ],
    [
      'reordered constraints',
      { constraints: [inCountry('NO'), version('1.0.0')] },
      { constraints: [version('1.0.0'), inCountry('NO')] },
      ['constraints reordered'],
    ],
    [
      'other variants',
      { variants: [variant('a', 500), variant('b', 500)] },
      {
        variants: [
          variant('a', 300, { weightType: 'fix', payload: { type: 'string', value: 'x' } }),
          variant('c', 700),
        ],
      },
      [
        'variant a: 50% → 30%, fixed weight, payload none → string x',
        'variant c added (70%)',
        'variant b removed',
      ],
    ],
  ])('describes %s', (_, before, after, words) => {
    const found = strategyDifferences({ ...base, ...before }, { ...base, ...after }, names);
    expect(found.map((difference) => difference.words)).toEqual(words);
  });
});

test('changes in a list are marked as added, removed, or changed', () => {
  const found = strategyDifferences(
    { ...base, constraints: [inCountry('NO')], variants: [variant('a', 1000)] },
    { ...base, constraints: [version('1.0.0')], ...parameters({ rollout: '50' }) },
    names,
  );
  expect(found.map(({ kind, words }) => [kind, words])).toEqual([
    ['changed', 'rollout 10% → 50%'],
    ['removed', 'constraint removed: country is NO'],
    ['added', 'constraint added: appVersion ≥ 1.0.0'],
    ['removed', 'variant a removed'],
  ]);
});

test('each strategy is compared with the most similar one of the other environment', () => {
  const one = { ...base, constraints: [inCountry('NO')] };
  const other = { ...base, segments: [1] };
  const [near, far] = [{ ...one, ...parameters({ rollout: '20' }) }, { ...other }];
  const found = counterparts([one, other], [far, near]);
  expect(found.get(one)).toBe(near);
  expect(found.get(other)).toBe(far);
});

test('the difference between environments lists what only one of them has', () => {
  const development = { enabled: true, strategies: [base, { ...base, segments: [1] }] };
  const production = {
    enabled: false,
    strategies: [{ ...base, ...parameters({ rollout: '50' }) }],
  };
  const detailsOf = (...compared: [typeof development, typeof development]) =>
    environmentDifferences(...compared, names).map(({ kind, words }) => [kind, words]);
  expect(detailsOf(development, production)).toEqual([
    ['changed', 'enabled here'],
    ['changed', 'rollout 50% → 10%'],
    ['added', 'Only here: 10% of segment Beta, stickiness default'],
  ]);
  expect(detailsOf(production, development)).toEqual([
    ['changed', 'disabled here'],
    ['changed', 'rollout 10% → 50%'],
    ['removed', 'Missing here: 10% of segment Beta, stickiness default'],
  ]);
});
