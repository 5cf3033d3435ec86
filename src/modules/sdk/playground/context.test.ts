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

describe('one value', () => {
  test('is taken as it stands, commas included', () => {
    expect(fieldsOf({ userId: 'a,b', properties: { size: 7, beta: true } }, 'one value')).toEqual({
      userId: ['a,b'],
      size: ['7'],
      beta: ['true'],
    });
  });

  test('beside the properties comes before one among them, as SDKs see it', () => {
    expect(fieldsOf({ plan: 'gold', properties: { plan: 'tin' } }, 'one value')).toEqual({
      plan: ['gold'],
    });
  });

  test('is left out when it is null', () => {
    expect(fieldsOf({ userId: null, properties: { plan: null } }, 'one value')).toEqual({});
  });

  test('that is a list or an object is ignored, and listed in the response', () => {
    const { fields, invalid } = readContext(
      { plan: { is: 'gold' }, list: ['a'], properties: { deep: {}, fine: 'x' } },
      'one value',
    );
    expect([...fields.keys()]).toEqual(['fine']);
    expect(invalid).toEqual(['plan', 'list', 'properties.deep']);
  });
});

describe('several values', () => {
  test('stand between commas, without blanks, or in a list', () => {
    const context = { userId: ' a, b ,,a', properties: { plan: ['gold,silver', 'tin', 'tin'] } };
    expect(fieldsOf(context, 'several values')).toEqual({
      userId: ['a', 'b'],
      plan: ['gold,silver', 'tin'],
    });
  });

  test('may be none: nothing, or a text without any', () => {
    expect(fieldsOf({ userId: '', sessionId: ',', appName: [] }, 'several values')).toEqual({
      userId: [''],
      sessionId: [','],
    });
  });

  test('of the time are not divided at commas', () => {
    const currentTime = 'Thu, 01 Jan 2026 00:00:00 GMT';
    expect(fieldsOf({ currentTime }, 'several values')).toEqual({ currentTime: [currentTime] });
    expect(contextFaults({ currentTime }, 'several values')).toEqual([]);
  });

  test('are combined, those of the last field first', () => {
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

test('what SDKs do not know by name goes among the properties', () => {
  const flat = { userId: 'a', currentTime: '2026-01-01T00:00:00Z', plan: 'x', __proto__x: 'y' };
  expect(contextOf(flat)).toEqual({
    userId: 'a',
    currentTime: '2026-01-01T00:00:00Z',
    properties: { plan: 'x', __proto__x: 'y' },
  });
});

describe('a context is at fault', () => {
  const pathsOf = (context: unknown, mode: Parameters<typeof contextFaults>[1] = 'one value') =>
    contextFaults(context, mode).map(({ path }) => path);

  test.each([
    [{ userId: {} }, '/body/context/userId'],
    [{ sessionId: ['a'] }, '/body/context/sessionId'],
    [{ currentTime: 'soon' }, '/body/context/currentTime'],
    [{ properties: 'a' }, '/body/context/properties'],
    [{ properties: ['a'] }, '/body/context/properties'],
    [{ note: 'x'.repeat(10_001) }, '/body/context'],
  ])('when it is %j', (context, path) => {
    expect(pathsOf(context)).toEqual([path]);
  });

  test('when a field has more values than anybody looks at', () => {
    const numbers = Array.from({ length: 101 }, (_, number) => number);
    expect(pathsOf({ userId: numbers }, 'several values')).toEqual(['/body/context']);
    expect(pathsOf({ userId: numbers.join() }, 'several values')).toEqual(['/body/context']);
    expect(pathsOf({ userId: numbers.join() })).toEqual([]);
    expect(pathsOf({ userId: numbers.slice(1) }, 'several values')).toEqual([]);
  });

  test('but not when the schema has said so already', () => {
    for (const context of [undefined, null, 'a', ['a'], {}]) expect(pathsOf(context)).toEqual([]);
  });
});
