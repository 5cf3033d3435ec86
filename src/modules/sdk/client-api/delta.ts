import { createCache } from '../../../platform/cache.ts';
import { allAtOnce } from '../../../platform/slices.ts';
import {
  type Change,
  clientJson,
  type DefinedFeature,
  type DefinedSegment,
  type Definitions,
  type Snapshot,
  segmentText,
} from '../snapshot/index.ts';
import { type Content, contentSteps } from './content.ts';
import { listed } from './features.ts';
import type { View } from './view.ts';

/**
 * Returns the name of a content, which is its entity tag and its event id in streams: view, revision and fingerprint.
 * The revision finds the later changes. The fingerprint tells whether they apply to the client's content.
 */
export const nameOf = ({ view, revision, fingerprint }: Content): string =>
  `${view.digest}:${revision}:${fingerprint}`;

export interface ContentName {
  readonly digest: string;
  readonly revision: number;
  readonly fingerprint: string;
}

export function parseName(name: string): ContentName | undefined {
  const [, digest, revision, fingerprint] = /^([\w-]+):(\d{1,15}):([\w-]+)$/.exec(name) ?? [];
  if (digest === undefined || fingerprint === undefined) return undefined;
  return { digest, revision: Number(revision), fingerprint };
}

/** Returns whether a client has this content. Its revision may be another one on another instance. */
export const isOf = ({ view, fingerprint }: Content, named: ContentName): boolean =>
  named.digest === view.digest && named.fingerprint === fingerprint;

/** Returns the snapshot of one environment before these changes. */
function rewound(snapshot: Snapshot, environment: string, changes: readonly Change[]): Snapshot {
  const features = new Map(snapshot.environments.get(environment)?.features);
  const segments = new Map(snapshot.segments);
  for (const change of [...changes].reverse()) {
    if (change.kind === 'segment') {
      const { before, after } = change;
      if (before) segments.set(before.id, before);
      else if (after) segments.delete(after.id);
    } else if (change.environment === environment) {
      if (change.before) features.set(change.key, change.before);
      else features.delete(change.key);
    }
  }
  const sorted = new Map([...features].sort(([a], [b]) => (a < b ? -1 : 1)));
  const type = snapshot.environments.get(environment)?.type ?? '';
  const environments = new Map([[environment, { name: environment, type, features: sorted }]]);
  return { revision: snapshot.revision, environments, segments };
}

/** Returns the content of a view at a revision, or undefined if it is too old. */
function findContent(
  revision: number,
  { view, snapshot, definitions }: { view: View; snapshot: Snapshot; definitions: Rewindable },
): Content | undefined {
  const changes = definitions.changesBehind(revision);
  return changes && allAtOnce(contentSteps(rewound(snapshot, view.environment, changes), view));
}

type Rewindable = Pick<Definitions, 'changesBehind'>;

/** Each content contains a list of features. */
const maxRemembered = 50;

/**
 * Finds the content that a client names, or undefined if it is too old or never existed. The result is cached, because
 * finding it walks all features: it never changes, and a client with a wrong name sends it again.
 */
export function createFindNamed(
  definitions: Rewindable,
): (named: ContentName, view: View, snapshot: Snapshot) => Content | undefined {
  const contents = createCache<string, Content>({ maxEntries: maxRemembered });

  function contentOf(revision: number, view: View, snapshot: Snapshot): Content | undefined {
    const key = `${view.digest}:${revision}`;
    const cached = contents.get(key);
    if (cached) return cached;
    const content = findContent(revision, { view, snapshot, definitions });
    if (content) contents.set(key, content);
    return content;
  }

  return (named, view, snapshot) => {
    if (named.digest !== view.digest) return undefined;
    const content = contentOf(named.revision, view, snapshot);
    return content?.fingerprint === named.fingerprint ? content : undefined;
  };
}

const byName = (features: readonly DefinedFeature[]) =>
  new Map(features.map((feature) => [feature.name, feature]));

const byId = (segments: readonly DefinedSegment[]) =>
  new Map(segments.map((segment) => [segment.id, segment]));

/** Yields the changes. Segments are updated before the features that use them, and removed after them. */
function* changesBetween(before: Content, after: Content): Generator<string> {
  const eventId = after.revision;
  const [oldFeatures, oldSegments] = [byName(before.features), byId(before.segments)];
  for (const segment of after.segments) {
    const old = oldSegments.get(segment.id);
    oldSegments.delete(segment.id);
    const { json } = segmentText(segment);
    if (old && segmentText(old).json === json) continue;
    yield `{"eventId":${eventId},"type":"segment-updated","segment":${json}}`;
  }
  for (const feature of after.features) {
    const old = oldFeatures.get(feature.name);
    oldFeatures.delete(feature.name);
    const json = clientJson(feature);
    if (old && clientJson(old) === json) continue;
    yield `{"eventId":${eventId},"type":"feature-updated","feature":${json}}`;
  }
  for (const { name: featureName, project } of oldFeatures.values()) {
    yield JSON.stringify({ eventId, type: 'feature-removed', featureName, project });
  }
  for (const segmentId of oldSegments.keys()) {
    yield JSON.stringify({ eventId, type: 'segment-removed', segmentId });
  }
}

/** Yields the JSON of a delta from one content to another, in pieces. */
export function* updateJson(before: Content, after: Content): Generator<string> {
  yield '{"events":[';
  yield* listed(changesBetween(before, after), (change) => [change]);
  yield ']}';
}

/** Yields the JSON for a client without content. */
export function* hydrationJson({ revision, features, segments }: Content): Generator<string> {
  yield `{"events":[{"eventId":${revision},"type":"hydration","features":[`;
  yield* listed(features, (feature) => [clientJson(feature)]);
  yield '],"segments":[';
  yield* listed(segments, (segment) => [segmentText(segment).json]);
  yield ']}]}';
}
