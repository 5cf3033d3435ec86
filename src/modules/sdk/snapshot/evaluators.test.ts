import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createEvaluators } from './evaluators.ts';
import type { DefinedFeature, DefinedSegment, Snapshot } from './snapshot.ts';

const feature = (name: string, project = 'default', segments: number[] = []): DefinedFeature => ({
  ...{ name, project, type: 'release', description: '', stale: false, tags: [] },
  definition: { name, enabled: true, strategies: [{ name: 'default', segments }], variants: [] },
});

const segment = (id: number): DefinedSegment => ({ id, name: `s${id}`, constraints: [] });

const snapshotOf = (features: DefinedFeature[], segments: DefinedSegment[] = []): Snapshot => ({
  revision: 1,
  environments: new Map([
    [
      'development',
      {
        name: 'development',
        type: 'development',
        features: new Map(features.map((each) => [each.name, each])),
      },
    ],
  ]),
  segments: new Map(segments.map((each) => [each.id, each])),
});

const scope = (...projects: string[]) => ({ environment: 'development', projects });
const evaluators = () => createEvaluators(() => new Date(0));

describe('an evaluator is reused', () => {
  const mine = feature('mine', 'default', [1]);
  const [one, two] = [segment(1), segment(2)];

  test('while only features of other projects and unused segments change', async () => {
    const find = evaluators();
    const before = await find(
      snapshotOf([mine, feature('theirs', 'shop')], [one, two]),
      scope('default'),
    );
    const after = snapshotOf([mine, feature('theirs', 'shop')], [one, segment(2), segment(3)]);
    expect(await find(after, scope('default'))).toBe(before);
    expect(await find(after, scope('shop'))).not.toBe(before);
  });

  test.each([
    ['a feature changes', [feature('mine', 'default', [1])], [one]],
    ['a feature is added', [mine, feature('more')], [one]],
    ['a feature is removed', [], [one]],
    ['a segment in use changes', [mine], [segment(1)]],
    ['a segment in use is removed', [mine], []],
  ])('until %s', async (_what, features, segments) => {
    const find = evaluators();
    const before = await find(snapshotOf([mine], [one]), scope('default'));
    const after = await find(snapshotOf(features, segments), scope('default'));
    expect(after).not.toBe(before);
    expect(after.evaluateAll({})).toHaveLength(features.length);
  });
});

describe('the cache of evaluators', () => {
  test('ignores the order of projects', async () => {
    const find = evaluators();
    const snapshot = snapshotOf([feature('mine')]);
    const one = await find(snapshot, scope('a', 'b'));
    expect(await find(snapshot, scope('b', 'a'))).toBe(one);
  });

  test('keeps the most recently used up to a total number of features', async () => {
    const many = snapshotOf(Array.from({ length: 300 }, (_, index) => feature(`f${index}`)));
    // Without features, each costs as much as 50.
    const find = createEvaluators(() => new Date(0), undefined, 6 * 350 + 50);
    const scopes = Array.from({ length: 7 }, (_, index) => scope('default', `p${index}`));
    const found = [];
    for (const each of scopes.slice(0, 6)) found.push(await find(many, each));
    const [first, second] = found;
    // The seventh evicts one of the six, but not the first, which was used again.
    expect(await find(many, scopes[0] as (typeof scopes)[0])).toBe(first);
    await find(many, scopes[6] as (typeof scopes)[0]);
    expect(await find(many, scopes[0] as (typeof scopes)[0])).toBe(first);
    expect(await find(many, scopes[1] as (typeof scopes)[0])).not.toBe(second);
  });

  test('is not filled by unknown environments', async () => {
    const find = evaluators();
    const snapshot = snapshotOf([feature('mine')]);
    const mine = await find(snapshot, scope('default'));
    const nowhere = { environment: 'nowhere', projects: 'all' } as const;
    const nothing = await find(snapshot, nowhere);
    for (let index = 0; index < 5_000; index += 1) {
      expect(await find(snapshot, { ...nowhere, environment: `nowhere-${index}` })).toBe(nothing);
    }
    expect(await find(snapshot, scope('default'))).toBe(mine);
  });
});

describe('an evaluator that takes long to compile', () => {
  const many = Array.from({ length: 3_000 }, (_, index) => feature(`f${index}`));

  // A fast machine would compile all of it in the first slice.
  beforeEach(async () => {
    // Work that began in this turn uses the real clock.
    await new Promise(setImmediate);
    let ms = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => {
      ms += 0.1;
      return ms;
    });
  });
  afterEach(() => void vi.restoreAllMocks());

  test('is compiled in slices, once for all waiting requests', async () => {
    const find = evaluators();
    const snapshot = snapshotOf(many);
    const [one, other] = [find(snapshot, scope('default')), find(snapshot, scope('default'))];
    expect([one, other].map((each) => each instanceof Promise)).toEqual([true, true]);
    expect(await one).toBe(await other);
  });

  test('is current for a request with a later snapshot', async () => {
    const find = evaluators();
    const early = find(snapshotOf(many), scope('default'));
    const later = find({ ...snapshotOf([...many, feature('new')]), revision: 2 }, scope('default'));
    expect((await early).evaluateAll({})).toHaveLength(many.length);
    expect((await later).evaluateAll({})).toHaveLength(many.length + 1);
  });
});
