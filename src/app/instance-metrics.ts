import type { Kysely } from 'kysely';
import { answers, poolState } from '../platform/db/connect.ts';
import type { Database } from '../platform/db/database.ts';
import type { Listener } from '../platform/db/listen.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { TimerWatch } from '../platform/timers.ts';
import { version } from '../platform/version.ts';

interface Instance {
  /** By their label in the metrics. The pool of the gate tests whether the database responds. */
  readonly pools: Readonly<Record<'burgee' | 'read' | 'gate' | 'search', Kysely<Database>>>;
  /** How many changes wait before they ask their pool for a connection. */
  readonly countWaitingChanges: () => number;
  readonly listener: Pick<Listener, 'isConnected'>;
  readonly hasDiskSpace: () => Promise<boolean>;
}

/** Registers metrics about this instance and its database connections. */
export function describeInstance(
  { gauge }: Metrics,
  { pools, countWaitingChanges, listener, hasDiskSpace }: Instance,
): void {
  const states = () =>
    Object.entries(pools).map(([pool, db]) => ({ labels: { pool }, ...poolState(db) }));
  gauge(
    {
      name: 'burgee_build_info',
      help: 'Always 1; the labels are the versions that are running',
      labels: ['version', 'node'],
    },
    () => [{ labels: { version, node: process.version }, value: 1 }],
  );
  gauge(
    {
      name: 'burgee_listener_connected',
      help: '1 while notifications of other instances are received',
    },
    () => (listener.isConnected() ? 1 : 0),
  );
  gauge(
    {
      name: 'burgee_database_pool_size',
      help: 'Maximum number of connections of a pool',
      labels: ['pool'],
    },
    () => states().map(({ labels, max }) => ({ labels, value: max })),
  );
  gauge(
    {
      name: 'burgee_database_pool_used',
      help: 'Connections of a pool that are in use',
      labels: ['pool'],
    },
    () => states().map(({ labels, used }) => ({ labels, value: used })),
  );
  gauge(
    {
      name: 'burgee_database_pool_waiting',
      help: 'Requests that are waiting for a connection of a pool',
      labels: ['pool'],
    },
    () =>
      states().map(({ labels, waiting }) => ({
        labels,
        value: waiting + (labels.pool === 'burgee' ? countWaitingChanges() : 0),
      })),
  );
  // Registered after the pools, because it uses a connection itself.
  gauge(
    { name: 'burgee_database_up', help: '1 while the database responds', otherwise: 0 },
    async () => ((await answers(pools.gate)) ? 1 : 0),
  );
  gauge(
    {
      name: 'burgee_database_disk_full',
      help: '1 after a change failed because the disk of the database is full, until there is space again',
    },
    async () => ((await hasDiskSpace()) ? 0 : 1),
  );
}

/** When periodic work was last done by this instance, and how often it failed. */
export function timerMetrics({ gauge, counter }: Metrics): TimerWatch {
  const doneAt = new Map<string, number>();
  const failed = counter({
    name: 'burgee_periodic_work_failures_total',
    help: 'Failures of periodic work on this instance',
    labels: ['work'],
  });
  gauge(
    {
      name: 'burgee_periodic_work_done_timestamp_seconds',
      help: 'Time at which this instance last did the periodic work; each time, one of the instances does it',
      labels: ['work'],
    },
    () => [...doneAt].map(([work, value]) => ({ labels: { work }, value })),
  );
  return {
    done: (work) => void doneAt.set(work, Date.now() / 1000),
    failed: (work) => failed({ work }),
  };
}
