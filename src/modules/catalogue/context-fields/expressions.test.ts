import { describe, expect, test } from 'vitest';
import type { SetConstraint } from './constraint-schema.ts';
import { expressionFaults, manyExpressionsFaults } from './expressions.ts';

const matching = (value: string): SetConstraint => ({
  contextName: 'email',
  operator: 'REGEX',
  value,
});
const at = '/body/constraints';

describe('regular expressions in one list of constraints', () => {
  test('are limited to three', () => {
    const three = ['a', 'b', 'c'].map(matching);
    expect(expressionFaults(three, at)).toEqual([]);
    expect(expressionFaults([...three, matching('d')], at)).toEqual([
      {
        path: at,
        message: `${at} has 4 REGEX constraints; at most 3 are allowed`,
      },
    ]);
  });

  test.each([
    'a{1000}'.repeat(100),
    '((a{9}){9}){9}{3}',
    '(a|b)*?(a(a|b){900})[cd]',
    'a{2,999}b{9}',
  ])('cannot be as large as %s', (value) => {
    expect(expressionFaults([matching('a'), matching(value)], at)).toEqual([
      {
        path: `${at}/1/value`,
        message: expect.stringMatching(/ is too large: it has \d+ steps .* at most 2000/),
      },
    ]);
  });

  test('have a limit on their combined size', () => {
    const two = [matching('a{990}'), matching('b{990}')];
    expect(expressionFaults(two, at)).toEqual([]);
    expect(expressionFaults([...two, matching('c{100}')], at)).toEqual([
      { path: at, message: expect.stringContaining('2089 steps in total; at most 2000') },
    ]);
  });

  test('can stay as they are stored beyond the limits, but none can be added', () => {
    const stored = [...'abcd'].map(matching).concat(matching('a{1000}'.repeat(9)));
    const other: SetConstraint = { contextName: 'userId', operator: 'IN', values: ['1'] };
    expect(expressionFaults([...stored, other], at, stored)).toEqual([]);
    expect(expressionFaults(stored.slice(1), at, stored)).toEqual([]);
    expect(expressionFaults([...stored, matching('e')], at, stored)).toHaveLength(1);
  });
});

test('the regular expressions of a whole request have a limit on their combined size', () => {
  const lists = (count: number) => Array.from({ length: count }, () => [matching('a{990}')]);
  expect(manyExpressionsFaults(lists(20), '/body')).toEqual([]);
  expect(manyExpressionsFaults(lists(21), '/body')).toEqual([
    { path: '/body', message: expect.stringContaining('20853 steps in total') },
  ]);
});
