import { expect, test } from 'vitest';
import { areKnown, projectsIn, queryFaults } from './query.ts';

test.each([
  ['features', ''],
  ['features', 'state=stale&sortBy=name&columns=type,env:production'],
  ['events', 'q=type:feature-* project:shop'],
] as const)('a view of %s accepts the query %j', (page, query) => {
  expect(queryFaults(page, query)).toEqual([]);
});

test.each([
  ['features', 'q=x', "you sent 'q'"],
  ['events', 'q=x&event=3', "you sent 'event'"],
  ['features', 'state=stale&state=active', "'state' more than once"],
] as const)('a view of %s rejects the query %j', (page, query, message) => {
  expect(queryFaults(page, query)).toMatchObject([
    { path: '/body/query', message: expect.stringContaining(message) },
  ]);
});

test.each([
  ['features', 'state=stale', []],
  ['features', 'project=shop,a%252Cb', ['shop', 'a,b']],
  ['events', 'q=dark mode', []],
  ['events', 'q=project:shop after:7d', ['shop']],
  ['events', 'q=-project:shop,"my \\"own\\"" type:x', ['shop', 'my "own"']],
  ['events', 'q=PROJECT:shop', ['shop']],
  ['events', 'q=subproject:shop', []],
  ['events', 'q="free text"project:shop', ['shop']],
] as const)('in a view of %s, the query %j names the projects %j', (page, query, projects) => {
  expect(projectsIn(page, query)).toEqual(projects);
});

test.each([
  [[], true],
  [['web-shop', 'mobile'], true],
  [['web-shop', 'hidden'], false],
  [['WEB-*'], true],
  [['*'], true],
  [['w*-s*p'], true],
  [['web-shop*web-shop'], false],
  [['hid*'], false],
  [['web-*', 'hidden'], false],
  [Array.from({ length: 11 }, (_, count) => `web${'*'.repeat(count + 1)}`), false],
] as const)('a user who sees web-shop and mobile may know the projects %j: %s', (names, known) => {
  expect(areKnown(names, new Set(['web-shop', 'mobile']))).toBe(known);
});
