import { expect, test } from 'vitest';
import type { Constraint } from '../../flags/strategy/strategy-sentence.ts';
import { contextsOfSegment } from './segment-contexts.ts';

const constraint = (
  contextName: string,
  operator: Constraint['operator'],
  operand: string | readonly string[],
  more: Partial<Constraint> = {},
): Constraint => ({
  contextName,
  operator,
  inverted: false,
  caseInsensitive: false,
  ...(typeof operand === 'string' ? { values: [], value: operand } : { values: [...operand] }),
  ...more,
});

const some = 'something-else';

test.each([
  ['no constraints', [], [{}]],
  ['a list', [constraint('c', 'IN', ['DK', 'SE'])], [{ c: 'DK' }, { c: some }]],
  ['an exclusion', [constraint('c', 'NOT_IN', ['DK'])], [{ c: some }, { c: 'DK' }]],
  [
    'an inverted list',
    [constraint('c', 'IN', ['DK'], { inverted: true })],
    [{ c: some }, { c: 'DK' }],
  ],
  ['a suffix', [constraint('id', 'STR_ENDS_WITH', ['7'])], [{ id: '7' }, { id: some }]],
  ['a number', [constraint('age', 'NUM_GTE', '18')], [{ age: '18' }, { age: '17' }]],
  ['a version', [constraint('v', 'SEMVER_GT', '2.1.0')], [{ v: '3.1.0' }, { v: '1.1.0' }]],
  [
    'a time',
    [constraint('currentTime', 'DATE_AFTER', '2026-01-02T00:00:00.000Z')],
    [{ currentTime: '2026-01-03T00:00:00.000Z' }, { currentTime: '2026-01-01T00:00:00.000Z' }],
  ],
  [
    'a network',
    [constraint('ip', 'IN_CIDR', ['10.0.0.0/8'])],
    [{ ip: '10.0.0.0' }, { ip: '192.0.2.1' }],
  ],
  [
    'a regular expression, which has no suggestion',
    [constraint('m', 'REGEX', '^a+$')],
    [{ m: '' }, { m: some }],
  ],
  ['a value with a comma', [constraint('c', 'IN', ['a,b'])], [{ c: ['a,b'] }, { c: some }]],
  [
    'two constraints on one field',
    [constraint('age', 'NUM_GTE', '18'), constraint('age', 'NUM_LT', '65')],
    [{ age: '18' }, { age: '17' }, { age: '65' }],
  ],
  [
    'two fields, each violated once',
    [constraint('c', 'IN', ['DK']), constraint('plan', 'IN', ['gold'])],
    [
      { c: 'DK', plan: 'gold' },
      { c: some, plan: 'gold' },
      { c: 'DK', plan: some },
    ],
  ],
])('the playground suggests contexts for a segment with %s', (_what, constraints, contexts) => {
  expect(contextsOfSegment(constraints)).toEqual(contexts);
});

test('suggested contexts prefer legal values of a field', () => {
  const legalValues = new Map([['c', ['DE', 'DK', 'SE']]]);
  expect(contextsOfSegment([constraint('c', 'IN', ['SE'])], legalValues)).toEqual([
    { c: 'SE' },
    { c: 'DE' },
  ]);
});
