import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../platform/db/database.ts';
import type { Filter } from '../filter.ts';
import { timeConditions } from './predicate.ts';

/** Where the log stands in a snapshot. Ids have no gaps: it holds exactly head - anchor events. */
export interface LogState {
  readonly anchor: number;
  readonly head: number;
  readonly rewrites: number;
}

/** The log's row and its last id, as a CTE for statements that must see both in one snapshot. */
export const logCte: RawBuilder<LogState> = sql`
  log as materialized (
    select anchor_id as anchor, rewrites,
           coalesce((select max(id) from events), anchor_id) as head
    from event_log
  )`;

export interface Bounds extends LogState {
  /** Every hit lies above `low` and not above `high`. */
  readonly low: number;
  readonly high: number;
}

/** The state of the log, and the ids between which a filter's range of time lies. */
export async function readBounds(db: Db, filter: Filter): Promise<Bounds> {
  const timed = filter.since !== undefined || filter.until !== undefined;
  const narrowed = sql`
    (select min(e.id) - 1 from event_range e) as low, (select max(e.id) from event_range e) as high`;
  const { rows } = await sql<LogState & { low: number | null; high: number | null }>`
    with ${logCte} ${timed ? sql`, ${rangeCte(filter)}` : sql``}
    select log.anchor, log.head, log.rewrites,
      ${timed ? narrowed : sql`log.anchor as low, log.head as high`}
    from log`.execute(db);
  const state = rows[0] as LogState & { low: number | null; high: number | null };
  return { ...state, low: state.low ?? state.head, high: state.high ?? state.anchor };
}

/** The two outermost events of the days that a range of time touches. */
const rangeCte = ({ since, until }: Filter) => {
  const days = sql.join(
    [
      ...(since === undefined ? [] : [sql`day >= ${new Date(since)}::timestamptz::date`]),
      ...(until === undefined ? [] : [sql`day <= ${new Date(until - 1)}::timestamptz::date`]),
    ],
    sql` and `,
  );
  return sql`event_range as (
    select unnest(array[min(first_id), max(last_id)]) as id from event_days where ${days})`;
};

export { timeConditions };
