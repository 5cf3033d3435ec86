import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { randomCases } from '../../../../test/support/random-cases.ts';
import { constraintFaults } from './constraint-faults.ts';
import { completeConstraint, type Operator, operands } from './constraint-schema.ts';

const operators = Object.keys(operands) as Operator[];
const numbers = ['NUM_EQ', 'NUM_GT', 'NUM_GTE', 'NUM_LT', 'NUM_LTE'] as const;
const dates = ['DATE_AFTER', 'DATE_BEFORE'] as const;
const versions = ['SEMVER_EQ', 'SEMVER_GT', 'SEMVER_GTE', 'SEMVER_LT', 'SEMVER_LTE'] as const;
const parts = ['STR_CONTAINS', 'STR_STARTS_WITH', 'STR_ENDS_WITH'] as const;

const faults = (operator: Operator, more: { value?: string; values?: string[] } = {}) =>
  constraintFaults([{ contextName: 'field', operator, ...more }], '/body/constraints');

/** Expects exactly one validation error and returns it. */
const fault = (operator: Operator, more: { value?: string; values?: string[] } = {}) => {
  const found = faults(operator, more);
  expect(found).toHaveLength(1);
  expect(found[0]?.message).toContain(found[0]?.path);
  return { path: found[0]?.path, message: found[0]?.message ?? '' };
};

const combine = <V>(operators: readonly Operator[], values: readonly V[]) =>
  operators.flatMap((operator) => values.map((value) => [operator, value] as const));

describe('list operators', () => {
  test.each(combine(['IN', 'NOT_IN'], [undefined, [], ['a'], [''], ['a', 'a', ' ']]))(
    '%s accepts the values %j',
    (operator, values) => {
      expect(faults(operator, values ? { values } : {})).toEqual([]);
    },
  );
});

describe('substring operators', () => {
  test.each(combine(parts, [['a'], ['a', 'b c'], ['.', '*']]))(
    '%s accepts %j',
    (operator, values) => {
      expect(faults(operator, { values })).toEqual([]);
    },
  );

  test.each(parts)('%s requires values, even if there is a single value', (operator) => {
    for (const more of [{}, { values: [] }, { value: 'a' }]) {
      const { path, message } = fault(operator, more);
      expect(path).toBe('/body/constraints/0/values');
      expect(message).toContain(operator);
    }
  });

  test.each(parts)('%s rejects blank values and reports their positions', (operator) => {
    const found = faults(operator, { values: ['a', '', 'b', ' \t'] });
    expect(found.map(({ path }) => path)).toEqual([
      '/body/constraints/0/values/1',
      '/body/constraints/0/values/3',
    ]);
    expect(found[1]?.message).toContain('you sent " \\t"');
  });
});

describe('IP ranges', () => {
  test.each([
    ['10.0.0.1'],
    ['10.0.0.0/8', '192.168.1.7/32', '0.0.0.0/0'],
    ['2001:db8::1', '2001:db8::/32', '::/0', '::ffff:10.0.0.1/128'],
    [' 10.0.0.0/8 '],
  ])('IN_CIDR accepts %j', (...values) => {
    expect(faults('IN_CIDR', { values })).toEqual([]);
  });

  test.each([
    '',
    ' ',
    'localhost',
    '10.0.0',
    '10.0.0.256',
    '010.0.0.1',
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    '10.0.0.0/255.0.0.0',
    '10.0.0.0 /8',
    '2001:db8::/129',
    '2001:db8::g',
    'fe80::1%eth0',
    '10.0.0.1-10.0.0.9',
  ])('IN_CIDR rejects %j and reports its position', (value) => {
    const { path, message } = fault('IN_CIDR', { values: ['10.0.0.1', value] });
    expect(path).toBe('/body/constraints/0/values/1');
    expect(message).toContain('must be an IP address or CIDR range');
    expect(message).toContain(`for IN_CIDR; you sent ${JSON.stringify(value)}`);
  });

  test('IN_CIDR requires values, even if there is a single value', () => {
    for (const more of [{}, { values: [] }, { value: '10.0.0.1' }]) {
      expect(fault('IN_CIDR', more).path).toBe('/body/constraints/0/values');
    }
  });
});

describe('number operators', () => {
  test.each(combine(numbers, ['0', '42', '-1.5', '+7', '.5', '5.', '1e3', '1E-9', '007']))(
    '%s accepts %j',
    (operator, value) => {
      expect(faults(operator, { value })).toEqual([]);
    },
  );

  test.each(
    combine(numbers, [
      '',
      ' ',
      'abc',
      '1,5',
      '0x10',
      '1 ',
      ' 1',
      '1_000',
      'NaN',
      'Infinity',
      '1e999',
      '--1',
      '.',
      '1e',
      '١',
    ]),
  )('%s rejects %j', (operator, value) => {
    const { path, message } = fault(operator, { value });
    expect(path).toBe('/body/constraints/0/value');
    expect(message).toContain('must be a number');
    expect(message).toContain(`you sent ${JSON.stringify(value)}`);
  });

  // A pattern with quadratic backtracking would not finish.
  test('a value of a million digits is rejected without quadratic backtracking', () => {
    fault('NUM_EQ', { value: `${'1'.repeat(1_000_000)}x` });
  });
});

describe('date operators', () => {
  test.each(
    combine(dates, [
      '2026-01-31T12:00:00Z',
      '2026-01-31T12:00:00.123Z',
      '2026-01-31T12:00:00.123456789+05:30',
      '2024-02-29T23:59:59-08:00',
      '2026-01-31T12:00Z',
      '2026-01-31T12:00:00+0200',
      '2026-01-31t12:00:00z',
      '0000-02-29T00:00:00Z',
    ]),
  )('%s accepts %j', (operator, value) => {
    expect(faults(operator, { value })).toEqual([]);
  });

  test.each(
    combine(dates, [
      '',
      'tomorrow',
      '2026-01-31',
      '2026-01-31T12:00:00',
      '2026-02-30T12:00:00Z',
      '2025-02-29T12:00:00Z',
      '2026-13-01T12:00:00Z',
      '2026-00-01T12:00:00Z',
      '2026-01-00T12:00:00Z',
      '2026-01-31T24:00:00Z',
      '2026-01-31T12:60:00Z',
      '2016-12-31T23:59:60Z',
      '2026-01-31 12:00:00Z',
      '2026-01-31T12:00:00+24:00',
      '2026-01-31T12:00:00+02:60',
      '2026-01-31T12:00:00+02',
      '2026-01-31T12:00:00,5Z',
      '2026-01-31T12:00:00.Z',
      '+002026-01-31T12:00:00Z',
      ' 2026-01-31T12:00:00Z',
      '2026-01-31T12:00:00Z\n',
      '1767225600000',
    ]),
  )('%s rejects %j', (operator, value) => {
    const { path, message } = fault(operator, { value });
    expect(path).toBe('/body/constraints/0/value');
    expect(message).toContain('date and time with a time zone');
    expect(message).toContain(`you sent ${JSON.stringify(value)}`);
  });
});

describe('version operators', () => {
  test.each(
    combine(versions, ['0.0.0', '1.2.3', '10.20.30-rc.1', '1.0.0-alpha-b.7+build.5', '1.2.3+b']),
  )('%s accepts %j', (operator, value) => {
    expect(faults(operator, { value })).toEqual([]);
  });

  test.each(
    combine(versions, [
      '',
      '1',
      '1.2',
      'v1.2.3',
      '=1.2.3',
      ' 1.2.3',
      '1.2.3 ',
      '1.2.3\n',
      '01.2.3',
      '1.2.3-01',
      '1.2.3-',
      '1.2.x',
      '>1.2.3',
      '1.2.3.4',
      `1.2.${'9'.repeat(30)}`,
    ]),
  )('%s rejects %j', (operator, value) => {
    const { path, message } = fault(operator, { value });
    expect(path).toBe('/body/constraints/0/value');
    expect(message).toContain('semantic version');
    expect(message).toContain(`you sent ${JSON.stringify(value)}`);
  });
});

describe('regular expressions', () => {
  test.each(['a', '^user-\\d{1,3}$', '(?i)admin|root', '[[:alpha:]]+', `^${'x'.repeat(999)}`])(
    'REGEX accepts %j',
    (value) => {
      expect(faults('REGEX', { value })).toEqual([]);
    },
  );

  test.each([
    ['', 'empty'],
    ['(', 'missing closing'],
    ['[z-a]', 'invalid character class range'],
    ['(?=x)', 'lookaround'],
    ['(a)\\1', 'backreferences'],
    ['*', 'missing argument'],
    ['x'.repeat(1001), 'at most 1000 characters long, not 1001'],
  ])('REGEX rejects %j', (value, words) => {
    const { path, message } = fault('REGEX', { value });
    expect(path).toBe('/body/constraints/0/value');
    expect(message).toContain(words);
    expect(message.length).toBeLessThan(2500);
  });
});

describe('a missing single value', () => {
  test.each([...numbers, ...dates, ...versions, 'REGEX'] as const)(
    '%s requires a value and does not accept values instead',
    (operator) => {
      expect(fault(operator)).toEqual({
        path: '/body/constraints/0/value',
        message: `/body/constraints/0/value is missing: ${operator} requires a value`,
      });
      expect(fault(operator, { values: ['1'] }).message).toContain('requires a value, not values');
    },
  );
});

test('every constraint in a list is checked and reported under its own path', () => {
  const constraints = [
    { contextName: 'a', operator: 'NUM_GT' as const, value: 'x' },
    { contextName: 'b', operator: 'IN' as const },
    { contextName: 'c', operator: 'STR_CONTAINS' as const, values: [' '] },
  ];
  expect(constraintFaults(constraints, '/body/0/constraints').map(({ path }) => path)).toEqual([
    '/body/0/constraints/0/value',
    '/body/0/constraints/2/values/0',
  ]);
});

test('an error message does not repeat a very long value in full', () => {
  expect(fault('NUM_EQ', { value: 'x'.repeat(10_000) }).message.length).toBeLessThan(300);
});

test('the check never throws, whatever a constraint contains', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.stringMatching(/^[[\](){}*+?^$\\.|,0-9a-z:<=!-]{0,60}$/),
    fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
    fc.double().map(String),
  );
  const constraint = fc.record(
    {
      contextName: text,
      operator: fc.constantFrom(...operators),
      values: fc.array(text, { maxLength: 5 }),
      value: text,
    },
    { requiredKeys: ['contextName', 'operator'] },
  );
  fc.assert(
    fc.property(fc.array(constraint, { maxLength: 4 }), (constraints) => {
      for (const { path, message } of constraintFaults(constraints, '/body/constraints')) {
        expect(path).toMatch(/^\/body\/constraints\/\d\/values?(\/\d)?$/);
        expect(message.startsWith(`${path} `)).toBe(true);
      }
    }),
    randomCases(40, 10_000),
  );
});

describe('a stored constraint', () => {
  test('has every field, but a value only if one was sent', () => {
    expect(completeConstraint({ contextName: 'a', operator: 'IN' })).toEqual({
      contextName: 'a',
      operator: 'IN',
      caseInsensitive: false,
      inverted: false,
      values: [],
    });
    const one = { contextName: 'a', operator: 'NUM_EQ' as const, value: '1', inverted: true };
    expect(completeConstraint(one)).toMatchObject({ value: '1', inverted: true, values: [] });
  });

  test('omits the empty value that forms send along with a list', () => {
    const input = { contextName: 'a', operator: 'IN' as const, values: ['x'], value: '' };
    expect(completeConstraint(input)).not.toHaveProperty('value');
  });
});
