import { type RawBuilder, sql } from 'kysely';
import { dayMs } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/db/database.ts';
import { type LogState, logCte } from '../log-state.ts';
import type { Filter } from './filter.ts';

export const isTimed = ({ since, until }: Filter) => since !== undefined || until !== undefined;

/** Ids above `low`, up to and including `high`: numbers, or expressions in SQL. */
export interface Span<Bound = number> {
  readonly low: Bound;
  readonly high: Bound;
}

/**
 * The ids between which the hits of a filter lie. Ids follow time closely but not strictly: transactions overlap at
 * midnight, and the demo writes the past. A range of time therefore has an inner span, all of whose ids belong to days
 * inside the range, and edges in which the time of each event is compared.
 */
export interface Range<Bound = number> extends Span<Bound> {
  readonly inner: Span<Bound>;
}

/** As days since 1970, because PostgreSQL does not accept all years that JavaScript can write. */
const dayOf = (ms: number) => Math.floor(ms / dayMs);

/**
 * The range as a CTE `span` with the columns low, high, inner_low and inner_high, from the few hundred rows of
 * event_days. It needs the CTE `log`, and is the whole log for a filter without times.
 */
export function spanCte({ since, until }: Filter): RawBuilder<unknown> {
  // The days that lie completely in the range, and those that it touches.
  const firstWhole = since === undefined ? null : Math.ceil(since / dayMs);
  const lastWhole = until === undefined ? null : Math.floor(until / dayMs) - 1;
  const firstTouched = since === undefined ? null : dayOf(since);
  const lastTouched = until === undefined ? null : dayOf(until - 1);
  if (since === undefined && until === undefined) {
    return sql`span as (
      select anchor as low, head as high, anchor as inner_low, head as inner_high from log)`;
  }
  return sql`
    days as (
      select coalesce(min(first_id) filter (where touched) - 1, (select head from log)) as low,
             max(last_id) filter (where touched) as high,
             max(last_id) filter (where day < date '1970-01-01' + ${firstWhole}::int) as earlier,
             min(first_id) filter (where day > date '1970-01-01' + ${lastWhole}::int) - 1 as later
      from (
        select *, day >= coalesce(date '1970-01-01' + ${firstTouched}::int, day)
              and day <= coalesce(date '1970-01-01' + ${lastTouched}::int, day) as touched
        from event_days
      ) d
    ), outer_span as (
      select low, greatest(high, low) as high, earlier, later from days
    ), inner_start as (
      select *, least(greatest(low, earlier), high) as inner_low from outer_span
    ), span as materialized (
      select low, high, inner_low, greatest(inner_low, least(high, later)) as inner_high
      from inner_start
    )`;
}

const bound = (column: string) => sql`(select ${sql.raw(column)} from span)`;

/** The range that the CTE `span` has found. */
export const spanInSql: Range<RawBuilder<unknown>> = {
  low: bound('low'),
  high: bound('high'),
  inner: { low: bound('inner_low'), high: bound('inner_high') },
};

export const within = ({ low, high }: Span<unknown>): RawBuilder<unknown> =>
  sql`e.id > ${low} and e.id <= ${high}`;

/** Compares the time of each event. */
export function timeCondition({ since, until }: Filter): RawBuilder<unknown> {
  const from = sql`e.created_at >= ${new Date(since ?? 0)}::timestamptz`;
  const to = sql`e.created_at < ${new Date(until ?? 0)}::timestamptz`;
  if (since === undefined) return to;
  return until === undefined ? from : sql`${from} and ${to}`;
}

/** The conditions of the range. Inside the inner span the ids are enough. */
export const inRange = (filter: Filter, range: Range<unknown>): RawBuilder<unknown>[] => {
  const { low, high, inner } = range;
  if (inner.low === low && inner.high === high) return [within(range)];
  return [within(range), sql`((${within(inner)}) or (${timeCondition(filter)}))`];
};

/** The range in numbers, and the log that it belongs to. */
export async function readRange(db: Db, filter: Filter): Promise<Range & LogState> {
  const { rows } = await sql<LogState & Span & { innerLow: number; innerHigh: number }>`
    with ${logCte}, ${spanCte(filter)}
    select log.anchor, log.head, log.rewrites, log.recreated, span.low, span.high,
           span.inner_low as "innerLow", span.inner_high as "innerHigh"
    from log, span`.execute(db);
  const { innerLow, innerHigh, ...range } = rows[0] as (typeof rows)[number];
  return { ...range, inner: { low: innerLow, high: innerHigh } };
}
