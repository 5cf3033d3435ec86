import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../platform/db/database.ts';
import type { Filter } from './filter.ts';
import { type LogState, logCte } from './log.ts';

/** Ids above `low` and not above `high`. */
export interface Span {
  readonly low: number;
  readonly high: number;
}

/**
 * The ids between which a filter's hits lie. Ids follow time closely, but not strictly (transactions
 * overlap at midnight, the demo writes the past), so a range of time has an inner span whose ids all
 * belong to days that lie in it whole, and edges in which each event's own time must be asked.
 */
export interface Range extends LogState, Span {
  readonly inner: Span;
}

export const isTimed = ({ since, until }: Filter) => since !== undefined || until !== undefined;

const dayMs = 86_400_000;

/** As days since 1970: a calendar text would leave PostgreSQL's years at either end of ours. */
const dayOf = (ms: number) => Math.floor(ms / dayMs);

/**
 * The range as a CTE named `span` with the columns low, high, inner_low and inner_high, found from
 * the few hundred rows of event_days; it needs the CTE `log` beside it.
 */
export function spanCte({ since, until }: Filter): RawBuilder<unknown> {
  // The days that lie in the range whole, and those that it touches.
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

/** The range in numbers, for searches of several statements in one snapshot. */
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

/** Bounds may be numbers, or expressions that the statement itself finds. */
export const within = (span: { readonly low: unknown; readonly high: unknown }) =>
  sql`e.id > ${span.low} and e.id <= ${span.high}`;

/** The time of an event, asked of the event itself. */
export function timeCondition({ since, until }: Filter): RawBuilder<unknown> {
  const from = sql`e.created_at >= ${new Date(since ?? 0)}::timestamptz`;
  const to = sql`e.created_at < ${new Date(until ?? 0)}::timestamptz`;
  if (since === undefined) return to;
  return until === undefined ? from : sql`${from} and ${to}`;
}

/** All of the range: inside the inner span the ids say enough. */
export function inRange(filter: Filter, range: Range): RawBuilder<unknown>[] {
  const { low, high, inner } = range;
  const certain = inner.low <= low && inner.high >= high;
  if (certain) return [within(range)];
  return [within(range), sql`((${within(inner)}) or (${timeCondition(filter)}))`];
}

/** The parts of the range: those whose ids say enough, and edges in which each event is asked for its time. */
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

/** How many events lie in the range, whatever they are. */
export async function countInRange(db: Db, filter: Filter, range: Range): Promise<number> {
  const { low, high, inner } = range;
  if (!isTimed(filter)) return high - low;
  const sure = Math.max(0, Math.min(high, inner.high) - Math.max(low, inner.low));
  const [first, ...edges] = partsOf(filter, range);
  const asked = sure > 0 ? edges : first ? [first] : [];
  if (asked.length === 0) return sure;
  const counts = asked.map((part) => sql`(select count(*) from events e where ${part})`);
  const { rows } = await sql<{ count: number }>`
    select ${sql.join(counts, sql` + `)} as count`.execute(db);
  return sure + (rows[0]?.count ?? 0);
}
