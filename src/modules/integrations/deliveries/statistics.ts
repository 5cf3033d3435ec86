import { sql } from 'kysely';
import type { Actor } from '../../../platform/actor.ts';
import type { Db } from '../../../platform/db/database.ts';
import type { Statistics } from './deliveries-contract.ts';
import { isEventInLog, visibleTo } from './visible.ts';

/** Only the newest records are read, which takes some 40 ms. */
const maxRecords = 10_000;

interface PeriodRow {
  readonly from: Date;
  readonly success: number;
  readonly successWithErrors: number;
  readonly failed: number;
  readonly p50: number | null;
  readonly p95: number | null;
}

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

const hourMs = 3_600_000;

/** Long enough that a chart has at most some fifty points. */
const periodMs = (from: Date, to: Date): number => {
  const hours = (to.getTime() - from.getTime()) / hourMs;
  return (hours <= 48 ? 1 : hours <= 240 ? 6 : 24) * hourMs;
};

interface Range {
  readonly from: Date;
  readonly to: Date;
  readonly sees: Actor['sees'];
}

const lookedAt = (integrationId: number, { from, to, sees }: Range) => sql`
  select d.created_at, d.state, d.outcome, d.latency_ms from deliveries d
  where d.integration_id = ${integrationId} and ${visibleTo(sees)} and d.outcome is not null
    and ${isEventInLog} and d.created_at >= ${from} and d.created_at <= ${to}
  order by d.created_at desc, d.event_id desc limit ${sql.lit(maxRecords)}`;

async function listPeriods(
  db: Db,
  integrationId: number,
  range: Range,
): Promise<Statistics['periods']> {
  const length = periodMs(range.from, range.to);
  const { rows } = await sql<PeriodRow>`
    with looked_at as materialized (${lookedAt(integrationId, range)})
    select date_bin(${`${length} milliseconds`}::interval, created_at, 'epoch'::timestamptz) as "from",
      count(*) filter (where outcome = 'success') as success,
      count(*) filter (where outcome = 'successWithErrors') as "successWithErrors",
      count(*) filter (where outcome = 'failed') as failed,
      percentile_disc(0.5) within group (order by latency_ms) as p50,
      percentile_disc(0.95) within group (order by latency_ms) as p95
    from looked_at group by 1`.execute(db);
  const found = new Map(rows.map((row) => [row.from.getTime(), row]));
  const periods: Statistics['periods'] = [];
  const first = Math.floor(range.from.getTime() / length) * length;
  for (let at = first; at <= range.to.getTime(); at += length) {
    const row = found.get(at);
    periods.push({
      from: new Date(at).toISOString(),
      success: row?.success ?? 0,
      successWithErrors: row?.successWithErrors ?? 0,
      failed: row?.failed ?? 0,
      ...(row && latencyOf(row)),
    });
  }
  return periods;
}

const latencyOf = ({ p50, p95 }: Pick<PeriodRow, 'p50' | 'p95'>) =>
  p50 !== null && p95 !== null ? { latencyMs: { p50, p95 } } : {};

export async function readStatistics(
  db: Db,
  integrationId: number,
  range: Range,
): Promise<Statistics> {
  const { from, to, sees } = range;
  const mine = sql`d.integration_id = ${integrationId} and ${visibleTo(sees)}`;
  const { rows } = await sql<Row>`
    with looked_at as materialized (
      ${lookedAt(integrationId, range)}
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
  return {
    ...statisticsOf(rows[0] as Row, from, to),
    periods: await listPeriods(db, integrationId, range),
  };
}

const statisticsOf = (row: Row, from: Date, to: Date): Omit<Statistics, 'periods'> => {
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
    ...latencyOf(row),
    pending,
    ...(row.oldestPendingAt && { oldestPendingAt: row.oldestPendingAt.toISOString() }),
    ...(row.nextAttemptAt && { nextAttemptAt: row.nextAttemptAt.toISOString() }),
  };
};
