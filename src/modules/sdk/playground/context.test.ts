import { describe, expect, test } from 'vitest';
import {
  combinations,
  contextFaults,
  contextOf,
  countCombinations,
  readContext,
} from './context.ts';

const fieldsOf = (context: Record<string, unknown>, mode: Parameters<typeof readContext>[1]) =>
  Object.fromEntries(readContext(context, mode).fields);

describe('a context field with one value', () => {
  test('keeps commas in the value', () => {
    expect(fieldsOf({ userId: 'a,b', properties: { size: 7, beta: true } }, 'one value')).toEqual({
      userId: ['a,b'],
      size: ['7'],
      beta: ['true'],
    });
  });

  test('takes precedence over the property with the same name, as in SDKs', () => {
    expect(fieldsOf({ plan: 'gold', properties: { plan: 'tin' } }, 'one value')).toEqual({
      plan: ['gold'],
    });
  });

  test('is omitted if it is null', () => {
    expect(fieldsOf({ userId: null, properties: { plan: null } }, 'one value')).toEqual({});
  });

  test('is reported as invalid if it is a list or an object', () => {
    const { fields, invalid } = readContext(
      { plan: { is: 'gold' }, list: ['a'], properties: { deep: {}, fine: 'x' } },
      'one value',
    );
    expect([...fields.keys()]).toEqual(['fine']);
    expect(invalid).toEqual(['plan', 'list', 'properties.deep']);
  });
});

describe('a context field with several values', () => {
  test('is split at commas and trimmed, or given as a list', () => {
    const context = { userId: ' a, b ,,a', properties: { plan: ['gold,silver', 'tin', 'tin'] } };
    expect(fieldsOf(context, 'several values')).toEqual({
      userId: ['a', 'b'],
      plan: ['gold,silver', 'tin'],
    });
  });

  test('can be empty', () => {
    expect(fieldsOf({ userId: '', sessionId: ',', appName: [] }, 'several values')).toEqual({
      userId: [''],
      sessionId: [','],
    });
  });

  test('is not split at commas if it is currentTime', () => {
    const currentTime = 'Thu, 01 Jan 2026 00:00:00 GMT';
    expect(fieldsOf({ currentTime }, 'several values')).toEqual({ currentTime: [currentTime] });
    expect(contextFaults({ currentTime }, 'several values')).toEqual([]);
  });

  test('is combined with other fields, varying the last field first', () => {
    const { fields } = readContext({ userId: 'a,b', plan: 'x,y', appName: 'z' }, 'several values');
    expect(countCombinations(fields)).toBe(4);
    expect([...combinations(fields)]).toEqual([
      { userId: 'a', plan: 'x', appName: 'z' },
      { userId: 'a', plan: 'y', appName: 'z' },
      { userId: 'b', plan: 'x', appName: 'z' },
      { userId: 'b', plan: 'y', appName: 'z' },
    ]);
    expect([...combinations(new Map())]).toEqual([{}]);
  });
});

test('fields that SDKs do not have become properties', () => {
  const flat = { userId: 'a', currentTime: '2026-01-01T00:00:00Z', plan: 'x', __proto__x: 'y' };
  expect(contextOf(flat)).toEqual({
    userId: 'a',
    currentTime: '2026-01-01T00:00:00Z',
    properties: { plan: 'x', __proto__x: 'y' },
  });
});

describe('a playground context is invalid', () => {
  const pathsOf = (context: unknown, mode: Parameters<typeof contextFaults>[1] = 'one value') =>
    contextFaults(context, mode).map(({ path }) => path);

  test.each([
    [{ userId: {} }, '/body/context/userId'],
    [{ sessionId: ['a'] }, '/body/context/sessionId'],
    [{ currentTime: 'soon' }, '/body/context/currentTime'],
    [{ properties: 'a' }, '/body/context/properties'],
    [{ properties: ['a'] }, '/body/context/properties'],
    [{ note: 'x'.repeat(10_001) }, '/body/context'],
  ])('if it is %j', (context, path) => {
    expect(pathsOf(context)).toEqual([path]);
  });

  test('if a field has more than 100 values', () => {
    const numbers = Array.from({ length: 101 }, (_, number) => number);
    expect(pathsOf({ userId: numbers }, 'several values')).toEqual(['/body/context']);
    expect(pathsOf({ userId: numbers.join() }, 'several values')).toEqual(['/body/context']);
    expect(pathsOf({ userId: numbers.join() })).toEqual([]);
    expect(pathsOf({ userId: numbers.slice(1) }, 'several values')).toEqual([]);
  });

  test('without a second error for what the schema rejects', () => {
    for (const context of [undefined, null, 'a', ['a'], {}]) expect(pathsOf(context)).toEqual([]);
  });
});
