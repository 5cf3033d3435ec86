import type { Change, Snapshot } from './snapshot.ts';

/**
 * Everything that SDKs evaluate with, in memory. A server reads it from its database, an edge from its upstream; the
 * endpoints of SDKs do not know which (ADR 44).
 */
export interface Definitions {
  /**
   * Returns the current snapshot, without a promise if nothing happened since the last call. `atLeast` is a revision
   * that the caller got from another instance: the snapshot is not earlier, if that revision exists.
   */
  readonly current: (atLeast?: number) => Snapshot | Promise<Snapshot>;
  /** The changes after a revision, oldest first; undefined if the revision is too old. */
  readonly changesBehind: (revision: number) => readonly Change[] | undefined;
  /** Seconds since the snapshot was last known to be current; undefined before the first read. */
  readonly ageSeconds: () => number | undefined;
  /** Whether the source cannot be read, so that the last snapshot is used. */
  readonly isStale: () => boolean;
  /**
   * Calls back with each new snapshot. While there is a follower, changes are read as they happen. Returns a function
   * that ends it.
   */
  readonly follow: (callback: (snapshot: Snapshot) => void) => () => void;
}

declare module '../../../platform/module.ts' {
  interface Services {
    /** One for all modules of a server, so that the source is read once. */
    readonly definitions: Definitions;
  }
}
