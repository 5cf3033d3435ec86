import { eventsChannel } from '../../../platform/db/channels.ts';
import { createOutageWatch } from '../../../platform/db/outage.ts';
import type { Services } from '../../../platform/module.ts';
import { createSingleFlight } from '../../../platform/single-flight.ts';
import { changesBetween } from './changes.ts';
import { readDefinitions, type SnapshotState } from './read.ts';
import type { Change, Snapshot } from './snapshot.ts';

/** What SDKs evaluate with, kept in memory and brought up to date by what was committed. */
export interface Definitions {
  /**
   * What is true now: without a promise where nothing happened since it was last asked. Whoever was told of a later
   * revision, by another instance, gets no earlier one.
   */
  readonly current: (atLeast?: number) => Snapshot | Promise<Snapshot>;
  /** What changed behind a revision, oldest first; undefined when that is too long ago to be known. */
  readonly changesBehind: (revision: number) => readonly Change[] | undefined;
  /** Seconds since what is told was last known to be true; undefined before the first look. */
  readonly ageSeconds: () => number | undefined;
  /** Whether it cannot be read what is true now, so that what was true last is told. */
  readonly isStale: () => boolean;
  /** Calls back with each new snapshot. It is followed as it happens while somebody listens. Returns the end. */
  readonly follow: (heard: (snapshot: Snapshot) => void) => () => void;
}

declare module '../../../platform/module.ts' {
  interface Services {
    /** One for all modules of a server, so that the database is read once. */
    readonly definitions: Definitions;
  }
}

/** A notice can be lost with its connection: then it takes as long as this until it is seen. */
const lookAgainMs = 1_000;
/** So many changes are remembered for those who ask what is new. */
const maxChanges = 10_000;

type Sources = Pick<
  Services,
  'readBriefly' | 'listener' | 'onCommit' | 'silence' | 'stopping' | 'log'
>;

export function createDefinitions(services: Sources): Definitions {
  const { readBriefly, listener, onCommit, silence, stopping, log } = services;
  let known: SnapshotState | undefined;
  let changes: Change[] = [];
  /** Behind this revision every change is known. */
  let knownBehind = 0;
  /** How often something was heard, and how often when the last look began whose result is known. */
  let heard = 0;
  let seen = -1;
  let lookedAsOf = -1;
  let urgedAt = Number.NEGATIVE_INFINITY;
  /** When the last look began that succeeded. */
  let trueAtMs: number | undefined;
  const looks = createSingleFlight<'look', Snapshot>();
  const followers = new Set<(snapshot: Snapshot) => void>();

  function remember(before: Snapshot, after: Snapshot): void {
    for (const change of changesBetween(before, after)) {
      changes.push(change);
      // More at once than are kept: whoever asks gets everything.
      if (changes.length > 2 * maxChanges) {
        changes = [];
        knownBehind = after.revision;
        return;
      }
    }
    if (changes.length <= maxChanges) return;
    // Not a part of those that came together.
    const last = changes[changes.length - maxChanges - 1] as Change;
    knownBehind = last.revision;
    changes = changes.filter(({ revision }) => revision > knownBehind);
  }

  async function look(): Promise<Snapshot> {
    const before = known;
    lookedAsOf = heard;
    const asOf = heard;
    const beganMs = performance.now();
    const fresh = await readBriefly((db) => readDefinitions(db, before));
    const { revision } = fresh.snapshot;
    if (!before || revision < before.snapshot.revision) {
      changes = [];
      knownBehind = revision;
    } else if (fresh !== before) {
      remember(before.snapshot, fresh.snapshot);
    }
    known = fresh;
    seen = asOf;
    trueAtMs = beganMs;
    if (fresh !== before) for (const tell of followers) tell(fresh.snapshot);
    return fresh.snapshot;
  }

  /** When many ask at once, one of them looks. A look that began before the last news may have missed them. */
  const lookOnce = (): Promise<Snapshot> =>
    lookedAsOf === heard ? looks.join('look', look) : looks.joinNext('look', look);

  /** SDKs are told what was true last while it cannot be read what is true now, whatever the reason. */
  const outage = createOutageWatch({
    silence,
    covers: () => !stopping.aborted,
    onChange: (reason) => {
      const revision = known?.snapshot.revision;
      if (reason) log.error({ err: reason, revision }, 'SDKs are answered from the last snapshot');
      else log.warn({ revision }, 'SDKs are answered from what is stored again');
    },
  });
  const lookOrRemember = () => outage.ask(lookOnce, () => known?.snapshot);

  const lookForFollowers = () => {
    if (followers.size === 0 || stopping.aborted) return;
    lookOrRemember().catch((error) => {
      if (!stopping.aborted) log.warn({ err: error }, 'what SDKs are told could not be read');
    });
  };
  const hear = () => {
    heard += 1;
    lookForFollowers();
  };
  const hearFromDatabase = () => {
    outage.lookAgain();
    hear();
  };
  listener.on(eventsChannel, hearFromDatabase);
  onCommit(hearFromDatabase);
  const timer = setInterval(hear, lookAgainMs).unref();
  stopping.addEventListener('abort', () => clearInterval(timer));

  return {
    current(atLeast = 0) {
      if (known && seen === heard && known.snapshot.revision >= atLeast) return known.snapshot;
      if (known && seen === heard) {
        // A revision that nobody gave them is no reason to look again and again.
        if (performance.now() - urgedAt < lookAgainMs) return known.snapshot;
        urgedAt = performance.now();
        heard += 1;
      }
      return lookOrRemember();
    },
    changesBehind(revision) {
      if (!known || revision < knownBehind || revision > known.snapshot.revision) return undefined;
      return changes.filter((change) => change.revision > revision);
    },
    ageSeconds: () => (trueAtMs === undefined ? undefined : (performance.now() - trueAtMs) / 1000),
    isStale: outage.isAway,
    follow(tell) {
      followers.add(tell);
      return () => followers.delete(tell);
    },
  };
}
