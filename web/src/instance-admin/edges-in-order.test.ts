import { expect, test } from 'vitest';
import { ageText, edgesInOrder, isSilent } from './edges-in-order.ts';

const edge = (identifier: string, parent: string | null = null) => ({ identifier, parent });
const orderOf = (...edges: readonly ReturnType<typeof edge>[]) =>
  edgesInOrder(edges).map(({ edge: { identifier }, level }) => `${level} ${identifier}`);

test('an edge is listed below its upstream', () => {
  expect(orderOf(edge('c', 'b'), edge('a'), edge('d'), edge('b', 'a'))).toEqual([
    '0 a',
    '1 b',
    '2 c',
    '0 d',
  ]);
});

test('an edge whose upstream is unknown is listed at the top level', () => {
  expect(orderOf(edge('a', 'gone'))).toEqual(['0 a']);
});

test('edges that name each other as upstream are listed once', () => {
  expect(orderOf(edge('a', 'b'), edge('b', 'a'), edge('c', 'c'))).toEqual(['0 a', '1 b', '0 c']);
});

test.each([
  [0, '0 s'],
  [59.9, '59 s'],
  [60, '1 min'],
  [7_300, '2 h'],
  [200_000, '2 d'],
])('an age of %d seconds is shown as %s', (seconds, text) => {
  expect(ageText(seconds)).toBe(text);
});

test('an edge is shown as silent after three minutes without a report', () => {
  const now = new Date('2026-11-18T12:00:00Z');
  expect(isSilent('2026-11-18T11:57:30Z', now)).toBe(false);
  expect(isSilent('2026-11-18T11:56:30Z', now)).toBe(true);
});
