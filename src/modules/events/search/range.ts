import { type RawBuilder, sql } from 'kysely';
import { dayMs } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/db/database.ts';
import type { Filter } from './filter.ts';

/** The state of the log in a snapshot. Ids have no gaps: it has exactly head - anchor events. */
export interface LogState {
  readonly anchor: number;
  readonly head: number;
  readonly rewrites: number;
  /** The first event of the project whose name was used again last. 0 if there is none. */
  readonly recreated: number;
}

/** The row of event_log and the last id, as a CTE for statements that need both in one snapshot. */
export const logCte: RawBuilder<LogState> = sql`
  log as materialized (
    select anchor_id as anchor, rewrites,
           coalesce((select max(id) from events), anchor_id) as head,
           coalesce((select max(first_event_id) from projects), 0) as recreated
    from event_log
  )`;

export async function readLog(db: Db): Promise<LogState> {
  const { rows } =
    await sql<LogState>`with ${logCte} select anchor, head, rewrites, recreated from log`.execute(
      db,
    );
  return rows[0] as LogState;
}

/** Ids above `low`, up to and including `high`. */
export interface Span {
  readonly low: number;
  readonly high: number;
}

/**
 * The ids between which the hits of a filter lie. Ids follow time closely but not strictly: transactions overlap at
 * midnight, and the demo writes the past. A range of time therefore has an inner span, all of whose ids belong to days
 * inside the range, and edges in which the time of each event is compared.
 */
export interface Range extends LogState, Span {
  readonly inner: Span;
}

export const isTimed = ({ since, until }: Filter) => since !== undefined || until !== undefined;

/** As days since 1970, because PostgreSQL does not accept all years that JavaScript can write. */
const dayOf = (ms: number) => Math.floor(ms / dayMs);

/**
 * The range as a CTE `span` with the columns low, high, inner_low and inner_high, from the few hundred rows of
 * event_days. It needs the CTE `log`.
 */
export function spanCte({ since, until }: Filter): RawBuilder<unknown> {
  // The days that lie completely in the range, and those that it touches.
  const firstWhole = since === undefined ? null : Math.ceil(since / dayMs);
  const lastWhole = until === undefined ? null : Math.floor(until / dayMs) - 1;
  const firstTouched = since === undefined ? null : dayOf(since);
  const lastTouched = until === undefined ? null : dayOf(until - 1);
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

/** The range in numbers, for searches with several statements in one snapshot. */
export async function readRange(db: Db, filter: Filter): Promise<Range> {
  const { rows } = await sql<LogState & Span & { innerLow: number; innerHigh: number }>`
    with ${logCte}, ${spanCte(filter)}
    select log.anchor, log.head, log.rewrites, log.recreated, span.low, span.high,
           span.inner_low as "innerLow", span.inner_high as "innerHigh"
    from log, span`.execute(db);
  const { innerLow, innerHigh, ...range } = rows[0] as (typeof rows)[number];
  return { ...range, inner: { low: innerLow, high: innerHigh } };
}

export const wholeLog = (state: LogState): Range => {
  const span = { low: state.anchor, high: state.head };
  return { ...state, ...span, inner: span };
};

/** Bounds are numbers or SQL expressions. */
export const within = (span: { readonly low: unknown; readonly high: unknown }) =>
  sql`e.id > ${span.low} and e.id <= ${span.high}`;

/** Compares the time of each event. */
export function timeCondition({ since, until }: Filter): RawBuilder<unknown> {
  const from = sql`e.created_at >= ${new Date(since ?? 0)}::timestamptz`;
  const to = sql`e.created_at < ${new Date(until ?? 0)}::timestamptz`;
  if (since === undefined) return to;
  return until === undefined ? from : sql`${from} and ${to}`;
}

/** The whole range. Inside the inner span the ids are enough. */
export function inRange(filter: Filter, range: Range): RawBuilder<unknown>[] {
  const { low, high, inner } = range;
  const isCertain = inner.low <= low && inner.high >= high;
  if (isCertain) return [within(range)];
  return [within(range), sql`((${within(inner)}) or (${timeCondition(filter)}))`];
}

/** The parts of the range: the inner span, and edges in which the time of each event is compared. */
export function partsOf(filter: Filter, { low, high, inner }: Range): RawBuilder<unknown>[] {
  const clamped = { low: Math.max(low, inner.low), high: Math.min(high, inner.high) };
  if (clamped.low <= low && clamped.high >= high) return [within({ low, high })];
  if (clamped.low >= clamped.high)
    return [sql`${within({ low, high })} and ${timeCondition(filter)}`];
  const edges = [
    { low, high: clamped.low },
    { low: clamped.high, high },
  ].filter((edge) => edge.low < edge.high);
  return [
    within(clamped),
    ...edges.map((edge) => sql`${within(edge)} and ${timeCondition(filter)}`),
  ];
}

/** The number of all events in the range. */
export async function countInRange(db: Db, filter: Filter, range: Range): Promise<number> {
  const { low, high, inner } = range;
  if (!isTimed(filter)) return high - low;
  const certainCount = Math.max(0, Math.min(high, inner.high) - Math.max(low, inner.low));
  const [first, ...edges] = partsOf(filter, range);
  const uncertainParts = certainCount > 0 ? edges : first ? [first] : [];
  if (uncertainParts.length === 0) return certainCount;
  const counts = uncertainParts.map((part) => sql`(select count(*) from events e where ${part})`);
  const { rows } = await sql<{ count: number }>`
    select ${sql.join(counts, sql` + `)} as count`.execute(db);
  return certainCount + (rows[0]?.count ?? 0);
}
