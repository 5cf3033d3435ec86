import fc from 'fast-check';
import { Type } from 'typebox';
import { describe, expect, test } from 'vitest';
import { endpoint } from '../contract/endpoint.ts';
import { checked } from './checked.ts';
import { examine } from './examine.ts';
import { exceeded, parseJson } from './json-body.ts';
import { joined, piecesOf } from './pieces.ts';

/** Values with parts larger and smaller than a piece. */
const value = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.string(),
    fc.integer({ min: 1, max: 90_000 }).map((length) => 'x'.repeat(length)),
    fc.constantFrom(null, true, 0, -1.5),
    fc.array(tie('value'), { maxLength: 6 }),
    fc.dictionary(fc.string(), tie('value'), { maxKeys: 6, noNullPrototype: true }),
  ),
})).value;

describe('a document split into pieces', () => {
  test('is the same after joining', async () => {
    await fc.assert(
      fc.asyncProperty(value, async (document) => {
        const whole = JSON.parse(JSON.stringify(document));
        expect(await joined([...piecesOf(whole)])).toEqual(whole);
      }),
      { numRuns: 200 },
    );
  });

  test('has only small pieces', () => {
    const list = Array.from({ length: 10_000 }, (_, index) => ({
      name: `feature-${index}`,
      on: true,
    }));
    const nested = { data: { list, groups: [list, list], one: { list } } };
    const sizes = [...piecesOf(nested)].map(({ json }) => json.length);
    expect(Math.max(...sizes)).toBeLessThan(100_000);
    expect(sizes.length).toBeGreaterThan(15);
  });

  test('lets other work run between any two pieces while joining', async () => {
    const pieces = [...piecesOf(Array.from({ length: 50_000 }, (_, index) => `item ${index}`))];
    let turns = 0;
    let isDone = false;
    const count = () => {
      turns += 1;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    await joined(pieces);
    isDone = true;
    expect(turns).toBeGreaterThanOrEqual(pieces.length - 1);
  });
});

describe('a JSON text', () => {
  test.each([
    ['{}', 1],
    ['[1,2,3]', 4],
    ['{"a":[[],[]]}', 5],
    ['["a,b,[c]","\\",[\\\\"]', 3],
  ])('%s has %i values', (text, values) => {
    const bounds = { values: 100, entries: 100, depth: 100 };
    expect(exceeded(text, { ...bounds, values: values + 1 })).toBeUndefined();
    expect(exceeded(text, { ...bounds, values: values - 1 })).toContain('values');
  });

  test.each([
    ['[[[1]]]', 'nested deeper than 2 levels'],
    ['{"a":1,"b":2,"c":3,"d":4}', 'more than 3 entries'],
    ['[[1,2,3],[1,2,3,4]]', 'more than 3 entries'],
    ['[[1,2,3],[1,2,3]]', undefined],
    ['["[[[[,,,,,","\\"[[,,,,"]', undefined],
  ])('%s is checked against the limits before parsing', (text, words) => {
    const found = exceeded(text, { values: 100, entries: 3, depth: 2 });
    if (words === undefined) expect(found).toBeUndefined();
    else expect(found).toContain(words);
  });

  test.each([
    '{"__proto__":{"a":1}}',
    '{"a":[{"\\u005f_proto__":1}]}',
    '{"constructor":{"prototype":{}}}',
    '{"a":',
    '',
  ])('%j is rejected', (text) => {
    expect(() => parseJson(text)).toThrow('not JSON');
  });

  test('with __proto__ or constructor as harmless text is accepted', () => {
    const harmless = { a: '__proto__', constructor: 'x', b: '\u00e9' };
    expect(parseJson(JSON.stringify(harmless))).toEqual(harmless);
  });
});

describe('a large body', () => {
  const contract = endpoint({
    method: 'POST',
    path: '/large',
    id: 'large',
    tag: 'Test',
    summary: 'A large body',
    permission: 'none',
    body: Type.Object({
      items: Type.Array(Type.Object({ name: Type.String() })),
      words: Type.Optional(Type.Unsafe<object>({ type: 'object', additionalProperties: true })),
    }),
  });
  const { large } = checked(
    { large: contract },
    {
      large: ({ body: { items = [] } }) => ({
        names: items.map(({ name }) => name),
        faults: items.length > 3 ? [{ path: '/body/items', message: 'too many' }] : [],
      }),
    },
  );
  const look = (body: string) =>
    examine(large, { endpointId: 'large', bytes: Buffer.from(body), params: {}, query: {} });

  test('is returned without properties missing in its schema', async () => {
    const body = {
      items: [{ name: 'a', junk: [1] }],
      words: { any: { thing: 1 } },
      junk: Array.from({ length: 1_000 }, () => []),
    };
    const examined = look(JSON.stringify(body));
    if ('faults' in examined) throw new Error('it is sound');
    expect(await joined(examined.pieces)).toEqual({
      items: [{ name: 'a' }],
      words: { any: { thing: 1 } },
    });
    // Includes the result of the check.
    expect(examined.parsed).toMatchObject({ names: ['a'] });
  });

  test.each([
    ['{"items":[{}]}', '/body/items/0/name'],
    ['{"items":[{"name":"a\\u0000"}]}', '/body/items/0/name'],
    ['{"items":[{"name":"a"},{"name":"a"},{"name":"a"},{"name":"a"}]}', '/body/items'],
    [`{"items":${'['.repeat(200)}${']'.repeat(200)}}`, '/body'],
    ['{"items":', '/body'],
    ['more values than 4,000,000', '/body'],
  ])('with a problem returns the path of the problem: %s', (body, path) => {
    const text = body.startsWith('{')
      ? body
      : `{"items":[${`[${'[],'.repeat(9_000)}[]],`.repeat(500)}[]]}`;
    expect(look(text)).toEqual({ faults: [expect.objectContaining({ path })] });
  });
});
