import { expect, test } from 'vitest';
import { namesAt, parseClaimPath } from './claim-path.ts';

const claims = {
  groups: ['a', 'b'],
  one: 'alone',
  realm_access: { roles: ['admin'] },
  teams: [{ name: 'x', of: [{ id: 1 }] }, { name: 'y' }, 'odd', null],
  'https://example.com/groups': ['namespaced'],
  'cognito:groups': ['pool'],
  mixed: ['a', 7, null, { b: 1 }, '', 'c'],
  nothing: null,
  none: [],
};

test.each([
  ['groups', ['a', 'b']],
  ['one', ['alone']],
  ['realm_access.roles', ['admin']],
  ['teams[*].name', ['x', 'y']],
  ['teams[].name', ['x', 'y']],
  ['https://example.com/groups', ['namespaced']],
  ['"https://example.com/groups"', ['namespaced']],
  ['cognito:groups', ['pool']],
  ['groups[*]', ['a', 'b']],
  ['mixed', ['a', 'c']],
  ['none', []],
])('%s selects the names %j', (path, names) => {
  expect(parseClaimPath(path)).toBeDefined();
  expect(namesAt(claims, path)).toEqual(names);
});

test.each([
  'gone',
  'groups.name',
  'realm_access.gone',
  'one[*]',
  'nothing',
  'constructor',
  '__proto__',
])('%s selects nothing', (path) => {
  expect(namesAt(claims, path)).toBeUndefined();
});

test.each(['', '.', 'a.', '.a', 'a..b', 'a b', '[*]', 'a[0]', 'a[?b]', '"a', 'a"b"', 'a[*]b'])(
  '%j is rejected as a claim path',
  (path) => {
    expect(parseClaimPath(path)).toBeUndefined();
  },
);
