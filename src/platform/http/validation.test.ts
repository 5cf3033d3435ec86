import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Type } from 'typebox';
import { describe, expect, test } from 'vitest';
import { badData } from '../errors.ts';
import { excerpt } from './excerpt.ts';
import { schemaFaults } from './schema-faults.ts';
import { type RequestRules, requestFaults } from './validate.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

const noParts = { params: {}, query: {} };

/** A list that counts reads of its items. */
function counted(items: readonly unknown[]) {
  const seen = { items: 0 };
  const list = new Proxy(items, {
    get: (target, key) => {
      if (typeof key === 'string' && /^\d+$/.test(key)) seen.items += 1;
      return Reflect.get(target, key);
    },
  });
  return { list, seen };
}

describe('an invalid body', () => {
  const rules: Record<string, RequestRules> = {
    'lacks a property': { body: Type.Object({ name: Type.String() }) },
    'is not a list': { body: Type.Array(Type.String()) },
    'has an unknown property': {
      body: Type.Object({}, { additionalProperties: false }),
    },
    'is rejected by the check': { body: Type.Object({}), check: () => [{ message: 'wrong' }] },
  };

  test('is not kept in memory after the response, whatever is wrong with it', async () => {
    const refused = Object.entries(rules).map(([what, rule]) => {
      const findFaults = requestFaults(rule);
      const refuse = () => {
        const body = { large: { list: [1, 2, 3] } };
        expect(findFaults({ ...noParts, body }), what).toHaveLength(1);
        return new WeakRef(body.large);
      };
      return { what, findFaults, left: refuse() };
    });
    // A weak reference is strong until the end of the turn that created it.
    await new Promise(setImmediate);
    // Once for all: the heap of a worker is large.
    collectGarbage();
    expect(refused.filter(({ left }) => left.deref()).map(({ what }) => what)).toEqual([]);
    // What could have kept a body is still in use.
    for (const { findFaults } of refused)
      expect(findFaults({ ...noParts, body: 1 })).not.toEqual([]);
  });

  test('is validated only up to the hundredth problem', () => {
    const { list, seen } = counted(Array.from({ length: 10_000 }, () => 'no number'));
    const faults = schemaFaults(Type.Array(Type.Number()))(list, '/body');
    expect(faults).toHaveLength(100);
    expect(seen.items).toBeLessThan(300);
  });

  test('is reported with at least a hundred problems and lists twenty', () => {
    const body = Array.from({ length: 5_000 }, (_, index) => [index]);
    const found = requestFaults({ body: Type.Array(Type.String()) })({ ...noParts, body });
    const { message, details } = badData(found);
    expect(message).toBe(
      'Request validation failed: at least 100 problems, the first 20 in details',
    );
    expect(details).toHaveLength(20);
    expect(details[19]).toEqual({
      path: '/body/19',
      message: '/body/19 must be string; you sent [19]',
    });
  });

  test('is searched for invalid characters only up to the hundredth', () => {
    const { list, seen } = counted(Array.from({ length: 10_000 }, () => 'a\0b'));
    expect(requestFaults({})({ ...noParts, body: list })).toHaveLength(100);
    expect(seen.items).toBe(100);
  });

  test('with a hundred problems does not reach the check', () => {
    const body = { names: Array.from({ length: 100 }, () => 5), size: 'no number' };
    const find = requestFaults({
      body: Type.Object({ names: Type.Array(Type.String()), size: Type.Number() }),
      check: () => {
        throw new Error('the check saw a size that is no number');
      },
    });
    expect(find({ ...noParts, body })).toHaveLength(100);
  });

  test('is valid if one branch of a union matches, whatever the problems of the others', () => {
    const either = Type.Union([Type.Array(Type.Number()), Type.Array(Type.String())]);
    const body = Array.from({ length: 500 }, () => 'text');
    expect(requestFaults({ body: either })({ ...noParts, body })).toEqual([]);
  });
});

describe('an excerpt of a value', () => {
  test.each([1, 'text', null, [], {}, [1, 'a', { b: [true] }], { a: { b: 'c' }, d: [] }])(
    'is the whole value if it is short: %j',
    (value) => {
      expect(excerpt(value)).toBe(JSON.stringify(value));
    },
  );

  test('is the beginning of a long value', () => {
    const value = { text: 'x'.repeat(1_000_000), more: 1 };
    expect(excerpt(value)).toBe(`${JSON.stringify(value).slice(0, 77)}...`);
  });

  test('reads only as many items as it shows', () => {
    const { list, seen } = counted(Array.from({ length: 10_000 }, () => 7));
    expect(excerpt(list)).toHaveLength(80);
    expect(seen.items).toBeLessThan(200);
  });
});
