import { expect, test } from 'vitest';
import { readPlaygroundSearch } from './search.ts';

test.each([
  ['no values', {}, {}],
  ['one environment as a string', { environments: 'production' }, { environments: ['production'] }],
  ['a duplicate environment', { environments: ['a', 'a', 3] }, { environments: ['a', '3'] }],
  ['all projects', { projects: '*' }, {}],
  ['contexts', { contexts: { userId: 7 } }, { contexts: [{ userId: '7' }] }],
  ['invalid contexts', { contexts: [1] }, {}],
  ['a segment', { segment: 3 }, { segment: 3 }],
  ['an invalid segment', { segment: 'x' }, {}],
  ['an application whose name is a number', { application: 42 }, { application: '42' }],
  ['valid display options', { as: 'json', show: 'differ' }, { as: 'json', show: 'differ' }],
  ['invalid display options', { as: 'xml', show: 'all' }, {}],
  [
    'an open decision',
    { why: { project: 'p', feature: 'f', environment: 'e', context: 1 } },
    { why: { project: 'p', feature: 'f', environment: 'e', context: 1 } },
  ],
  ['an incomplete open decision', { why: { project: 'p', feature: 'f', context: 1 } }, {}],
])('the playground reads search parameters with %s', (_what, raw, search) => {
  expect(readPlaygroundSearch(raw)).toEqual(search);
});
