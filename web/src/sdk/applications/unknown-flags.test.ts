import { expect, test } from 'vitest';
import { readUnknownSearch } from './search.ts';
import { unknownFlagsOf } from './unknown-flags.ts';

const environment = (...missingFeatures: string[]) => ({
  name: 'production',
  instanceCount: 1,
  sdks: [],
  frontendSdks: [],
  backendSdks: [],
  lastSeen: '2026-11-01T00:00:00.000Z',
  issues: { missingFeatures, outdatedSdks: [] },
});

test('an application shows five unknown flags and the number of the others', () => {
  const environments = [environment('c', 'a', 'b'), environment('a', 'f', 'e', 'd', 'g')];
  expect(unknownFlagsOf({ environments })).toEqual({
    count: 7,
    shown: ['a', 'b', 'c', 'd', 'e'],
    more: '+2 more',
  });
  expect(unknownFlagsOf({ environments: [environment('a')] }).more).toBe('');
});

test.each([
  [{}, {}],
  [
    { application: 'web', ignored: true },
    { application: 'web', ignored: true },
  ],
  [{ application: 7, ignored: 'yes' }, { application: '7' }],
  [{ application: '' }, {}],
])('the search parameters %j of the unknown flags are read as %j', (raw, search) => {
  expect(readUnknownSearch(raw)).toEqual(search);
});
