import { expect, test } from 'vitest';
import { readFeature, readSegment } from '../upstream/payload.ts';
import { emptySnapshot, mergeContents } from './merge.ts';
import { chooseCovering, cover, coverageOf } from './scopes.ts';

const feature = (name: string, project = 'one', more: object = {}) =>
  readFeature({ name, project, enabled: true, ...more });

const content = (
  features: ReturnType<typeof feature>[],
  segments: object[] = [],
  revision = 0,
) => ({
  features: new Map(features.map((each) => [each.name, each])),
  segments: new Map(segments.map(readSegment).map((each) => [each.id, each])),
  revision,
});

const environment = 'development';
const namesIn = (snapshot: typeof emptySnapshot) =>
  [...(snapshot.environments.get(environment)?.features.values() ?? [])].map(
    ({ name, project }) => `${name} of ${project}`,
  );

test('contents of several tokens are merged by project, sorted by name', () => {
  const merged = mergeContents(
    [
      {
        environment,
        projects: ['one', 'two'],
        changed: 1,
        isFollowed: true,
        content: content([feature('b'), feature('c', 'two')]),
      },
      {
        environment,
        projects: ['two', 'three'],
        changed: 2,
        isFollowed: true,
        content: content([feature('old', 'two'), feature('a', 'three')]),
      },
      {
        environment: 'production',
        projects: 'all',
        changed: 3,
        isFollowed: true,
        content: content([feature('x')]),
      },
    ],
    emptySnapshot,
  );
  expect(namesIn(merged)).toEqual(['a of three', 'b of one', 'c of two']);
  expect([...merged.environments.keys()]).toEqual(['development', 'production']);
});

test('a feature in two projects is served in both', () => {
  const merged = mergeContents(
    [
      {
        environment,
        projects: ['one'],
        changed: 1,
        isFollowed: true,
        content: content([feature('same', 'one')]),
      },
      {
        environment,
        projects: ['two'],
        changed: 2,
        isFollowed: true,
        content: content([feature('same', 'two')]),
      },
    ],
    emptySnapshot,
  );
  expect(namesIn(merged)).toEqual(['same of one', 'same of two']);
});

test('unchanged contents return the same snapshot, and a change gets a later revision', () => {
  const [a, b] = [feature('a'), feature('b')];
  const of = (features: ReturnType<typeof feature>[], revision = 7) => [
    {
      environment,
      projects: 'all' as const,
      changed: 1,
      isFollowed: true,
      content: content(features, [], revision),
    },
  ];
  const first = mergeContents(of([a]), emptySnapshot);
  expect(first.revision).toBe(7);
  expect(mergeContents(of([a]), first)).toBe(first);
  const second = mergeContents(of([a, b]), first);
  expect(second.revision).toBe(8);
  expect(second.environments.get(environment)?.features.get('a one')).toBe(a);
  expect(second.segments).toBe(first.segments);
});

test('the newest of two states of a segment is served', () => {
  const constraints = (value: string) => [
    { contextName: 'userId', operator: 'IN', values: [value] },
  ];
  const merged = mergeContents(
    [
      {
        environment,
        projects: ['one'],
        changed: 2,
        isFollowed: true,
        content: content([], [{ id: 1, constraints: constraints('new') }]),
      },
      {
        environment,
        projects: ['two'],
        changed: 1,
        isFollowed: true,
        content: content([], [{ id: 1, constraints: constraints('old') }]),
      },
    ],
    emptySnapshot,
  );
  expect(merged.segments.get(1)?.constraints).toEqual(constraints('new'));
});

test('content that is no longer followed only fills the gaps of what is followed', () => {
  const constraints = (value: string) => [
    { contextName: 'userId', operator: 'IN', values: [value] },
  ];
  const merged = mergeContents(
    [
      {
        environment,
        projects: 'all',
        changed: 3,
        isFollowed: false,
        content: content(
          [feature('frozen'), feature('gap', 'two')],
          [{ id: 1, constraints: constraints('frozen') }],
        ),
      },
      {
        environment,
        projects: ['one'],
        changed: 2,
        isFollowed: true,
        content: content([feature('live')], [{ id: 1, constraints: constraints('live') }]),
      },
    ],
    emptySnapshot,
  );
  expect(namesIn(merged)).toEqual(['gap of two', 'live of one']);
  expect(merged.segments.get(1)?.constraints).toEqual(constraints('live'));
});

test('as few scopes as possible are chosen, which together cover all scopes', () => {
  const scope = (projects: 'all' | string[], name = environment) => ({
    environment: name,
    projects,
  });
  const [one, both, all, other] = [
    scope(['one']),
    scope(['one', 'two']),
    scope('all'),
    scope(['one'], 'production'),
  ];
  expect(chooseCovering([one, both])).toEqual([both]);
  expect(chooseCovering([one, both, all, other])).toEqual([all, other]);
  expect(cover([one, scope(['two'])], both)).toBe(true);
  expect(cover([both], all)).toBe(false);
  expect(cover([all], other)).toBe(false);
});

test('comparing many scopes with known ones reads each known scope only once', () => {
  let reads = 0;
  const scopes = Array.from({ length: 100 }, (_, nth) => ({
    environment,
    get projects() {
      reads += 1;
      return [`project-${nth}`];
    },
  }));
  const covered = coverageOf(scopes);
  for (let nth = 0; nth < 200; nth += 1) {
    const projects = [`project-${nth}`];
    expect(covered.contains({ environment, projects })).toBe(nth < 100);
  }
  expect(reads).toBe(100);
});

test.each([
  ['no object', 'feature'],
  ['no name', { enabled: true }],
  ['no state', { name: 'a' }],
  ['strategies of another kind', { name: 'a', enabled: true, strategies: 'all' }],
  [
    'a constraint without operator',
    {
      name: 'a',
      enabled: true,
      strategies: [{ name: 'default', constraints: [{ contextName: 'x' }] }],
    },
  ],
  ['a variant without weight', { name: 'a', enabled: true, variants: [{ name: 'v' }] }],
])('a feature with %s from an upstream is rejected', (_, given) => {
  expect(() => readFeature(given)).toThrow('the response cannot be used');
});
