import { hourMs } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/db/database.ts';
import { logRetry } from '../../../platform/db/outage.ts';
import type { Services } from '../../../platform/module.ts';
import { createSingleFlight } from '../../../platform/single-flight.ts';
import type { Edge } from './contract.ts';
import type { Edges } from './edges.ts';
import { listEdgesSince, mostEdges, upsertEdges } from './queries.ts';
import { edgesIn, type ReportedEdge } from './reported.ts';

const flushAfterMs = 1_000;
const retryAfterMs = 10_000;

/** An edge that is silent for longer is no longer listed. */
export const listedMs = hourMs;

type Needs = Pick<Services, 'transact' | 'system' | 'clock' | 'log' | 'atEnd'>;

/** Stores the last report of each edge in the database, all of a second together. */
export function createStoredEdges({ transact, system, clock, log, atEnd }: Needs): Edges {
  let waiting = new Map<string, ReportedEdge>();
  let timer: NodeJS.Timeout | undefined;
  let ended = false;
  const flushes = createSingleFlight<'flush', void>();

  async function store(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const taken = waiting;
    if (taken.size === 0) return;
    waiting = new Map();
    try {
      await transact(system, (tx) => upsertEdges(tx, [...taken.values()]));
    } catch (error) {
      // What was reported meanwhile is newer.
      waiting = new Map([...taken, ...waiting]);
      schedule(retryAfterMs);
      throw error;
    }
  }

  const flush = (): Promise<void> => flushes.joinNext('flush', store);

  function schedule(afterMs: number): void {
    if (ended || timer) return;
    timer = setTimeout(
      () =>
        void flush().catch((error) =>
          logRetry(log, error, 'reports of edges could not be stored, trying again', {
            level: 'warn',
          }),
        ),
      afterMs,
    ).unref();
  }

  atEnd(async () => {
    ended = true;
    clearTimeout(timer);
    // They report again within a minute, to another instance.
    await flush().catch(() => undefined);
  });

  return {
    report(report, { environment }) {
      for (const edge of edgesIn(report, { environment, now: clock() })) {
        if (waiting.size < mostEdges || waiting.has(edge.identifier))
          waiting.set(edge.identifier, edge);
      }
      schedule(flushAfterMs);
    },
    flush,
  };
}

/** Lists the edges that reported within the last hour. */
export async function listEdges(db: Db, now: Date): Promise<Edge[]> {
  const rows = await listEdgesSince(db, new Date(now.getTime() - listedMs));
  return rows.map(({ featuresMs, featuresP99Ms, metricsMs, metricsP99Ms, ...edge }) => ({
    ...edge,
    startedAt: edge.startedAt?.toISOString() ?? null,
    reportedAt: edge.reportedAt.toISOString(),
    latency: { featuresMs, featuresP99Ms, metricsMs, metricsP99Ms },
  }));
}
