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

describe('a faulty body', () => {
  const rules: Record<string, RequestRules> = {
    'lacks a property': { body: Type.Object({ name: Type.String() }) },
    'is no list': { body: Type.Array(Type.String()) },
    'has what its schema does not allow': {
      body: Type.Object({}, { additionalProperties: false }),
    },
    'is refused by the check': { body: Type.Object({}), check: () => [{ message: 'wrong' }] },
  };

  test.each(Object.entries(rules))('that %s is not kept after its answer', async (_, rule) => {
    const findFaults = requestFaults(rule);
    const refuse = () => {
      const body = { large: { list: [1, 2, 3] } };
      expect(findFaults({ ...noParts, body })).toHaveLength(1);
      return new WeakRef(body.large);
    };
    const left = refuse();
    // A weak reference is strong until the end of the turn that created it.
    await new Promise(setImmediate);
    collectGarbage();
    expect(left.deref()).toBeUndefined();
  });

  test('is looked at no further than its hundredth fault', () => {
    const { list, seen } = counted(Array.from({ length: 10_000 }, () => 'no number'));
    const faults = schemaFaults(Type.Array(Type.Number()))(list, '/body');
    expect(faults).toHaveLength(100);
    expect(seen.items).toBeLessThan(300);
  });

  test('says that there are at least a hundred faults, and lists twenty', () => {
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

  test('is looked at no further than its hundredth text that cannot be stored', () => {
    const { list, seen } = counted(Array.from({ length: 10_000 }, () => 'a\0b'));
    expect(requestFaults({})({ ...noParts, body: list })).toHaveLength(100);
    expect(seen.items).toBe(100);
  });

  test('with a hundred faults is not checked further, because nobody knows what of it is sound', () => {
    const body = { names: Array.from({ length: 100 }, () => 5), size: 'no number' };
    const find = requestFaults({
      body: Type.Object({ names: Type.Array(Type.String()), size: Type.Number() }),
      check: () => {
        throw new Error('the check saw a size that is no number');
      },
    });
    expect(find({ ...noParts, body })).toHaveLength(100);
  });

  test('is accepted by the branch that fits, whatever the faults of another', () => {
    const either = Type.Union([Type.Array(Type.Number()), Type.Array(Type.String())]);
    const body = Array.from({ length: 500 }, () => 'text');
    expect(requestFaults({ body: either })({ ...noParts, body })).toEqual([]);
  });
});

describe('an excerpt of a value', () => {
  test.each([1, 'text', null, [], {}, [1, 'a', { b: [true] }], { a: { b: 'c' }, d: [] }])(
    'that is short is the value: %j',
    (value) => {
      expect(excerpt(value)).toBe(JSON.stringify(value));
    },
  );

  test('that is long is its beginning', () => {
    const value = { text: 'x'.repeat(1_000_000), more: 1 };
    expect(excerpt(value)).toBe(`${JSON.stringify(value).slice(0, 77)}...`);
  });

  test('looks at no more items than it shows', () => {
    const { list, seen } = counted(Array.from({ length: 10_000 }, () => 7));
    expect(excerpt(list)).toHaveLength(80);
    expect(seen.items).toBeLessThan(200);
  });
});
