import { describe, expect, test } from 'vitest';
import {
  type ContextField,
  choiceOf,
  constraintFault,
  kindOf,
  operatorGroups,
  splitValues,
  withChoice,
  withOperator,
} from './constraint-check.ts';
import { payloadFault, strategyProblems, variantProblems } from './strategy-check.ts';
import type { Constraint } from './strategy-sentence.ts';

const constraint = (part: Partial<Constraint>): Constraint => ({
  contextName: 'field',
  operator: 'IN',
  caseInsensitive: false,
  inverted: false,
  values: [],
  ...part,
});

const field = (name: string, ...legal: string[]): ContextField => ({
  name,
  description: null,
  stickiness: false,
  sortOrder: 0,
  legalValues: legal.map((value) => ({ value })),
  createdAt: '2026-01-01T00:00:00Z',
  usedInFeatures: 0,
  usedInProjects: 0,
});

describe('validation of a constraint', () => {
  test.each<[Partial<Constraint>, RegExp | undefined]>([
    [{ values: ['a'] }, undefined],
    [{ values: [] }, /never matches/],
    [{ contextName: '', values: ['a'] }, /Select a context field/],
    [{ operator: 'NOT_IN', values: [] }, undefined],
    [{ operator: 'STR_CONTAINS', values: [] }, /at least one/],
    [{ operator: 'STR_CONTAINS', values: [' '] }, /blank/],
    [{ operator: 'NUM_GT', value: '1.5' }, undefined],
    [{ operator: 'NUM_GT', value: '0x10' }, /number/],
    [{ operator: 'NUM_GT' }, /number/],
    [{ operator: 'SEMVER_EQ', value: '1.2.3-rc.1' }, undefined],
    [{ operator: 'SEMVER_EQ', value: 'v1.2.3' }, /version/],
    [{ operator: 'SEMVER_EQ', value: '1.2' }, /version/],
    [{ operator: 'DATE_AFTER', value: '2026-01-31T12:00:00Z' }, undefined],
    [{ operator: 'DATE_AFTER', value: '2026-02-30T12:00:00Z' }, /time/],
    [{ operator: 'DATE_AFTER', value: '2026-01-31' }, /time/],
    [{ operator: 'IN_CIDR', values: ['10.0.0.0/8', '2001:db8::/32'] }, undefined],
    [{ operator: 'IN_CIDR', values: ['10.0.0.0/33'] }, /10\.0\.0\.0\/33/],
    [{ operator: 'IN_CIDR', values: ['fe80::1%eth0'] }, /range/],
    [{ operator: 'REGEX', value: '' }, /expression/],
    [{ operator: 'REGEX', value: 'a'.repeat(1001) }, /Maximum 1,000 characters/],
    [{ values: Array.from({ length: 251 }, (_, n) => String(n)) }, /Maximum 250 values/],
  ])('checks %j', (part, fault) => {
    const found = constraintFault(constraint(part));
    if (fault === undefined) expect(found).toBeUndefined();
    else expect(found).toMatch(fault);
  });

  test('allows only legal values, except stored ones', () => {
    const plan = field('plan', 'free', 'team');
    const wrong = constraint({ contextName: 'plan', values: ['free', 'gold'] });
    expect(constraintFault(wrong, plan)).toBe("gold isn't a legal value of plan");
    expect(constraintFault(wrong, plan, true)).toBeUndefined();
    expect(
      constraintFault(
        constraint({ contextName: 'plan', operator: 'STR_CONTAINS', values: ['go'] }),
        plan,
      ),
    ).toBeUndefined();
  });
});

test.each([
  [field('currentTime'), 'date'],
  [field('remoteAddress'), 'network'],
  [field('level', '1', '2'), 'number'],
  [field('release', '1.2.3'), 'version'],
  [field('appVersion'), 'version'],
  [field('plan', 'free', '2'), 'text'],
  [field('userId'), 'text'],
])('the kind of a context field decides which operators it has: %j', (known, kind) => {
  expect(kindOf(known)).toBe(kind);
});

test('the current operator is always offered', () => {
  expect(operatorGroups('date', 'IN')[0]?.items[0]?.value).toBe('IN');
  expect(operatorGroups('date').map(({ group }) => group)).toEqual(['Date']);
});

test.each<[Partial<Constraint>, string, string]>([
  [{ operator: 'IN', inverted: true }, 'NOT_IN', 'is not one of'],
  [{ operator: 'NOT_IN', inverted: true }, 'IN', 'is one of'],
  [{ operator: 'STR_CONTAINS', inverted: true }, '!STR_CONTAINS', 'does not contain'],
  [{ operator: 'NUM_EQ', inverted: true }, '!NUM_EQ', 'number ≠'],
  [{ operator: 'NUM_GT', inverted: true }, '!NUM_GT', 'not: number >'],
  [{ operator: 'NUM_GT' }, 'NUM_GT', 'number >'],
])('the list of operators contains the negation of %j', (part, choice, label) => {
  const current = choiceOf(constraint(part));
  expect(current).toBe(choice);
  const items = operatorGroups('text', current).flatMap((group) => group.items);
  expect(items.find(({ value }) => value === choice)?.label).toBe(label);
});

test('selecting a negated operator inverts the constraint and keeps its values', () => {
  const list = constraint({ values: ['a'], inverted: true });
  expect(withChoice(list, '!STR_CONTAINS')).toMatchObject({
    operator: 'STR_CONTAINS',
    inverted: true,
    values: ['a'],
  });
  expect(withChoice(list, 'NOT_IN')).toMatchObject({ operator: 'NOT_IN', inverted: false });
});

test('changing the operator keeps the values that are valid for the new one', () => {
  const list = constraint({ values: ['5', 'x'] });
  expect(withOperator(list, 'STR_CONTAINS').values).toEqual(['5', 'x']);
  expect(withOperator(list, 'NUM_GT')).toMatchObject({ values: [], value: '5' });
  expect(withOperator(list, 'DATE_AFTER')).toMatchObject({ value: '' });
  expect(withOperator(constraint({ operator: 'NUM_GT', value: '5' }), 'IN').values).toEqual(['5']);
});

test('a pasted list is split at line breaks, commas, semicolons and tabs', () => {
  expect(splitValues('a, b\n"c"\n\nd;a\te')).toEqual(['a', 'b', 'c', 'd', 'e']);
});

describe('validation of variants', () => {
  const variant = (name: string, weight: number, weightType: 'fix' | 'variable' = 'variable') => ({
    name,
    weight,
    weightType,
    stickiness: 'default',
  });

  test('requires unique names and weights that add up', () => {
    expect(variantProblems([variant('a', 500), variant('b', 500)])).toEqual([]);
    expect(variantProblems([variant('a', 0), variant('a', 0)])).toMatchObject([
      { path: 'variants/1/name' },
    ]);
    expect(variantProblems([variant('', 0)])).toMatchObject([{ path: 'variants/0/name' }]);
    expect(variantProblems([variant('a', 400, 'fix')])).toMatchObject([{ path: 'variants' }]);
  });

  test.each([
    ['json', '{"a":1}', undefined],
    ['json', '{a}', /^Invalid JSON/],
    ['number', '4.2', undefined],
    ['number', '', /number/],
    ['csv', 'a,b', undefined],
    ['string', '', undefined],
  ])('checks a payload of type %s: %s', (type, value, fault) => {
    const found = payloadFault({ type, value });
    if (fault === undefined) expect(found).toBeUndefined();
    else expect(found).toMatch(fault);
  });
});

test('parameters of a custom strategy are validated by its definition', () => {
  const type = {
    name: 'byWeekday',
    displayName: 'By weekday',
    description: null,
    editable: true,
    deprecated: false,
    parameters: [
      { name: 'days', type: 'list' as const, description: '', required: true },
      { name: 'level', type: 'number' as const, description: '', required: false },
    ],
  };
  const content = {
    name: 'byWeekday',
    disabled: false,
    parameters: { level: 'high' },
    constraints: [],
    segments: [],
    variants: [],
  };
  const rules = { fields: new Map(), types: new Map([['byWeekday', type]]) };
  expect(strategyProblems(content, rules)).toEqual([
    { path: 'parameters/days', message: 'Required' },
    { path: 'parameters/level', message: 'Must be a number' },
  ]);
});
