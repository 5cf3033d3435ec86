import { describe, expect, test } from 'vitest';
import type { DefinedFeature, DefinedSegment, Snapshot } from '../snapshot/index.ts';
import { createViewRenderer } from './answers.ts';
import { contentAt, prepareContent } from './content.ts';
import { createFindUpdate } from './delta-answer.ts';
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

const reach = { audience: 'client', environment: 'development', scopes: 'all' } as const;
const view = viewOf(reach, snapshotOf(1, new Map()), {});

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
  test('is not computed again for changes outside its environment', () => {
    const all = counting(byName(feature('a'), feature('b')));
    const content = contentAt(snapshotOf(1, all.features), view);
    for (let revision = 2; revision < 10; revision += 1) {
      expect(contentAt(snapshotOf(revision, all.features), view, content)).toBe(content);
    }
    expect(all.passes).toBe(1);
  });

  test('is the same while only other data changes, and is then not computed again', () => {
    const content = contentAt(snapshotOf(1, byName(feature('a'))), view);
    const all = counting(byName(feature('a', { tags: ['simple:untold'] })));
    for (let revision = 2; revision < 5; revision += 1) {
      expect(contentAt(snapshotOf(revision, all.features), view, content)).toBe(content);
    }
    expect(all.passes).toBe(1);
  });

  test('changes with a feature or a segment', () => {
    const all = byName(feature('a'));
    const content = contentAt(snapshotOf(1, all), view);
    const renamed = contentAt(snapshotOf(2, all, [{ ...segment, name: 'other' }]), view, content);
    expect(renamed).toMatchObject({ revision: 2, segments: [{ id: 1, name: 'other' }] });
    expect(contentAt(snapshotOf(3, all, []), view, content)).toMatchObject({ segments: [] });
    const stale = byName(feature('a', { stale: true }));
    expect(contentAt(snapshotOf(4, stale), view, content)).toMatchObject({ revision: 4 });
    expect(contentAt(snapshotOf(5, all), view, content)).toBe(content);
  });
});

test('a delta is computed once for all clients, even those with a wrong fingerprint', () => {
  let asked = 0;
  const [before, after] = [feature('a'), feature('a', { stale: true })];
  const findUpdate = createFindUpdate({
    changesBehind: (revision) => {
      asked += 1;
      const change = { kind: 'feature', environment: 'development', before, after } as const;
      return revision < 3 ? undefined : [{ revision: 5, ...change }];
    },
  });
  const snapshot = snapshotOf(5, byName(after));
  const rendered = createViewRenderer()(snapshot, view);
  const behind = (revision: number, fingerprint: string) =>
    findUpdate(rendered, { digest: view.digest, revision, fingerprint }, snapshot);
  for (const wrong of ['x', 'y', 'z']) expect(behind(4, wrong)).toBeUndefined();
  const { fingerprint } = contentAt(snapshotOf(4, byName(before)), view);
  expect(JSON.parse(String(behind(4, fingerprint)?.atOnce()))).toMatchObject({
    events: [{ type: 'feature-updated', feature: { name: 'a', stale: true } }],
  });
  expect(asked).toBe(1);
  // A revision that is too old is not cached as missing.
  for (let times = 0; times < 2; times += 1) expect(behind(2, fingerprint)).toBeUndefined();
  expect(asked).toBe(3);
});

describe('preparing the JSON of many features', () => {
  test('renders each feature once for all snapshots that contain it', async () => {
    const features = Array.from({ length: 300 }, (_, nth) => feature(`f${nth}`));
    const all = counting(byName(...features));
    const snapshot = snapshotOf(1, all.features);
    await prepareContent(snapshot, view);
    expect(all.passes).toBe(1);
    expect(prepareContent(snapshotOf(2, all.features), view)).toBeUndefined();
    expect(all.passes).toBe(1);
    expect(contentAt(snapshot, view).features).toHaveLength(300);
  });

  test('is not necessary for a few new features', () => {
    const features = Array.from({ length: 300 }, (_, nth) => feature(`f${nth}`));
    contentAt(snapshotOf(1, byName(...features)), view);
    const more = snapshotOf(2, byName(...features, feature('new')));
    expect(prepareContent(more, view)).toBeUndefined();
  });

  test('includes the segments they use', async () => {
    const many = Array.from({ length: 10 }, (_, nth) => ({ ...segment, id: nth + 1 }));
    const strategies = [{ name: 'default', segments: many.map(({ id }) => id) }];
    const using = feature('a', {
      definition: { name: 'a', enabled: true, strategies },
    });
    const snapshot = snapshotOf(1, byName(using), many);
    expect(prepareContent(snapshot, view)).toBeInstanceOf(Promise);
    expect(contentAt(snapshot, view).segments).toHaveLength(10);
  });
});
