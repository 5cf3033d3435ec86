import { createCache } from '../../../platform/cache.ts';
import { inSlices } from '../../../platform/slices.ts';
import {
  clientJson,
  type DefinedFeature,
  type DefinedSegment,
  featuresIn,
  type Snapshot,
  segmentsOf,
} from '../snapshot/index.ts';
import { digestOf, type View } from './view.ts';

/** The features of a view, with the segments that they need. Immutable: a change creates a new one. */
export interface Content {
  /** The revision that introduced this content, as far as this instance knows. */
  readonly revision: number;
  /** Sorted by name. */
  readonly features: readonly DefinedFeature[];
  /** The segments that the features use, sorted by id. */
  readonly segments: readonly DefinedSegment[];
  /** A hash of exactly what SDKs receive; the same on every instance. */
  readonly fingerprint: string;
}

const segmentTexts = new WeakMap<DefinedSegment, string>();

/** Returns the JSON of a segment for SDKs. */
export function segmentJson(segment: DefinedSegment): string {
  const cached = segmentTexts.get(segment);
  if (cached !== undefined) return cached;
  const { id, name, constraints } = segment;
  const json = JSON.stringify({ id, name, constraints });
  segmentTexts.set(segment, json);
  return json;
}

/** Yields the items of a JSON list in pieces, without the brackets. */
export function* listed<Item>(
  items: Iterable<Item>,
  json: (item: Item) => Iterable<string>,
): Generator<string> {
  let isFirst = true;
  for (const item of items) {
    if (!isFirst) yield ',';
    isFirst = false;
    yield* json(item);
  }
}

const texts = new WeakMap<object, string>();

/** Hashes each part once, so that a change of one among thousands is cheap. */
function partDigest<Part extends object>(part: Part, json: (part: Part) => string): string {
  const found = texts.get(part);
  if (found !== undefined) return found;
  const digest = digestOf(json(part));
  texts.set(part, digest);
  return digest;
}

/** Fewer parts than this are rendered at once, without slices. */
const fewParts = 200;
/** The same limit for segments: one can have 7,500 values, which take 2 ms. */
const fewSegments = 5;
/** The features of a view's environment when the view was last prepared. */
const lastPrepared = createCache<string, WeakRef<Features>>({ maxEntries: 10_000 });

function* digests(
  features: readonly DefinedFeature[],
  segments: readonly DefinedSegment[],
): Generator<void, void> {
  for (const feature of features) {
    partDigest(feature, clientJson);
    yield;
  }
  for (const segment of segments) {
    partDigest(segment, segmentJson);
    yield;
  }
}

const isUnknown = (part: object): boolean => !texts.has(part);

/**
 * Renders the JSON of a view's features and segments in slices, so that other requests are served in between: 10,000
 * features take 0.3 s. Returns undefined if few or none are missing.
 */
export function prepareContent(snapshot: Snapshot, view: View): Promise<void> | undefined {
  const all = snapshot.environments.get(view.environment)?.features;
  if (!all || (all.size < fewParts && snapshot.segments.size < fewSegments)) return undefined;
  // Most requests ask for a view that is already prepared.
  if (lastPrepared.get(view.digest)?.deref() === all) return undefined;
  const isReady = () => lastPrepared.set(view.digest, new WeakRef(all));
  const features = featuresIn(snapshot, view);
  const missing = features.filter(isUnknown);
  const segments = segmentsOf(features, snapshot).filter(isUnknown);
  if (missing.length >= fewParts || segments.length >= fewSegments) {
    return Promise.resolve(inSlices(digests(missing, segments))).then(isReady);
  }
  isReady();
  return undefined;
}

const fingerprintOf = (
  features: readonly DefinedFeature[],
  segments: readonly DefinedSegment[],
): string =>
  digestOf(
    [
      ...features.map((feature) => partDigest(feature, clientJson)),
      '/',
      ...segments.map((segment) => partDigest(segment, segmentJson)),
    ].join(),
  );

const isInView = ({ tags, namePrefix }: View, feature: DefinedFeature): boolean =>
  feature.name.startsWith(namePrefix) &&
  (tags.length === 0 || tags.some((tag) => feature.tags.includes(tag)));

const areSame = (a: readonly object[], b: readonly object[]): boolean =>
  a.length === b.length && a.every((item, index) => item === b[index]);

type Features = NonNullable<ReturnType<Snapshot['environments']['get']>>['features'];

/** When a content was last found to be current. */
interface Found {
  /** All features of the environment. The weak reference does not keep old snapshots in memory. */
  readonly all: WeakRef<Features> | undefined;
  /** The features compared then. They may differ from those of the content in fields that SDKs do not receive. */
  readonly features: readonly DefinedFeature[];
  readonly segments: readonly DefinedSegment[];
}

const lastFound = new WeakMap<Content, Found>();

/** Returns whether all these segments are unchanged. None can be missing: features name only segments that exist. */
const areThere = (segments: readonly DefinedSegment[], snapshot: Snapshot): boolean =>
  segments.every((segment) => snapshot.segments.get(segment.id) === segment);

/** Returns the content of a view in a snapshot, or `before` itself if SDKs would receive the same. */
export function contentAt(snapshot: Snapshot, view: View, before?: Content): Content {
  const all = snapshot.environments.get(view.environment)?.features;
  const found = before && lastFound.get(before);
  const isStill = found !== undefined && areThere(found.segments, snapshot);
  // Most events change no feature, or only other environments: then nothing needs to be compared.
  if (before && isStill && all !== undefined && found.all?.deref() === all) return before;
  const features = featuresIn(snapshot, view).filter((feature) => isInView(view, feature));
  const areStill = isStill && areSame(found.features, features);
  const segments = areStill ? found.segments : segmentsOf(features, snapshot);
  const know = (content: Content): Content => {
    lastFound.set(content, { all: all && new WeakRef(all), features, segments });
    return content;
  };
  if (before && areStill) return know(before);
  const fingerprint = fingerprintOf(features, segments);
  if (before?.fingerprint === fingerprint) return know(before);
  return know({ revision: snapshot.revision, features, segments, fingerprint });
}
