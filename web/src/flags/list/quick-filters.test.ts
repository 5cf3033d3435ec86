import { expect, test } from 'vitest';
import { isOn, isQuick, quickFilters, toggledQuickly } from './quick-filters.ts';
import { type FeatureSearch, toQuery } from './search.ts';

const now = new Date('2026-11-16T12:00:00Z');

test('quick filters set the same search parameters as the facets, and combine', () => {
  const all = quickFilters.reduce(toggledQuickly, { type: ['release'] } as FeatureSearch);
  expect(toQuery(all, undefined, now)).toMatchObject({
    type: 'IS:release',
    owner: 'IS:me',
    state: 'IS:stale',
    enabledIn: 'INCLUDE:production',
    lastSeenAt: 'IS_BEFORE_OR_NEVER:2026-10-17',
  });
  expect(quickFilters.every((each) => isOn(all, each))).toBe(true);
  expect(quickFilters.reduce(toggledQuickly, all)).toEqual({ type: ['release'] });
});

test('a quick filter keeps other values of its facet', () => {
  const stale = quickFilters.find(({ label }) => label === 'Stale');
  const search = { state: ['potentially-stale'] };
  expect(stale && toggledQuickly(search, stale)).toEqual({ state: ['potentially-stale', 'stale'] });
  expect(isQuick('state', 'stale')).toBe(true);
  expect(isQuick('state', 'potentially-stale')).toBe(false);
});
