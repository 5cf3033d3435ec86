import { expect, test } from 'vitest';
import { projectsIn, queryFaults } from './query.ts';

test.each([
  ['features', ''],
  ['features', 'state=stale&sortBy=name&columns=type,env:production'],
  ['events', 'q=type:feature-* project:shop'],
] as const)('%s accepts its own parameters: %s', (page, query) => {
  expect(queryFaults(page, query)).toEqual([]);
});

test.each([
  ['features', 'q=x', "you sent 'q'"],
  ['events', 'q=x&event=3', "you sent 'event'"],
  ['features', 'state=stale&state=active', "'state' more than once"],
] as const)('%s rejects %s', (page, query, message) => {
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
] as const)('in %s, %s names %j', (page, query, projects) => {
  expect(projectsIn(page, query)).toEqual(projects);
});
