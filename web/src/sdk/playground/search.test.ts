import { expect, test } from 'vitest';
import { readPlaygroundSearch } from './search.ts';

test.each([
  ['nothing', {}, {}],
  ['one environment as a text', { environments: 'production' }, { environments: ['production'] }],
  ['the same one twice', { environments: ['a', 'a', 3] }, { environments: ['a', '3'] }],
  ['all projects', { projects: '*' }, {}],
  ['contexts', { contexts: { userId: 7 } }, { contexts: [{ userId: '7' }] }],
  ['contexts that are none', { contexts: [1] }, {}],
  ['a segment', { segment: 3 }, { segment: 3 }],
  ['a segment that is no number', { segment: 'x' }, {}],
  ['an application with digits for a name', { application: 42 }, { application: '42' }],
  ['how it is shown', { as: 'json', show: 'differ' }, { as: 'json', show: 'differ' }],
  ['another way', { as: 'xml', show: 'all' }, {}],
  [
    'an open decision',
    { why: { project: 'p', feature: 'f', environment: 'e', context: 1 } },
    { why: { project: 'p', feature: 'f', environment: 'e', context: 1 } },
  ],
  ['half of one', { why: { project: 'p', feature: 'f', context: 1 } }, {}],
])('an address with %s is read', (_what, raw, search) => {
  expect(readPlaygroundSearch(raw)).toEqual(search);
});
