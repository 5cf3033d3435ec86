import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { listOf } from '../contract/query-list.ts';
import { queryReader } from './query-lists.ts';

const description = 'Some';
const read = queryReader(
  Type.Object({
    one: Type.String(),
    tag: Type.Optional(listOf(Type.String(), { description, maxItems: 10 })),
    status: Type.Optional(listOf(Type.String(), { description, maxItems: 10, commas: true })),
    'odd[]': Type.String(),
  }),
);

test.each([
  [{}, {}],
  [{ one: 'a' }, { one: 'a' }],
  [{ one: ['a', 'b'] }, { one: ['a', 'b'] }],
  [{ 'one[]': 'a' }, { one: 'a' }],
  [{ one: 'a', 'one[]': 'b' }, { one: ['a', 'b'] }],
  [{ tag: 'a,b' }, { tag: ['a,b'] }],
  [{ tag: ['a', 'b'] }, { tag: ['a', 'b'] }],
  [{ 'tag[]': 'a' }, { tag: ['a'] }],
  [{ 'tag[]': ['a', 'b'], tag: 'c' }, { tag: ['a', 'b', 'c'] }],
  [{ 'tag[0]': 'a', 'tag[1]': 'b' }, { tag: ['a', 'b'] }],
  [{ status: 'a, b' }, { status: ['a', 'b'] }],
  [{ 'status[]': ['a,b', 'c'] }, { status: ['a', 'b', 'c'] }],
  [{ 'odd[]': 'a' }, { 'odd[]': 'a' }],
  [
    { 'unknown[]': 'a', 'tag[x]': 'b' },
    { 'unknown[]': 'a', 'tag[x]': 'b' },
  ],
])('the query parameters %j are read as %j', (query, expected) => {
  expect(read(query)).toEqual(expected);
});

test('__proto__ and constructor are ordinary parameters', () => {
  const query = JSON.parse('{"__proto__":"a","tag[]":"b","constructor[]":"c"}');
  const answer = read(query) as Record<string, unknown>;
  expect(Object.keys(answer).sort()).toEqual(['__proto__', 'constructor[]', 'tag']);
  expect(answer.tag).toEqual(['b']);
});
