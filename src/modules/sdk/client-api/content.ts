import { createCache } from '../../../platform/cache.ts';
import { digestOf } from '../../../platform/http/entity-tag.ts';
import { allAtOnce, inSlices } from '../../../platform/slices.ts';
import {
  clientText,
  type DefinedFeature,
  type DefinedSegment,
  featuresIn,
  type Snapshot,
  segmentsOf,
  segmentText,
} from '../snapshot/index.ts';
import type { View } from './view.ts';

/** The features of a view, with the segments that they need. Immutable: a change creates a new one. */
export interface Content {
  readonly view: View;
  /** The revision that introduced this content, as far as this instance knows. */
  readonly revision: number;
  /** Sorted by name. */
  readonly features: readonly DefinedFeature[];
  /** The segments that the features use, sorted by id. */
  readonly segments: readonly DefinedSegment[];
  /** A hash of exactly what SDKs receive; the same on every instance. */
  readonly fingerprint: string;
}

/** A source without tags sends more features than the view asks for, instead of none. */
const isInView = ({ tags, namePrefix }: View, feature: DefinedFeature): boolean =>
  feature.name.startsWith(namePrefix) &&
  (tags.length === 0 || tags.some((tag) => feature.tags?.includes(tag) ?? true));

/**
 * Finds the content of a view in a snapshot. Renders one part per step, so that other requests are served in between:
 * 10,000 new features take 0.3 s, and a segment with 7,500 values 2 ms.
 */
export function* contentSteps(snapshot: Snapshot, view: View): Generator<void, Content> {
  const features = featuresIn(snapshot, view).filter((feature) => isInView(view, feature));
  const segments = segmentsOf(features, snapshot);
  const digests: string[] = [];
  for (const feature of features) {
    digests.push(clientText(feature).digest);
    yield;
  }
  digests.push('/');
  for (const segment of segments) {
    digests.push(segmentText(segment).digest);
    yield;
  }
  const fingerprint = digestOf(digests.join());
  return { view, revision: snapshot.revision, features, segments, fingerprint };
}

interface CachedContent {
  readonly content: Content;
  /** What the content was last found in. The weak references do not keep old snapshots in memory. */
  readonly features: WeakRef<object> | undefined;
  readonly segments: WeakRef<object>;
}

export interface Contents {
  /** The current content of a view: the same value until SDKs would receive something else. */
  readonly find: (snapshot: Snapshot, view: View) => Content | Promise<Content>;
  /** The same at once. `before` is earlier content of the view, if the caller has it. */
  readonly findNow: (snapshot: Snapshot, view: View, before?: Content) => Content;
}

const maxCachedBytes = 64 * 1024 * 1024;
/** More than the maximum number of stream groups, so that requests never evict the views of streams. */
const maxViews = 10_000;
/** The cost of one character of a view: two bytes, and as much again for the objects around short texts. */
const bytesPerCharacter = 4;

/** Caches the contents of views by digest: V8 hashes only a part of keys as long as the JSON of a view can be. */
export function createContents(): Contents {
  const cache = createCache<string, CachedContent>({
    maxEntries: maxViews,
    maxCost: maxCachedBytes,
    costOf: ({ content: { view, features, segments } }) =>
      1_000 + bytesPerCharacter * view.length + 8 * (features.length + segments.length),
  });

  /** Most events change no feature, or only other environments: then nothing needs to be compared. */
  function findUnchanged({ environments, segments }: Snapshot, view: View): Content | undefined {
    const cached = cache.get(view.digest);
    const features = environments.get(view.environment)?.features;
    if (!cached || !features) return undefined;
    const isUnchanged =
      cached.features?.deref() === features && cached.segments.deref() === segments;
    return isUnchanged ? cached.content : undefined;
  }

  function* compare(snapshot: Snapshot, view: View, before?: Content): Generator<void, Content> {
    const found = yield* contentSteps(snapshot, view);
    const previous = cache.get(view.digest)?.content ?? before;
    const content = previous?.fingerprint === found.fingerprint ? previous : found;
    const features = snapshot.environments.get(view.environment)?.features;
    cache.set(view.digest, {
      content,
      features: features && new WeakRef(features),
      segments: new WeakRef(snapshot.segments),
    });
    return content;
  }

  return {
    find: (snapshot, view) => findUnchanged(snapshot, view) ?? inSlices(compare(snapshot, view)),
    findNow: (snapshot, view, before) =>
      findUnchanged(snapshot, view) ?? allAtOnce(compare(snapshot, view, before)),
  };
}
