import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { Sentence } from './sentence.tsx';
import {
  type Constraint,
  constraintPieces,
  detailPieces,
  headlinePieces,
  plain,
  type StrategyContent,
  strategyName,
  strategySentence,
} from './strategy-sentence.ts';

const constraint = (part: Partial<Constraint>): Constraint => ({
  contextName: 'country',
  operator: 'IN',
  caseInsensitive: false,
  inverted: false,
  values: [],
  ...part,
});

const strategy = (part: Partial<StrategyContent>): StrategyContent => ({
  name: 'flexibleRollout',
  disabled: false,
  parameters: { rollout: '100', stickiness: 'default', groupId: 'x' },
  constraints: [],
  segments: [],
  variants: [],
  ...part,
});

const names = new Map([
  [1, 'Beta customers'],
  [2, 'Nordics'],
]);

describe('the sentence of a constraint', () => {
  test.each<[Partial<Constraint>, string]>([
    [{ values: ['NO'] }, 'country is NO'],
    [{ values: ['NO', 'SE'] }, 'country is NO or SE'],
    [{ values: ['NO', 'SE', 'DK'] }, 'country is NO, SE, or DK'],
    [{ values: ['a', 'b', 'c', 'd', 'e', 'f', 'g'] }, 'country is a, b, c, d, or 3 more'],
    [{ values: ['NO'], inverted: true }, 'country is not NO'],
    [{ values: ['NO', 'SE'], inverted: true }, 'country is not one of NO, SE'],
    [{ operator: 'NOT_IN', values: ['NO', 'SE'] }, 'country is not one of NO, SE'],
    [{ operator: 'NOT_IN', values: ['NO', 'SE'], inverted: true }, 'country is NO or SE'],
    [{ values: [] }, 'country is (no values)'],
    [
      { operator: 'STR_ENDS_WITH', values: ['.no'], caseInsensitive: true },
      'country ends with .no (ignoring case)',
    ],
    [
      { operator: 'STR_CONTAINS', values: ['a', 'b'], inverted: true },
      'country does not contain a or b',
    ],
    [{ contextName: 'age', operator: 'NUM_GTE', value: '18' }, 'age ≥ 18'],
    [{ contextName: 'age', operator: 'NUM_GTE', value: '18', inverted: true }, 'age < 18'],
    [{ contextName: 'appVersion', operator: 'SEMVER_LT', value: '2.0.0' }, 'appVersion < 2.0.0'],
    [
      { contextName: 'currentTime', operator: 'DATE_AFTER', value: '2026-01-01T00:00:00Z' },
      'currentTime is after 2026-01-01T00:00:00Z',
    ],
    [{ operator: 'REGEX', value: '' }, 'country matches '],
    [{ operator: 'IN_CIDR', values: ['10.0.0.0/8'] }, 'country is in 10.0.0.0/8'],
  ])('describes %j', (part, sentence) => {
    expect(plain(constraintPieces(constraint(part)))).toBe(sentence);
  });
});

describe('the sentence of a strategy', () => {
  test.each<[string, Partial<StrategyContent>, string]>([
    ['for everyone', {}, 'Everyone'],
    [
      'with a rollout, a constraint and stickiness',
      {
        parameters: { rollout: '10', stickiness: 'userId' },
        constraints: [constraint({ values: ['NO', 'SE'] })],
      },
      '10% of everyone where country is NO or SE, stickiness userId',
    ],
    [
      'with several constraints',
      {
        constraints: [
          constraint({ values: ['NO'] }),
          constraint({ contextName: 'plan', values: ['gold'] }),
        ],
      },
      'Everyone where country is NO and plan is gold',
    ],
    ['for a segment', { segments: [1] }, 'Segment Beta customers'],
    [
      'for segments with an unknown one',
      { segments: [1, 9], parameters: { rollout: '5', stickiness: 'random' } },
      '5% of segments Beta customers and #9, stickiness random',
    ],
    [
      'that is disabled and has variants',
      {
        disabled: true,
        variants: [{ name: 'a', weight: 1000, weightType: 'variable', stickiness: 'default' }],
      },
      'Everyone, 1 variant, disabled',
    ],
    ['for users', { name: 'userWithId', parameters: { userIds: 'ann, bob' } }, 'Users ann or bob'],
    ['without IP addresses', { name: 'remoteAddress', parameters: { IPs: '' } }, 'No one yet'],
    [
      'of a deprecated type',
      { name: 'gradualRolloutUserId', parameters: { percentage: '30', groupId: 'x' } },
      '30% of users',
    ],
    [
      'of a custom type',
      { name: 'byWeekday', parameters: { days: 'Monday' }, segments: [2] },
      'Custom strategy: byWeekday with days = Monday in segment Nordics',
    ],
    ['with an invalid rollout', { parameters: { rollout: 'x' } }, 'Everyone'],
    [
      'for listed user IDs',
      { constraints: [constraint({ contextName: 'userId', values: ['1', '2', '3'] })] },
      'Users 1, 2, or 3',
    ],
    [
      'for some of the listed user IDs',
      {
        parameters: { rollout: '50', stickiness: 'userId' },
        constraints: [
          constraint({ contextName: 'userId', values: ['1'] }),
          constraint({ values: ['NO'] }),
        ],
      },
      '50% of user 1 where country is NO, stickiness userId',
    ],
  ])('describes one %s', (_, part, sentence) => {
    expect(strategySentence(strategy(part), names)).toBe(sentence);
  });
});

test('the name of a strategy with many constraints contains the first ones', () => {
  const constraints = ['a', 'b', 'c', 'd', 'e'].map((contextName) =>
    constraint({ contextName, values: ['1'] }),
  );
  const long = strategy({ name: 'default', parameters: {}, constraints });
  expect(strategyName(long, new Map())).toBe(
    'Everyone where a is 1 and b is 1 and c is 1 and 2 more constraints',
  );
  expect(strategyName({ ...long, title: 'Friends' }, new Map())).toBe('Friends');
});

describe('the headline of a strategy', () => {
  test.each<[string, Partial<StrategyContent>, string, string[]]>([
    ['without constraints', {}, 'Everyone', []],
    [
      'with constraints, which "Everyone" alone would contradict',
      {
        constraints: [
          constraint({ values: ['NO'] }),
          constraint({ contextName: 'plan', values: ['gold'] }),
        ],
      },
      'Everyone where country is NO',
      ['and plan is gold'],
    ],
    [
      'for listed user IDs',
      { constraints: [constraint({ contextName: 'userId', values: ['1', '2'] })] },
      'Users 1 or 2',
      [],
    ],
    [
      'for some of a segment',
      {
        segments: [1],
        parameters: { rollout: '25' },
        constraints: [constraint({ values: ['NO'] })],
      },
      '25% of segment Beta customers where country is NO',
      [],
    ],
    [
      'for users in a segment',
      { name: 'userWithId', parameters: { userIds: 'ann' }, segments: [2] },
      'User ann in segment Nordics',
      [],
    ],
  ])('describes one %s', (_, part, headline, rest) => {
    expect(plain(headlinePieces(strategy(part), names))).toBe(headline);
    expect(detailPieces(strategy(part), names).map(plain)).toEqual(rest);
  });
});

test('a rendered sentence reads like the plain one, with commas between values', () => {
  const pieces = constraintPieces(constraint({ values: ['DK', 'SE', 'DE'] }));
  const drawn = renderToStaticMarkup(createElement(Sentence, { pieces }));
  expect(drawn.replace(/<[^>]*>/g, '')).toBe(plain(pieces));
  expect(plain(pieces)).toBe('country is DK, SE, or DE');
});
