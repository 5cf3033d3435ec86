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

/** What a view shows. A value: what comes later is another one. */
export interface Content {
  /** Since when it is so, as far as this instance knows. */
  readonly revision: number;
  /** By name. */
  readonly features: readonly DefinedFeature[];
  /** Those that the features need, by id. */
  readonly segments: readonly DefinedSegment[];
  /** Of all that is told, and of nothing else: the same on every instance. */
  readonly fingerprint: string;
}

const segmentTexts = new WeakMap<DefinedSegment, string>();

/** A segment as SDKs know it, as JSON. */
export function segmentJson(segment: DefinedSegment): string {
  const known = segmentTexts.get(segment);
  if (known !== undefined) return known;
  const { id, name, constraints } = segment;
  const json = JSON.stringify({ id, name, constraints });
  segmentTexts.set(segment, json);
  return json;
}

/** The inside of a list of JSON, in pieces. */
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

const known = new WeakMap<object, string>();

/** Each part is hashed once, so that a change of one among thousands costs little. */
function partDigest<Part extends object>(part: Part, json: (part: Part) => string): string {
  const found = known.get(part);
  if (found !== undefined) return found;
  const digest = digestOf(json(part));
  known.set(part, digest);
  return digest;
}

/** So few are made at once. */
const fewParts = 200;
/** One can have 7,500 values, which take 2 ms. */
const fewSegments = 5;
/** The features of the environment that were gone through for a view. */
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

const isUnknown = (part: object): boolean => !known.has(part);

/**
 * Makes the texts of what a view shows, and lets others in between: those of 10,000 features take 0.3 s. Undefined
 * where they are there, or nearly.
 */
export function prepareContent(snapshot: Snapshot, view: View): Promise<void> | undefined {
  const all = snapshot.environments.get(view.environment)?.features;
  if (!all || (all.size < fewParts && snapshot.segments.size < fewSegments)) return undefined;
  // Most ask again for what somebody asked for before.
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

const isShown = ({ tags, namePrefix }: View, feature: DefinedFeature): boolean =>
  feature.name.startsWith(namePrefix) &&
  (tags.length === 0 || tags.some((tag) => feature.tags.includes(tag)));

const areSame = (a: readonly object[], b: readonly object[]): boolean =>
  a.length === b.length && a.every((item, index) => item === b[index]);

type Features = NonNullable<ReturnType<Snapshot['environments']['get']>>['features'];

/** What a content was last found in again. */
interface Found {
  /** All of the environment; not kept by it, since the next one has most of the same in it. */
  readonly all: WeakRef<Features> | undefined;
  /** As they were then: other values than those of the content where only what is not told has changed. */
  readonly features: readonly DefinedFeature[];
  readonly segments: readonly DefinedSegment[];
}

const lastFound = new WeakMap<Content, Found>();

/** Features stand only beside segments that exist: while they are the same, no other can have come. */
const areThere = (segments: readonly DefinedSegment[], snapshot: Snapshot): boolean =>
  segments.every((segment) => snapshot.segments.get(segment.id) === segment);

/** What a view shows of a snapshot: the same value as before where that would be told as well. */
export function contentAt(snapshot: Snapshot, view: View, before?: Content): Content {
  const all = snapshot.environments.get(view.environment)?.features;
  const found = before && lastFound.get(before);
  const isStill = found !== undefined && areThere(found.segments, snapshot);
  // Most events concern no feature, or those of another environment: there is nothing to go through then.
  if (before && isStill && all !== undefined && found.all?.deref() === all) return before;
  const features = featuresIn(snapshot, view).filter((feature) => isShown(view, feature));
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
