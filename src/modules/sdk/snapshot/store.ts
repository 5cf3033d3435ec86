import { eventsChannel } from '../../../platform/db/channels.ts';
import { createOutageWatch } from '../../../platform/db/outage.ts';
import type { Services } from '../../../platform/module.ts';
import { createSingleFlight } from '../../../platform/single-flight.ts';
import type { Definitions } from './definitions.ts';
import { createPublished } from './published.ts';
import { readDefinitions, type SnapshotState } from './read.ts';
import type { Snapshot } from './snapshot.ts';

/** A notice can be lost with its connection. Then the change is read after this time. */
const readAgainMs = 1_000;

type Sources = Pick<
  Services,
  'readBriefly' | 'listener' | 'onCommit' | 'breaker' | 'stopping' | 'log'
>;

/** The definitions in the database, updated after each commit. */
export function createDefinitions(services: Sources): Definitions {
  const { readBriefly, listener, onCommit, breaker, stopping, log } = services;
  const published = createPublished();
  let current: SnapshotState | undefined;
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

  async function look(): Promise<Snapshot> {
    const before = current;
    noticesAtReadStart = notices;
    const asOf = notices;
    const beganMs = performance.now();
    const fresh = await readBriefly((db) => readDefinitions(db, before));
    current = fresh;
    noticesAtLastRead = asOf;
    trueAtMs = beganMs;
    published.publish(fresh.snapshot);
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
    if (!published.hasFollowers() || stopping.aborted) return;
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
    changesBehind: published.changesBehind,
    ageSeconds: () => (trueAtMs === undefined ? undefined : (performance.now() - trueAtMs) / 1000),
    isStale: outage.isAway,
    follow: published.follow,
  };
}
