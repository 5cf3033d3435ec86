import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { randomCases } from '../../../test/support/random-cases.ts';
import { patched, patchFaults } from './json-patch.ts';

const document = () => ({ a: 1, list: ['x', 'y'], deep: { b: { c: true } }, 'o/d~d': 0 });

afterEach(() => void vi.restoreAllMocks());

describe('a JSON Patch (RFC 6902)', () => {
  test.each([
    [{ op: 'add', path: '/new', value: 2 }, { new: 2 }],
    [{ op: 'add', path: '/a', value: 2 }, { a: 2 }],
    [{ op: 'add', path: '/list/1', value: 'z' }, { list: ['x', 'z', 'y'] }],
    [{ op: 'add', path: '/list/-', value: 'z' }, { list: ['x', 'y', 'z'] }],
    [{ op: 'add', path: '/list/2', value: 'z' }, { list: ['x', 'y', 'z'] }],
    [{ op: 'replace', path: '/list/0', value: 'z' }, { list: ['z', 'y'] }],
    [{ op: 'replace', path: '/deep/b', value: null }, { deep: { b: null } }],
    [{ op: 'replace', path: '/o~1d~0d', value: 1 }, { 'o/d~d': 1 }],
    [{ op: 'remove', path: '/list/0' }, { list: ['y'] }],
    [{ op: 'move', from: '/list/0', path: '/list/1' }, { list: ['y', 'x'] }],
    [{ op: 'copy', from: '/deep/b', path: '/list/0' }, { list: [{ c: true }, 'x', 'y'] }],
    [{ op: 'test', path: '/deep', value: { b: { c: true } } }, {}],
  ])('applies %j', (operation, outcome) => {
    const original = document();
    expect(patched(original, [operation])).toEqual({ ...document(), ...outcome });
    expect(original).toEqual(document());
  });

  test('can remove a key and replace the whole document', () => {
    const { a, ...rest } = document();
    expect(patched(document(), [{ op: 'remove', path: '/a' }])).toEqual(rest);
    expect(patched(document(), [{ op: 'replace', path: '', value: [1] }])).toEqual([1]);
  });

  test.each([
    { op: 'replace', path: '/none', value: 1 },
    { op: 'remove', path: '/list/2' },
    { op: 'remove', path: '/list/-' },
    { op: 'add', path: '/list/3', value: 1 },
    { op: 'add', path: '/list/01', value: 1 },
    { op: 'add', path: '/list/length', value: 1 },
    { op: 'replace', path: '/list/length', value: 1_000_000_000 },
    { op: 'add', path: '/a/below', value: 1 },
    { op: 'add', path: '/none/below', value: 1 },
    { op: 'add', path: '/__proto__/polluted', value: 1 },
    { op: 'add', path: '/__proto__', value: {} },
    { op: 'add', path: '/constructor/prototype/polluted', value: 1 },
    { op: 'copy', from: '/toString', path: '/x' },
    { op: 'move', from: '/deep', path: '/deep/b/d' },
    { op: 'test', path: '/a', value: 2 },
  ])('rejects %j with the path of the operation', (operation) => {
    const fine = { op: 'test', path: '/a', value: 1 };
    expect(() => patched(document(), [fine, operation])).toThrow(
      expect.objectContaining({
        status: 400,
        details: [expect.objectContaining({ path: '/body/1' })],
      }),
    );
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  test('treats special property names as plain keys', () => {
    const odd = { constructor: 'function Array() { [native code] }', length: 4_294_967_295 };
    expect(patched({}, [{ op: 'add', path: '/value', value: odd }])).toEqual({ value: odd });
    const outcome = patched({ value: odd }, [
      { op: 'test', path: '/value/constructor', value: odd.constructor },
      { op: 'copy', from: '/value', path: '/again' },
    ]);
    expect(outcome).toEqual({ value: odd, again: odd });
  });

  test('cannot grow or nest a document without limit', () => {
    const doubling = Array.from({ length: 40 }, () => ({ op: 'copy', from: '/l', path: '/l/-' }));
    expect(() => patched({ l: ['x'.repeat(100)] }, doubling)).toThrow(/copies too much|too deep/);
    const nesting = Array.from({ length: 200 }, () => [
      { op: 'add', path: '/y', value: {} },
      { op: 'move', from: '/x', path: '/y/x' },
      { op: 'move', from: '/y', path: '/x' },
    ]).flat();
    expect(() => patched({ x: {} }, nesting)).toThrow('deeper than');
  });

  test('measures only what it copies, and the result once', () => {
    const containers = 2_000;
    const large = Array.from({ length: containers }, (_, index) => ({ index }));
    const patch = Array.from({ length: 100 }, () => ({
      op: 'copy',
      from: '/small',
      path: '/copy',
    }));
    const looks = [vi.spyOn(Object, 'keys'), vi.spyOn(Object, 'values')];
    const writes = vi.spyOn(JSON, 'stringify');
    patched({ large, small: { a: 1 } }, patch);
    const looked = looks.reduce((sum, spy) => sum + spy.mock.calls.length, 0);
    expect(looked).toBeLessThan(containers + 2 * patch.length);
    expect(writes).not.toHaveBeenCalled();
  });

  test('stops measuring a copy once it is too large', () => {
    const large = { texts: Array.from({ length: 2_000 }, () => ({ text: 'x'.repeat(10_000) })) };
    const looks = vi.spyOn(Object, 'keys');
    expect(() => patched({ large }, [{ op: 'copy', from: '/large', path: '/again' }])).toThrow(
      'copies too much',
    );
    expect(looks.mock.calls.length).toBeLessThan(200);
  });

  test('limits the total size of all copies', () => {
    const patch = Array.from({ length: 11 }, (_, index) => ({
      op: 'copy',
      from: '/text',
      path: `/copy${index}`,
    }));
    const text = 'x'.repeat(100_000);
    expect(() => patched({ text }, patch)).toThrow(
      expect.objectContaining({ details: [expect.objectContaining({ path: '/body/10' })] }),
    );
    expect(patched({ text }, patch.slice(0, 10))).toMatchObject({ copy9: text });
  });

  test('rejects a copy that is nested too deeply with 400', () => {
    const nesting = Array.from({ length: 30 }, () => [
      { op: 'add', path: '/y', value: { a: { b: {} } } },
      { op: 'move', from: '/x', path: '/y/a/b/x' },
      { op: 'move', from: '/y', path: '/x' },
    ]).flat();
    const copy = { op: 'copy', from: '/x', path: '/z' };
    expect(() => patched({ x: {} }, [...nesting, copy])).toThrow('nests too deep');
  });

  test('requires "value" or "from" if the operation needs it', () => {
    const patch = [
      { op: 'add', path: '/a' },
      { op: 'move', path: '/a' },
      { op: 'remove', path: '/a' },
    ];
    expect(patchFaults(patch).map(({ path }) => path)).toEqual(['/body/0/value', '/body/1/from']);
  });

  test('always returns a result or 400 for random operations', () => {
    const pointer = fc
      .array(fc.constantFrom('a', 'list', '0', '1', '-', 'deep', 'b'))
      .map((tokens) => tokens.map((token) => `/${token}`).join(''));
    const operation = fc.record({
      op: fc.constantFrom('add', 'remove', 'replace', 'move', 'copy', 'test'),
      path: pointer,
      from: pointer,
      value: fc.jsonValue(),
    });
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 8 }), (operations) => {
        try {
          JSON.stringify(patched(document(), operations));
        } catch (error) {
          expect(error).toMatchObject({ status: 400 });
        }
      }),
      randomCases(150, 10_000),
    );
  });
});
