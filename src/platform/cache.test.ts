import { expect, test } from 'vitest';
import { createCache } from './cache.ts';

test('the cache removes the least recently used entry first', () => {
  const cache = createCache<string, number>({ maxEntries: 2 });
  cache.set('a', 1);
  cache.set('b', 2);
  expect(cache.get('a')).toBe(1);
  cache.set('c', 3);
  expect(['a', 'b', 'c'].map(cache.get)).toEqual([1, undefined, 3]);
});

test('checking for an entry does not count as use', () => {
  const cache = createCache<string, number>({ maxEntries: 2 });
  cache.set('a', 1);
  cache.set('b', 2);
  expect(cache.has('a')).toBe(true);
  cache.set('c', 3);
  expect(['a', 'b', 'c'].map(cache.has)).toEqual([false, true, true]);
});

test('the cache keeps the total cost of all entries within the maximum', () => {
  const cache = createCache<string, string>({ maxCost: 10, costOf: ({ length }) => length });
  cache.set('a', '12345');
  cache.set('b', '12345');
  cache.set('c', '1');
  expect(['a', 'b', 'c'].map(cache.has)).toEqual([false, true, true]);
});

test('the cache keeps an entry that costs more than the maximum, alone', () => {
  const cache = createCache<string, string>({ maxCost: 10, costOf: ({ length }) => length });
  cache.set('a', '1');
  cache.set('b', 'x'.repeat(100));
  expect(['a', 'b'].map(cache.has)).toEqual([false, true]);
  cache.set('c', '');
  expect(['b', 'c'].map(cache.has)).toEqual([false, true]);
});

test('the cache uses the new cost of a replaced value', () => {
  const cache = createCache<string, { cost: number }>({ maxCost: 10, costOf: ({ cost }) => cost });
  const growing = { cost: 1 };
  cache.set('other', { cost: 5 });
  cache.set('growing', growing);
  growing.cost = 6;
  cache.set('growing', growing);
  expect(['other', 'growing'].map(cache.has)).toEqual([false, true]);
  growing.cost = 2;
  cache.set('growing', growing);
  cache.set('another', { cost: 8 });
  expect(['growing', 'another'].map(cache.has)).toEqual([true, true]);
});

test('the cache keeps no more entries than the maximum, whatever they cost', () => {
  const cache = createCache<string, number>({ maxEntries: 2, maxCost: 100, costOf: () => 1 });
  cache.set('a', 1);
  cache.set('b', 2);
  cache.get('a');
  cache.set('c', 3);
  expect(['a', 'b', 'c'].map(cache.has)).toEqual([true, false, true]);
});
