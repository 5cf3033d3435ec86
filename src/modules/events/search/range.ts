import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../platform/db/database.ts';
import type { Filter } from '../filter.ts';
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
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

interface Days {
  readonly low: number | null;
  readonly high: number | null;
  readonly earlier: number | null;
  readonly later: number | null;
}

/** Found from the few hundred rows of event_days, in the snapshot of whoever searches. */
export async function readRange(db: Db, { since, until }: Filter): Promise<Range> {
  // The days that lie in the range whole, and those that it touches.
  const firstWhole = since === undefined ? null : dayOf(Math.ceil(since / dayMs) * dayMs);
  const lastWhole = until === undefined ? null : dayOf(Math.floor(until / dayMs) * dayMs - dayMs);
  const firstTouched = since === undefined ? null : dayOf(since);
  const lastTouched = until === undefined ? null : dayOf(until - 1);
  const { rows } = await sql<LogState & Days>`
    with ${logCte}
    select log.anchor, log.head, log.rewrites, days.*
    from log, (
      select min(first_id) filter (where touched) - 1 as low, max(last_id) filter (where touched) as high,
             max(last_id) filter (where day < ${firstWhole}::date) as earlier,
             min(first_id) filter (where day > ${lastWhole}::date) - 1 as later
      from (
        select *, day >= coalesce(${firstTouched}::date, day)
              and day <= coalesce(${lastTouched}::date, day) as touched
        from event_days
      ) d
    ) days`.execute(db);
  const { anchor, head, rewrites, ...days } = rows[0] as LogState & Days;
  const low = days.low ?? head;
  const high = Math.max(days.high ?? low, low);
  const innerLow = Math.min(Math.max(low, days.earlier ?? low), high);
  const innerHigh = Math.max(innerLow, Math.min(high, days.later ?? high));
  return { anchor, head, rewrites, low, high, inner: { low: innerLow, high: innerHigh } };
}

export const wholeLog = (state: LogState): Range => {
  const span = { low: state.anchor, high: state.head };
  return { ...state, ...span, inner: span };
};

export const within = ({ low, high }: Span): RawBuilder<unknown> =>
  sql`e.id > ${low} and e.id <= ${high}`;

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

/** The parts of the range behind an id: those whose ids say enough, and those to be asked. */
export function spansBehind(range: Range, behind: number): { certain: Span[]; edges: Span[] } {
  const cut = ({ low, high }: Span): Span[] => {
    const from = Math.max(low, behind);
    return from < high ? [{ low: from, high }] : [];
  };
  return {
    certain: cut(range.inner),
    edges: [
      ...cut({ low: range.low, high: range.inner.low }),
      ...cut({ low: range.inner.high, high: range.high }),
    ],
  };
}
