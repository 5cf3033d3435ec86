import { expect, test } from 'vitest';
import { currentOf, queryOf, searchOf } from './view-query.ts';

test('search parameters are the same after saving and opening a view', () => {
  const search = { state: 'stale', archived: true, tag: 'simple:a%2Cb', query: 'dark mode' };
  expect(searchOf(queryOf(search))).toEqual(search);
  expect(queryOf({ b: '2', a: undefined, c: '1' })).toBe('b=2&c=1');
});

const stale = { id: 1, query: 'state=stale&sortBy=name' };
const mine = { id: 2, query: 'favorite=true' };
const builtIn = { query: 'q=actor:me' };

test.each([
  [undefined, '', undefined],
  [undefined, 'type=release', undefined],
  [undefined, 'sortBy=name&state=stale', { view: stale, isModified: false }],
  [undefined, 'q=actor%3Ame', { view: builtIn, isModified: false }],
  [1, 'sortBy=name&state=stale', { view: stale, isModified: false }],
  [1, 'state=stale', { view: stale, isModified: true }],
  [1, '', { view: stale, isModified: true }],
  [2, 'favorite=true', { view: mine, isModified: false }],
  [9, 'type=release', undefined],
])('with view %j in the URL, the query %j shows the view %j', (id, query, current) => {
  expect(currentOf([stale, mine, builtIn], id, query)).toEqual(current);
});
