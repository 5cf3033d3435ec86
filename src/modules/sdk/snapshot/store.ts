import { eventsChannel } from '../../../platform/db/channels.ts';
import { createOutageWatch } from '../../../platform/db/outage.ts';
import type { Services } from '../../../platform/module.ts';
import { createSingleFlight } from '../../../platform/single-flight.ts';
import { changesBetween } from './changes.ts';
import { readDefinitions, type SnapshotState } from './read.ts';
import type { Change, Snapshot } from './snapshot.ts';

/** Everything that SDKs evaluate with, in memory, updated after each commit. */
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
  /** Whether the database cannot be read, so that the last snapshot is used. */
  readonly isStale: () => boolean;
  /**
   * Calls back with each new snapshot. While there is a follower, changes are read as they happen. Returns a function
   * that ends it.
   */
  readonly follow: (callback: (snapshot: Snapshot) => void) => () => void;
}

declare module '../../../platform/module.ts' {
  interface Services {
    /** One for all modules of a server, so that the database is read once. */
    readonly definitions: Definitions;
  }
}

/** A notice can be lost with its connection. Then the change is read after this time. */
const readAgainMs = 1_000;
/** The number of changes that are stored for clients that request updates. */
const maxChanges = 10_000;

type Sources = Pick<
  Services,
  'readBriefly' | 'listener' | 'onCommit' | 'breaker' | 'stopping' | 'log'
>;

export function createDefinitions(services: Sources): Definitions {
  const { readBriefly, listener, onCommit, breaker, stopping, log } = services;
  let current: SnapshotState | undefined;
  let changes: Change[] = [];
  /** All changes after this revision are stored. */
  let storedAfter = 0;
  /** The number of notices. */
  let notices = 0;
  /** The number of notices when the latest completed read began. */
  let noticesAtLastRead = -1;
  /** The number of notices when the latest read began. */
  let noticesAtReadStart = -1;
  let urgedAt = Number.NEGATIVE_INFINITY;
  /** When the last successful read began. */
  let trueAtMs: number | undefined;
  const reads = createSingleFlight<'look', Snapshot>();
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

  async function look(): Promise<Snapshot> {
    const before = current;
    noticesAtReadStart = notices;
    const asOf = notices;
    const beganMs = performance.now();
    const fresh = await readBriefly((db) => readDefinitions(db, before));
    const { revision } = fresh.snapshot;
    if (!before || revision < before.snapshot.revision) {
      changes = [];
      storedAfter = revision;
    } else if (fresh !== before) {
      remember(before.snapshot, fresh.snapshot);
    }
    current = fresh;
    noticesAtLastRead = asOf;
    trueAtMs = beganMs;
    if (fresh !== before) for (const callback of followers) callback(fresh.snapshot);
    return fresh.snapshot;
  }

  /** Concurrent callers share one read. A read that began before the last notice may have missed the change. */
  const readOnce = (): Promise<Snapshot> =>
    noticesAtReadStart === notices ? reads.join('look', look) : reads.joinNext('look', look);

  /** While the database cannot be read, for whatever reason, SDKs are served from the last snapshot. */
  const outage = createOutageWatch({
    breaker,
    covers: () => !stopping.aborted,
    onChange: (reason) => {
      const revision = current?.snapshot.revision;
      if (reason) log.error({ err: reason, revision }, 'SDKs are served from the last snapshot');
      else log.warn({ revision }, 'SDKs are served from the database again');
    },
  });
  const readOrLastKnown = () => outage.ask(readOnce, () => current?.snapshot);

  const readForFollowers = () => {
    if (followers.size === 0 || stopping.aborted) return;
    readOrLastKnown().catch((error) => {
      if (!stopping.aborted) log.warn({ err: error }, 'the snapshot for SDKs could not be read');
    });
  };
  const onNotice = () => {
    notices += 1;
    readForFollowers();
  };
  const onDatabaseNotice = () => {
    outage.lookAgain();
    onNotice();
  };
  listener.on(eventsChannel, onDatabaseNotice);
  onCommit(onDatabaseNotice);
  const timer = setInterval(onNotice, readAgainMs).unref();
  stopping.addEventListener('abort', () => clearInterval(timer));

  return {
    current(atLeast = 0) {
      if (current && noticesAtLastRead === notices && current.snapshot.revision >= atLeast)
        return current.snapshot;
      if (current && noticesAtLastRead === notices) {
        // A client may invent a revision, so the database is read at most once per `readAgainMs` because of it.
        if (performance.now() - urgedAt < readAgainMs) return current.snapshot;
        urgedAt = performance.now();
        notices += 1;
      }
      return readOrLastKnown();
    },
    changesBehind(revision) {
      if (!current || revision < storedAfter || revision > current.snapshot.revision)
        return undefined;
      return changes.filter((change) => change.revision > revision);
    },
    ageSeconds: () => (trueAtMs === undefined ? undefined : (performance.now() - trueAtMs) / 1000),
    isStale: outage.isAway,
    follow(callback) {
      followers.add(callback);
      return () => followers.delete(callback);
    },
  };
}
