import { describe, expect, test } from 'vitest';
import {
  type Constraint,
  constraintPieces,
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
    [{ values: ['NO', 'SE', 'DK'] }, 'country is NO, SE or DK'],
    [{ values: ['a', 'b', 'c', 'd', 'e', 'f', 'g'] }, 'country is a, b, c, d or 3 more'],
    [{ values: ['NO'], inverted: true }, 'country is not NO'],
    [{ values: ['NO', 'SE'], inverted: true }, 'country is neither NO nor SE'],
    [{ operator: 'NOT_IN', values: ['NO', 'SE'] }, 'country is neither NO nor SE'],
    [{ operator: 'NOT_IN', values: ['NO', 'SE'], inverted: true }, 'country is NO or SE'],
    [{ values: [] }, 'country is any of no values'],
    [
      { operator: 'STR_ENDS_WITH', values: ['.no'], caseInsensitive: true },
      'country ends with .no in any case',
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
    ['for everyone', {}, 'on for everybody'],
    [
      'with a rollout, a constraint and stickiness',
      {
        parameters: { rollout: '10', stickiness: 'userId' },
        constraints: [constraint({ values: ['NO', 'SE'] })],
      },
      'on for 10% of everybody where country is NO or SE, sticky by userId',
    ],
    [
      'with several constraints',
      {
        constraints: [
          constraint({ values: ['NO'] }),
          constraint({ contextName: 'plan', values: ['gold'] }),
        ],
      },
      'on for everybody where country is NO and plan is gold',
    ],
    ['for a segment', { segments: [1] }, 'on for the segment Beta customers'],
    [
      'for segments with an unknown one',
      { segments: [1, 9], parameters: { rollout: '5', stickiness: 'random' } },
      'on for 5% of the segments Beta customers and #9, sticky by random',
    ],
    [
      'that is disabled and has variants',
      {
        disabled: true,
        variants: [{ name: 'a', weight: 1000, weightType: 'variable', stickiness: 'default' }],
      },
      'on for everybody, with 1 variant, disabled',
    ],
    [
      'for users',
      { name: 'userWithId', parameters: { userIds: 'ann, bob' } },
      'on for the users ann or bob',
    ],
    [
      'without IP addresses',
      { name: 'remoteAddress', parameters: { IPs: '' } },
      'on for nobody yet',
    ],
    [
      'of a deprecated type',
      { name: 'gradualRolloutUserId', parameters: { percentage: '30', groupId: 'x' } },
      'on for 30% of users',
    ],
    [
      'of a custom type',
      { name: 'byWeekday', parameters: { days: 'Monday' }, segments: [2] },
      'on as byWeekday decides with days = Monday in the segment Nordics',
    ],
    ['with an invalid rollout', { parameters: { rollout: 'x' } }, 'on for everybody'],
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
    'on for everybody where a is 1 and b is 1 and c is 1 and 2 more conditions',
  );
  expect(strategyName({ ...long, title: 'Friends' }, new Map())).toBe('Friends');
});
