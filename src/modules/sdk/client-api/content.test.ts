import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { DefinedFeature, DefinedSegment, Snapshot } from '../snapshot/index.ts';
import { createContents } from './content.ts';
import { createClientResponses } from './responses.ts';
import { viewOf } from './view.ts';

const feature = (name: string, more: Partial<DefinedFeature> = {}): DefinedFeature => ({
  ...{ name, project: 'default', type: 'release', description: '', stale: false, tags: [] },
  definition: { name, enabled: true, strategies: [{ name: 'default', segments: [1] }] },
  ...more,
});

const segment: DefinedSegment = { id: 1, name: 'some', constraints: [] };

const snapshotOf = (
  revision: number,
  features: ReadonlyMap<string, DefinedFeature>,
  segments: readonly DefinedSegment[] = [segment],
): Snapshot => ({
  revision,
  environments: new Map([['development', { name: 'development', type: '', features }]]),
  segments: new Map(segments.map((each) => [each.id, each])),
});

const byName = (...features: DefinedFeature[]) =>
  new Map(features.map((each) => [each.name, each]));

const tokenScope = { audience: 'client', environment: 'development', scopes: 'all' } as const;
const view = viewOf(tokenScope, snapshotOf(1, new Map()), {});

/** Counts how often all features were walked. */
function counting(features: Map<string, DefinedFeature>) {
  const original = features.values.bind(features);
  const counted = { features, passes: 0 };
  features.values = () => {
    counted.passes += 1;
    return original();
  };
  return counted;
}

describe('the content of a view', () => {
  test('is not compared again after changes in other environments', () => {
    const { findNow } = createContents();
    const all = counting(byName(feature('a'), feature('b')));
    const segments = new Map([[segment.id, segment]]);
    const at = (revision: number) => ({ ...snapshotOf(revision, all.features), segments });
    const content = findNow(at(1), view);
    for (let revision = 2; revision < 10; revision += 1) {
      expect(findNow(at(revision), view)).toBe(content);
    }
    expect(all.passes).toBe(1);
  });

  test('stays the same if a change does not affect what SDKs receive', () => {
    const { findNow } = createContents();
    const content = findNow(snapshotOf(1, byName(feature('a'))), view);
    const tagged = byName(feature('a', { tags: ['simple:not-sent'] }));
    expect(findNow(snapshotOf(2, tagged), view)).toBe(content);
  });

  test('changes with a feature or a segment', () => {
    const { findNow } = createContents();
    const all = byName(feature('a'));
    const content = findNow(snapshotOf(1, all), view);
    const renamed = findNow(snapshotOf(2, all, [{ ...segment, name: 'other' }]), view);
    expect(renamed).toMatchObject({ revision: 2, segments: [{ id: 1, name: 'other' }] });
    expect(findNow(snapshotOf(3, all, []), view)).toMatchObject({ segments: [] });
    const stale = byName(feature('a', { stale: true }));
    expect(findNow(snapshotOf(4, stale), view)).toMatchObject({ revision: 4 });
    expect(findNow(snapshotOf(5, all), view)).toEqual({ ...content, revision: 5 });
  });

  test('is empty if its environment was deleted', () => {
    const { findNow } = createContents();
    findNow(snapshotOf(1, byName(feature('a'))), view);
    const deleted: Snapshot = { revision: 2, environments: new Map(), segments: new Map() };
    expect(findNow(deleted, view)).toMatchObject({ revision: 2, features: [] });
  });

  test('is the content that the caller already has if it is unchanged and not cached', () => {
    const snapshot = snapshotOf(1, byName(feature('a')));
    const content = createContents().findNow(snapshot, view);
    const later = snapshotOf(2, byName(feature('a')));
    expect(createContents().findNow(later, view, content)).toBe(content);
  });

  const viewOfPrefix = (namePrefix: string) =>
    viewOf(tokenScope, snapshotOf(1, new Map()), { namePrefix });

  test('is cached for the last ten thousand views', () => {
    const { findNow } = createContents();
    const snapshot = snapshotOf(1, new Map());
    const find = (prefix: string) => findNow(snapshot, viewOfPrefix(prefix));
    const [first, second] = [find('a'), find('b')];
    for (let nth = 0; nth < 9_998; nth += 1) find(`n${nth}`);
    expect(find('a')).toBe(first);
    find('one more');
    expect(find('a')).toBe(first);
    expect(find('b')).not.toBe(second);
  });

  test('is cached for fewer views if their queries are long', () => {
    const { findNow } = createContents();
    const snapshot = snapshotOf(1, new Map());
    const first = findNow(snapshot, viewOfPrefix('a'));
    const long = 'x'.repeat(20_000);
    for (let nth = 0; nth < 1_000; nth += 1) findNow(snapshot, viewOfPrefix(`${long}${nth}`));
    expect(findNow(snapshot, viewOfPrefix('a'))).not.toBe(first);
  });

  test('is computed in slices if many features or segments are new', async () => {
    // Work that began in this turn of the event loop would be measured by the real clock.
    await new Promise(setImmediate);
    // A fast machine would render all of them in the first slice.
    let ms = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => {
      ms += 1;
      return ms;
    });
    onTestFinished(() => void vi.restoreAllMocks());
    const { find } = createContents();
    const features = Array.from({ length: 300 }, (_, nth) => feature(`f${nth}`));
    const found = find(snapshotOf(1, byName(...features)), view);
    expect(found).toBeInstanceOf(Promise);
    expect((await found).features).toHaveLength(300);

    const many = Array.from({ length: 30 }, (_, nth) => ({ ...segment, id: nth + 1 }));
    const strategies = [{ name: 'default', segments: many.map(({ id }) => id) }];
    const using = feature('a', { definition: { name: 'a', enabled: true, strategies } });
    const withSegments = find(snapshotOf(2, byName(using), many), view);
    expect(withSegments).toBeInstanceOf(Promise);
    expect((await withSegments).segments).toHaveLength(30);
  });
});

test('earlier content is computed once, even for clients with a wrong fingerprint', () => {
  let asked = 0;
  const [before, after] = [feature('a'), feature('a', { stale: true })];
  const { update } = createClientResponses({
    changesBehind: (revision) => {
      asked += 1;
      const where = { environment: 'development', key: 'a' };
      const change = { kind: 'feature', ...where, before, after } as const;
      return revision < 3 ? undefined : [{ revision: 5, ...change }];
    },
  });
  const snapshot = snapshotOf(5, byName(after));
  const content = createContents().findNow(snapshot, view);
  const behind = (revision: number, fingerprint: string) =>
    update(content, { digest: view.digest, revision, fingerprint }, snapshot);
  for (const wrong of ['x', 'y', 'z']) expect(behind(4, wrong)).toBeUndefined();
  const { fingerprint } = createContents().findNow(snapshotOf(4, byName(before)), view);
  expect(JSON.parse(String(behind(4, fingerprint)?.atOnce()))).toMatchObject({
    events: [{ type: 'feature-updated', feature: { name: 'a', stale: true } }],
  });
  expect(asked).toBe(1);
  // A revision that is too old is not cached as missing.
  for (let times = 0; times < 2; times += 1) expect(behind(2, fingerprint)).toBeUndefined();
  expect(asked).toBe(3);
});
