import { describe, expect, test } from 'vitest';
import {
  counterparts,
  environmentDifferences,
  isSame,
  strategyDifferences,
} from './differences.ts';
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

describe('a difference reads', () => {
  test.each<[string, Partial<StrategyContent>, Partial<StrategyContent>, string[]]>([
    ['nothing', {}, {}, []],
    ['a share', {}, parameters({ rollout: '25' }), ['rollout 10 % → 25 %']],
    ['stickiness', {}, parameters({ stickiness: 'userId' }), ['sticky by default → userId']],
    ['another parameter', {}, parameters({ groupId: 'y' }), ['groupId x → y']],
    [
      'a list of users',
      { name: 'userWithId', parameters: { userIds: 'a,b' } },
      { name: 'userWithId', parameters: { userIds: 'b,c' } },
      ['userIds: added c, removed a'],
    ],
    ['a title', {}, { title: 'Nordics' }, ['title none → “Nordics”']],
    ['disabled', {}, { disabled: true }, ['disabled']],
    ['a segment', {}, { segments: [1] }, ['segments: added Beta']],
    [
      'values of a condition',
      { constraints: [inCountry('NO', 'SE')] },
      { constraints: [inCountry('SE', 'DK')] },
      ['country: added DK, removed NO'],
    ],
    [
      'many values',
      { constraints: [inCountry()] },
      { constraints: [inCountry(...'abcdefg')] },
      ['country: added a, b, c, d, e and 2 more'],
    ],
    [
      'one value',
      { constraints: [version('4.2.0')] },
      { constraints: [version('4.3.0')] },
      ['appVersion ≥ 4.2.0 → ≥ 4.3.0'],
    ],
    [
      'an inverted condition',
      { constraints: [inCountry('NO')] },
      { constraints: [{ ...inCountry('NO'), inverted: true }] },
      ['country is NO → is not NO'],
    ],
    [
      'conditions that come and go',
      { constraints: [inCountry('NO')] },
      { constraints: [version('1.0.0')] },
      ['no longer where country is NO', 'where appVersion ≥ 1.0.0 (new)'],
    ],
    [
      'conditions that change places',
      { constraints: [inCountry('NO'), version('1.0.0')] },
      { constraints: [version('1.0.0'), inCountry('NO')] },
      ['conditions in another order'],
    ],
    [
      'variants',
      { variants: [variant('a', 500), variant('b', 500)] },
      {
        variants: [
          variant('a', 300, { weightType: 'fix', payload: { type: 'string', value: 'x' } }),
          variant('c', 700),
        ],
      },
      [
        'variant a: 50 % → 30 %, fixed, payload none → string x',
        'variant c added with 70 %',
        'variant b removed',
      ],
    ],
  ])('%s', (_, before, after, words) => {
    const found = strategyDifferences({ ...base, ...before }, { ...base, ...after }, names);
    expect(found.map((difference) => difference.words)).toEqual(words);
  });
});

test('the order of fields makes no difference, an undefined field neither', () => {
  expect(isSame({ a: 1, b: [1, { c: 2 }] }, { b: [1, { c: 2 }], a: 1, d: undefined })).toBe(true);
  expect(isSame([1, 2], [2, 1])).toBe(false);
  expect(isSame({ 0: 1 }, [1])).toBe(false);
});

test('strategies of two environments are compared with those nearest to them', () => {
  const one = { ...base, constraints: [inCountry('NO')] };
  const other = { ...base, segments: [1] };
  const [near, far] = [{ ...one, ...parameters({ rollout: '20' }) }, { ...other }];
  const found = counterparts([one, other], [far, near]);
  expect(found.get(one)).toBe(near);
  expect(found.get(other)).toBe(far);
});

test('an environment says what it has and another has not', () => {
  const development = { enabled: true, strategies: [base, { ...base, segments: [1] }] };
  const production = {
    enabled: false,
    strategies: [{ ...base, ...parameters({ rollout: '50' }) }],
  };
  expect(environmentDifferences(development, production, names)).toEqual([
    'it is on here',
    'rollout 50 % → 10 %',
    'only here: on for 10 % of the segment Beta, sticky by default',
  ]);
  expect(environmentDifferences(production, development, names)).toEqual([
    'it is off here',
    'rollout 10 % → 50 %',
    'not here: on for 10 % of the segment Beta, sticky by default',
  ]);
});
