import { sql } from 'kysely';
import type { Actor, Db } from '../../../platform/db/database.ts';
import type { Statistics } from './deliveries-contract.ts';
import { isEventInLog, visibleTo } from './visible.ts';

/** Only the newest records are read, which takes some 40 ms. */
const maxRecords = 10_000;

interface Row {
  readonly oldest: Date | null;
  readonly attempted: number;
  readonly delivered: number;
  readonly givenUp: number;
  readonly success: number;
  readonly successWithErrors: number;
  readonly failed: number;
  readonly p50: number | null;
  readonly p95: number | null;
  readonly pending: number;
  readonly nextAttemptAt: Date | null;
  readonly oldestPendingAt: Date | null;
}

export async function readStatistics(
  db: Db,
  integrationId: number,
  { from, to, sees }: { from: Date; to: Date; sees: Actor['sees'] },
): Promise<Statistics> {
  const mine = sql`d.integration_id = ${integrationId} and ${visibleTo(sees)}`;
  const { rows } = await sql<Row>`
    with looked_at as materialized (
      select d.created_at, d.state, d.outcome, d.latency_ms from deliveries d
      where ${mine} and d.outcome is not null and ${isEventInLog}
        and d.created_at >= ${from} and d.created_at <= ${to}
      order by d.created_at desc, d.event_id desc limit ${sql.lit(maxRecords)}
    ), waiting as (
      select count(*) as pending, min(d.next_at) as next_at, min(d.event_id) as event_id
      from deliveries d where ${mine} and d.next_at is not null
    ), ended as (
      select min(created_at) as oldest, count(*) as attempted,
        count(*) filter (where state = 'delivered') as delivered,
        count(*) filter (where state = 'givenUp') as given_up,
        count(*) filter (where outcome = 'success') as success,
        count(*) filter (where outcome = 'successWithErrors') as with_errors,
        count(*) filter (where outcome = 'failed') as failed,
        percentile_disc(array[0.5, 0.95]) within group (order by latency_ms) as latencies
      from looked_at
    )
    select oldest, attempted, delivered, given_up as "givenUp", success,
      with_errors as "successWithErrors", failed, latencies[1] as p50, latencies[2] as p95,
      pending, next_at as "nextAttemptAt",
      (select created_at from deliveries
       where integration_id = ${integrationId} and event_id = waiting.event_id) as "oldestPendingAt"
    from ended, waiting`.execute(db);
  return statisticsOf(rows[0] as Row, from, to);
}

const statisticsOf = (row: Row, from: Date, to: Date): Statistics => {
  const { attempted, delivered, givenUp, success, successWithErrors, failed, pending } = row;
  const begin = attempted === maxRecords && row.oldest ? row.oldest : from;
  return {
    from: begin.toISOString(),
    to: to.toISOString(),
    attempted,
    delivered,
    givenUp,
    byState: { success, successWithErrors, failed },
    ...(attempted > 0 && { successRate: (success + successWithErrors) / attempted }),
    ...(row.p50 !== null && row.p95 !== null && { latencyMs: { p50: row.p50, p95: row.p95 } }),
    pending,
    ...(row.oldestPendingAt && { oldestPendingAt: row.oldestPendingAt.toISOString() }),
    ...(row.nextAttemptAt && { nextAttemptAt: row.nextAttemptAt.toISOString() }),
  };
};
