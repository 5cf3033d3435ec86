import { expect, test } from 'vitest';
import { freeSlug, slugOf } from './slug.ts';

test.each([
  ['My Project', 'my-project'],
  ['  Ünïted   Ærø! ', 'united-r'],
  ['Zürich/Payments_2', 'zurich-payments-2'],
  ['プロジェクト', 'project'],
  ['---', 'project'],
  [`${'a'.repeat(89)} b`, 'a'.repeat(89)],
  ['x'.repeat(100), 'x'.repeat(90)],
])('the slug of %j is %s', (name, slug) => {
  expect(slugOf(name)).toBe(slug);
});

test('a slug in use gets the first free number', () => {
  expect(freeSlug('a', new Set(['b', 'a-1']))).toBe('a');
  expect(freeSlug('a', new Set(['a', 'a-1', 'a-3']))).toBe('a-2');
});
