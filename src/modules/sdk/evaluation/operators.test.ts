import { describe, expect, test } from 'vitest';
import { type Context, compile } from './index.ts';

interface Constraint {
  readonly contextName?: string;
  readonly operator: string;
  readonly values?: string[];
  readonly value?: string;
  readonly inverted?: boolean;
  readonly caseInsensitive?: boolean;
}

const noon = new Date('2026-03-01T12:00:00Z');

function holds(constraint: Constraint, context: Context): boolean {
  const definition = {
    features: [
      {
        name: 'f',
        enabled: true,
        strategies: [{ name: 'default', constraints: [{ contextName: 'field', ...constraint }] }],
      },
    ],
  };
  return compile(definition, { now: () => noon }).evaluate('f', context).enabled;
}

const field = (value: unknown): Context => ({ properties: { field: value } });

type Row = readonly [operator: string, operand: string | string[], actual: unknown, held: boolean];

const table: readonly Row[] = [
  ['IN', ['a', 'b'], 'b', true],
  ['IN', ['a', ' b '], 'b', true],
  ['IN', ['a', 'b'], 'B', false],
  ['IN', ['a', 'b'], undefined, false],
  ['IN', [''], '', false],
  ['IN', ['12'], 12, true],
  ['IN', ['true'], true, true],
  ['IN', ['[object Object]'], {}, false],
  ['NOT_IN', ['a', 'b'], 'b', false],
  ['NOT_IN', ['a', 'b'], 'c', true],
  ['NOT_IN', ['a', 'b'], undefined, true],
  ['NOT_IN', [], 'c', true],

  ['STR_STARTS_WITH', ['ab', 'x'], 'abc', true],
  ['STR_STARTS_WITH', ['ab', 'x'], 'xyz', true],
  ['STR_STARTS_WITH', ['bc'], 'abc', false],
  ['STR_STARTS_WITH', ['abc'], 'ab', false],
  ['STR_STARTS_WITH', ['a'], undefined, false],
  ['STR_STARTS_WITH', [], 'abc', false],
  ['STR_ENDS_WITH', ['bc'], 'abc', true],
  ['STR_ENDS_WITH', ['ab'], 'abc', false],
  ['STR_CONTAINS', ['b'], 'abc', true],
  ['STR_CONTAINS', ['B'], 'abc', false],
  ['STR_CONTAINS', ['😊'], 'a😊b', true],

  ['NUM_EQ', '12', '12.0', true],
  ['NUM_EQ', '12', '+1.2e1', true],
  ['NUM_EQ', '12', 12, true],
  ['NUM_EQ', '0', '', false],
  ['NUM_EQ', '0', ' ', false],
  ['NUM_EQ', '16', '0x10', false],
  ['NUM_EQ', '0', undefined, false],
  ['NUM_EQ', '1', true, false],
  ['NUM_GT', '12', '12', false],
  ['NUM_GT', '12', '12.0000001', true],
  ['NUM_GT', '-2', '-1.5', true],
  ['NUM_GTE', '12', '12', true],
  ['NUM_GTE', '12', '11.999', false],
  ['NUM_LT', '12', '12', false],
  ['NUM_LT', '12', '-12', true],
  ['NUM_LTE', '12', '12', true],
  ['NUM_LTE', '12', '12.1', false],
  ['NUM_LT', '12', 'twelve', false],

  ['DATE_AFTER', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00.001Z', true],
  ['DATE_AFTER', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z', false],
  ['DATE_AFTER', '2026-01-01T00:00:00Z', '2026-01-01T00:30:00+01:00', false],
  ['DATE_BEFORE', '2026-01-01T00:00:00Z', '2026-01-01T00:30:00+01:00', true],
  ['DATE_BEFORE', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z', false],
  ['DATE_BEFORE', '2026-01-01T00:00:00Z', '2025-12-31', true],
  ['DATE_BEFORE', '2026-01-01T00:00:00Z', new Date('2025-12-31T23:59:59Z'), true],
  ['DATE_BEFORE', '2026-01-01T00:00:00Z', 'yesterday', false],
  ['DATE_BEFORE', '2026-01-01T00:00:00Z', undefined, false],
  ['DATE_BEFORE', '2026-01-01T00:00:00Z', '2025-12-31T23:59:59', true],
  ['DATE_AFTER', '2026-01-01T00:00:00Z', '2026-01-01T00:00:01', true],

  ['SEMVER_EQ', '1.2.3', '1.2.3+build.5', true],
  ['SEMVER_EQ', '1.2.3', '1.2.3-rc.1', false],
  ['SEMVER_EQ', '1.2.3', 'v1.2.3', false],
  ['SEMVER_EQ', '1.2.3', '=1.2.3', false],
  ['SEMVER_EQ', '1.2.3', ' 1.2.3', false],
  ['SEMVER_EQ', '1.2.0', '1.2', false],
  ['SEMVER_GT', '1.9.0', '1.10.0', true],
  ['SEMVER_GT', '1.2.3-alpha.9', '1.2.3-alpha.10', true],
  ['SEMVER_GT', '1.2.3', '1.2.3', false],
  ['SEMVER_GTE', '1.2.3', '1.2.3', true],
  ['SEMVER_GTE', '1.2.3', '1.2.3-rc.1', false],
  ['SEMVER_LT', '1.2.3', '1.2.3-rc.1', true],
  ['SEMVER_LT', '1.2.3', '1.2.3', false],
  ['SEMVER_LTE', '1.2.3', '1.2.3', true],
  ['SEMVER_LTE', '1.2.3', '1.2.4', false],
  ['SEMVER_LT', '1.2.3', undefined, false],

  ['REGEX', 'b+', 'abbc', true],
  ['REGEX', '^b+$', 'abbc', false],
  ['REGEX', '^$', '', true],
  ['REGEX', 'B', 'abc', false],
  ['REGEX', 'b', undefined, false],

  ['IN_CIDR', ['10.0.0.0/8'], '10.255.255.255', true],
  ['IN_CIDR', ['10.0.0.0/8'], '11.0.0.0', false],
  ['IN_CIDR', ['10.0.0.0/8'], '::ffff:10.1.2.3', true],
  ['IN_CIDR', ['192.168.1.129/31'], '192.168.1.128', true],
  ['IN_CIDR', ['192.168.1.129/32'], '192.168.1.128', false],
  ['IN_CIDR', ['0.0.0.0/0'], '203.0.113.9', true],
  ['IN_CIDR', ['0.0.0.0/0'], '2001:db8::1', false],
  ['IN_CIDR', ['::/0'], '2001:db8::1', true],
  ['IN_CIDR', ['::/0'], '203.0.113.9', false],
  ['IN_CIDR', ['2001:DB8::1'], '2001:db8:0:0::1', true],
  ['IN_CIDR', ['10.0.0.0/33', '10.0.0.0/x', '10.0.0.0/8/8', 'ten'], '10.0.0.1', false],
  ['IN_CIDR', ['10.0.0.0/8'], 'localhost', false],
  ['IN_CIDR', ['10.0.0.0/8'], undefined, false],
];

const withOperand = (operator: string, operand: string | string[]): Constraint =>
  typeof operand === 'string' ? { operator, value: operand } : { operator, values: operand };

describe('operators', () => {
  test.each(table)('%s %j for the value %j is %s', (operator, operand, actual, held) => {
    expect(holds(withOperand(operator, operand), field(actual))).toBe(held);
  });

  test.each(table)(
    '%s %j for the value %j, inverted, is not %s',
    (operator, operand, actual, held) => {
      const constraint = { ...withOperand(operator, operand), inverted: true };
      expect(holds(constraint, field(actual))).toBe(!held);
    },
  );

  test.each([
    ['STR_STARTS_WITH', ['AB'], 'aBc'],
    ['STR_ENDS_WITH', ['bC'], 'aBc'],
    ['STR_CONTAINS', ['ÄB'], 'xäbx'],
    ['REGEX', '^ABC$', 'abc'],
  ])('%s %j ignores case only with caseInsensitive', (operator, operand, actual) => {
    const constraint = withOperand(operator, operand);
    expect(holds({ ...constraint, caseInsensitive: true }, field(actual))).toBe(true);
    expect(holds({ ...constraint, caseInsensitive: false }, field(actual))).toBe(false);
  });

  test.each([
    ['LIKE', 'a'],
    ['constructor', 'a'],
    ['NUM_EQ', 'twelve'],
    ['NUM_EQ', ''],
    ['DATE_AFTER', 'soon'],
    ['SEMVER_GT', 'v1.0.0'],
    ['SEMVER_GT', '1.0'],
    ['REGEX', '(a'],
    ['REGEX', '(?=a)b'],
    ['REGEX', ''],
  ])('%s with %j is invalid and false, inverted or not', (operator, value) => {
    for (const actual of ['a', '12', '2026-01-01', '1.2.3', undefined]) {
      expect(holds({ operator, value }, field(actual))).toBe(false);
      expect(holds({ operator, value, inverted: true }, field(actual))).toBe(false);
    }
    const strategies = [
      { name: 'default', constraints: [{ contextName: 'field', operator, value }] },
    ];
    const { strategies: explained } = compile({
      features: [{ name: 'f', enabled: true, strategies }],
    }).explain('f', {});
    expect(explained[0]?.constraints[0]).toMatchObject({ sound: false, result: false });
  });
});

describe('context fields', () => {
  test.each(['userId', 'sessionId', 'environment', 'appName', 'remoteAddress', 'currentTime'])(
    '%s is read from the field, or from the properties if missing',
    (contextName) => {
      const constraint = { contextName, operator: 'IN', values: ['x'] };
      expect(holds(constraint, { [contextName]: 'x' })).toBe(true);
      expect(holds(constraint, { properties: { [contextName]: 'x' } })).toBe(true);
      expect(holds(constraint, { [contextName]: 'y', properties: { [contextName]: 'x' } })).toBe(
        false,
      );
      expect(holds(constraint, { [contextName]: null })).toBe(false);
    },
  );

  test('currentTime defaults to now', () => {
    const at = (operator: string, value: string) => ({
      contextName: 'currentTime',
      operator,
      value,
    });
    expect(holds(at('DATE_AFTER', '2026-03-01T11:59:59Z'), {})).toBe(true);
    expect(holds(at('DATE_BEFORE', '2026-03-01T12:00:01Z'), {})).toBe(true);
    expect(holds(at('DATE_AFTER', '2026-03-01T12:00:00Z'), {})).toBe(false);
    expect(holds(at('DATE_BEFORE', '2026-03-01T12:00:01Z'), { currentTime: 'soon' })).toBe(false);
    expect(holds(at('DATE_BEFORE', '2026-03-01T12:00:01Z'), { currentTime: noon })).toBe(true);
  });

  test.each(['constructor', '__proto__', 'toString', 'properties'])(
    '%s is missing unless the context contains it',
    (contextName) => {
      expect(holds({ contextName, operator: 'STR_CONTAINS', values: ['o'] }, field('x'))).toBe(
        false,
      );
      expect(holds({ contextName, operator: 'NOT_IN', values: [] }, field('x'))).toBe(true);
    },
  );

  test('an evaluator keeps no state between contexts', () => {
    const constraints = [{ contextName: 'userId', operator: 'NUM_GT', value: '5' }];
    const evaluator = compile({
      features: [{ name: 'f', enabled: true, strategies: [{ name: 'default', constraints }] }],
    });
    const context = { userId: '6' };
    expect(evaluator.evaluate('f', context).enabled).toBe(true);
    context.userId = '5';
    expect(evaluator.evaluate('f', context).enabled).toBe(false);
    expect(evaluator.evaluate('f', {}).enabled).toBe(false);
    expect(evaluator.evaluate('f', { userId: '7' }).enabled).toBe(true);
  });
});
