import { expect, test } from 'vitest';
import { type FeatureSearch, readFeatureSearch, toQuery, writeFeatureSearch } from './search.ts';

const now = new Date('2026-11-16T12:00:00Z');

test.each<[FeatureSearch]>([
  [{}],
  [{ query: 'dark mode', sortBy: 'name', view: 12 }],
  [{ type: ['release', 'experiment'], archived: true, favorite: true }],
  [{ tag: ['simple:a,b', 'simple:100%', 'simple:%2C'] }],
  [
    {
      status: ['development:enabled'],
      enabledIn: ['production'],
      lastSeenAt: 'before:30',
      columns: ['type', 'env:production'],
    },
  ],
])('the filters %j are the same after writing them to the URL and reading them', (search) => {
  expect(readFeatureSearch(writeFeatureSearch(search))).toEqual(search);
});

test('the feature list ignores invalid search parameters', () => {
  expect(
    readFeatureSearch({ query: 12, type: ',', lastSeenAt: 'soon', archived: 'yes', colour: 'red' }),
  ).toEqual({ query: '12' });
});

test.each<[FeatureSearch, object]>([
  [{}, { sortBy: 'createdAt', sortOrder: 'desc' }],
  [{ sortBy: 'name' }, { sortBy: 'name', sortOrder: 'asc' }],
  [{ type: ['release'] }, { type: 'IS:release' }],
  [{ type: ['release', 'experiment'] }, { type: 'IS_ANY_OF:release,experiment' }],
  [{ state: ['stale'] }, { state: 'IS:stale' }],
  [{ state: ['active'] }, { state: 'IS_NONE_OF:potentially-stale,stale' }],
  [{ state: ['active', 'potentially-stale'] }, { state: 'IS_NOT:stale' }],
  [{ enabledIn: ['production'] }, { enabledIn: 'INCLUDE:production' }],
  [{ tag: ['simple:a,b'] }, { tag: 'INCLUDE:simple:a,b' }],
  [{ lastSeenAt: 'never' }, { lastSeenAt: 'IS:never' }],
  [{ lastSeenAt: 'within:7' }, { lastSeenAt: 'IS_ON_OR_AFTER:2026-11-09' }],
  [{ lastSeenAt: 'before:30' }, { lastSeenAt: 'IS_BEFORE_OR_NEVER:2026-10-17' }],
  [
    { favorite: true, archived: true },
    { favorite: 'IS:true', archived: 'IS:true' },
  ],
])('the filters %j request %j', (search, query) => {
  expect(toQuery(search, undefined, now)).toMatchObject(query);
});

test('selecting all states filters nothing', () => {
  const states = ['stale', 'active', 'potentially-stale'];
  expect(toQuery({ state: states }, undefined, now)).not.toHaveProperty('state');
});

test('inside a project, only features of that project are requested', () => {
  expect(toQuery({ project: ['other'] }, 'shop', now)).toMatchObject({ project: 'IS:shop' });
});
