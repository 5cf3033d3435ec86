import type {
  DefinedEnvironment,
  DefinedFeature,
  DefinedSegment,
  Snapshot,
} from '../../modules/sdk/snapshot/index.ts';
import { type SourceContent, sameSegment } from '../upstream/content.ts';
import type { Scope } from './scopes.ts';

/** The content of one token, with the order in which contents changed. */
export interface ScopedContent extends Scope {
  readonly content: SourceContent;
  /** Whether it is followed. What is not is from earlier, and only fills gaps. */
  readonly isFollowed: boolean;
  readonly changed: number;
}

/** The key of a feature. No name contains a space, so that the order of keys is that of names. */
const keyOf = ({ name, project }: DefinedFeature): string => `${name} ${project}`;

/**
 * The features of one environment. Each project comes from one content, a followed one if there is: two may differ for
 * as long as only one of them knows a change. A feature that was moved may be in two projects meanwhile, and is served in
 * both.
 */
function featuresOf(contents: readonly ScopedContent[]): Map<string, DefinedFeature> {
  const preferred = [...contents].sort((a, b) => Number(b.isFollowed) - Number(a.isFollowed));
  const claimed = new Set<string>();
  const found: [string, DefinedFeature][] = [];
  for (const { content, projects } of preferred) {
    const listed = projects === 'all' ? undefined : new Set(projects);
    for (const feature of content.features.values()) {
      const { project } = feature;
      if (claimed.has(project) || listed?.has(project) === false) continue;
      found.push([keyOf(feature), feature]);
    }
    if (!listed) break;
    for (const each of listed) claimed.add(each);
  }
  return new Map(found.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function isSame<Key, Value>(a: ReadonlyMap<Key, Value>, b: ReadonlyMap<Key, Value>): boolean {
  if (a.size !== b.size) return false;
  for (const [key, value] of a) if (b.get(key) !== value) return false;
  return true;
}

/** All environments use the same segments. Of different states, the followed content that changed last has the latest. */
function segmentsOf(
  contents: readonly ScopedContent[],
  before: Snapshot['segments'],
): Map<number, DefinedSegment> {
  const segments = new Map<number, DefinedSegment>();
  const byAge = [...contents].sort(
    (a, b) => Number(a.isFollowed) - Number(b.isFollowed) || a.changed - b.changed,
  );
  for (const { content } of byAge) {
    for (const segment of content.segments.values()) segments.set(segment.id, segment);
  }
  for (const [id, segment] of segments) segments.set(id, sameSegment(before.get(id), segment));
  return segments;
}

export const emptySnapshot: Snapshot = {
  revision: 0,
  environments: new Map(),
  segments: new Map(),
};

/**
 * Merges the contents of all tokens. Unchanged parts are the same values as before; without any change, the snapshot is
 * the same.
 */
export function mergeContents(contents: readonly ScopedContent[], before: Snapshot): Snapshot {
  const names = [...new Set(contents.map(({ environment }) => environment))].sort();
  const environments = new Map<string, DefinedEnvironment>();
  for (const name of names) {
    const features = featuresOf(contents.filter(({ environment }) => environment === name));
    const old = before.environments.get(name);
    // The upstream does not tell the type, and no SDK asks for it.
    environments.set(
      name,
      old && isSame(old.features, features) ? old : { name, type: '', features },
    );
  }
  const found = segmentsOf(contents, before.segments);
  const segments = isSame(before.segments, found) ? before.segments : found;
  if (segments === before.segments && isSame(before.environments, environments)) return before;
  const known = Math.max(...contents.map(({ content }) => content.revision), 0);
  return { revision: Math.max(before.revision + 1, known), environments, segments };
}
