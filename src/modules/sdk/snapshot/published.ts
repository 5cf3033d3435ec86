import { changesBetween } from './changes.ts';
import type { Definitions } from './definitions.ts';
import type { Change, Snapshot } from './snapshot.ts';

/** The number of changes that are stored for clients that request updates. */
const maxChanges = 10_000;

interface Published extends Pick<Definitions, 'changesBehind' | 'follow'> {
  /** The latest snapshot; undefined before the first. */
  readonly latest: () => Snapshot | undefined;
  /** Replaces the latest snapshot, and calls all followers. Unchanged parts must be the same value as before. */
  readonly publish: (snapshot: Snapshot) => void;
  readonly hasFollowers: () => boolean;
}

/** The latest snapshot of a source, with the changes that led to it. */
export function createPublished(): Published {
  let latest: Snapshot | undefined;
  let changes: Change[] = [];
  /** All changes after this revision are stored. */
  let storedAfter = 0;
  const followers = new Set<(snapshot: Snapshot) => void>();

  function remember(before: Snapshot, after: Snapshot): void {
    for (const change of changesBetween(before, after)) {
      changes.push(change);
      // Too many to store: clients get the whole content instead.
      if (changes.length > 2 * maxChanges) {
        changes = [];
        storedAfter = after.revision;
        return;
      }
    }
    if (changes.length <= maxChanges) return;
    // Of each revision, all changes are stored or none.
    const last = changes[changes.length - maxChanges - 1] as Change;
    storedAfter = last.revision;
    changes = changes.filter(({ revision }) => revision > storedAfter);
  }

  return {
    latest: () => latest,
    publish(snapshot) {
      const before = latest;
      if (snapshot === before) return;
      if (!before || snapshot.revision < before.revision) {
        changes = [];
        storedAfter = snapshot.revision;
      } else {
        remember(before, snapshot);
      }
      latest = snapshot;
      for (const callback of followers) callback(snapshot);
    },
    changesBehind(revision) {
      if (!latest || revision < storedAfter || revision > latest.revision) return undefined;
      return changes.filter((change) => change.revision > revision);
    },
    follow(callback) {
      followers.add(callback);
      return () => followers.delete(callback);
    },
    hasFollowers: () => followers.size > 0,
  };
}
