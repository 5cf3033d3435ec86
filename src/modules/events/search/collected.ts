import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../platform/db/database.ts';
import { eventJson, type Shown } from '../event-json.ts';
import type { Filter, Order, Paging } from '../filter.ts';
import { type Bounds, type LogState, logCte, timeConditions } from './log.ts';
import type { Known } from './memory.ts';
import { all, columnConditions, textCondition, textHits } from './predicate.ts';

/** The ids of all hits behind an id, found from the filters' own indexes and not along the log. */
function hitsAfter(filter: Filter, after: number): RawBuilder<unknown> {
  const conditions = [...columnConditions(filter), ...timeConditions(filter)];
  if (!filter.text) {
    return sql`select e.id from events e where ${all([...conditions, sql`e.id > ${after}`])}`;
  }
  const texts = textHits(filter.text, after);
  if (conditions.length === 0) return texts;
  return sql`select e.id from events e join (${texts}) t using (id) where ${all(conditions)}`;
}

/**
 * Counts the hits behind what is known, and keeps their ids while all of them are few. MATERIALIZED,
 * because ORDER BY and LIMIT beside a LIKE make the planner walk the log for an old word: 3.5 s.
 */
export async function learn(
  db: Db,
  filter: Filter,
  known: Known | undefined,
  maxKeptIds: number,
): Promise<Known> {
  const { rows } = await sql<LogState & { count: number; ids: number[] | null }>`
    with ${logCte}, hits as materialized (${hitsAfter(filter, known?.upTo ?? 0)})
    select log.anchor, log.head, log.rewrites, (select count(*) from hits) as count,
      (select array_agg(id::float8 order by id)
       from (select id from hits limit ${maxKeptIds + 1}) kept) as ids
    from log`.execute(db);
  const { head, rewrites, count, ids } = rows[0] as (typeof rows)[number];
  if (known && known.rewrites !== rewrites) return learn(db, filter, undefined, maxKeptIds);
  const total = (known?.count ?? 0) + count;
  const earlier = known ? known.ids : [];
  const keeps = total <= maxKeptIds && earlier !== undefined;
  const kept = keeps ? (ids ? earlier.concat(ids) : earlier) : undefined;
  return { upTo: head, count: total, rewrites, ids: kept };
}

const firstAbove = (ids: readonly number[], id: number): number => {
  let low = 0;
  let high = ids.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ids[middle] as number) > id) high = middle;
    else low = middle + 1;
  }
  return low;
};

/** The page out of ids that are all at hand. */
export function pageOfKept(ids: readonly number[], paging: Paging): number[] {
  const { order, offset, limit, after } = paging;
  if (order === 'asc') {
    const start = (after === undefined ? 0 : firstAbove(ids, after)) + offset;
    return ids.slice(start, start + limit);
  }
  const end = (after === undefined ? ids.length : firstAbove(ids, after - 1)) - offset;
  return ids.slice(Math.max(0, end - limit), Math.max(0, end)).reverse();
}

/** Past this many skipped hits a walk would carry more ids to us than the page is worth. */
const maxWalkedOffset = 10_000;

/**
 * The page of a filter with many hits: looks along the log from where the page begins, in a stretch
 * in which so many hits are to be expected, and in longer ones while it is not full.
 */
export async function pageByWalking(
  db: Db,
  filter: Filter,
  paging: Paging,
  bounds: Bounds,
  count: number,
): Promise<number[]> {
  const { order, offset, limit, after } = paging;
  if (offset > maxWalkedOffset) return pageByOffset(db, filter, paging);
  const conditions = [...columnConditions(filter), ...timeConditions(filter)];
  if (filter.text) conditions.push(textCondition(filter.text));
  const low = order === 'asc' && after !== undefined ? Math.max(after, bounds.low) : bounds.low;
  const high =
    order === 'desc' && after !== undefined ? Math.min(after - 1, bounds.high) : bounds.high;
  const eventsPerHit = (bounds.high - bounds.low) / Math.max(count, 1);
  let stretch = Math.ceil((offset + limit) * eventsPerHit * 1.5) + 200;
  let found: number[] = [];
  let walked = 0;
  while (found.length < offset + limit && walked < high - low) {
    const [from, to] =
      order === 'desc'
        ? [Math.max(low, high - walked - stretch), high - walked]
        : [low + walked, Math.min(high, low + walked + stretch)];
    const { rows } = await sql<{ id: number }>`
      select e.id from events e
      where e.id > ${from} and e.id <= ${to} and ${all(conditions)}
      order by e.id ${sql.raw(order)} limit ${offset + limit - found.length}`.execute(db);
    found = found.concat(rows.map(({ id }) => id));
    walked += stretch;
    stretch *= 4;
  }
  return found.slice(offset);
}

async function pageByOffset(db: Db, filter: Filter, paging: Paging): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with hits as materialized (${hitsAfter(filter, 0)})
    select id from hits order by id ${sql.raw(paging.order)}
    offset ${paging.offset} limit ${paging.limit}`.execute(db);
  return rows.map(({ id }) => id);
}

/** The events with these ids as JSON, in the order asked for. */
export async function readJson(
  db: Db,
  ids: readonly number[],
  order: Order,
  shown: Shown,
  separator = ',',
): Promise<string> {
  if (ids.length === 0) return '';
  const { rows } = await sql<{ json: string | null }>`
    select string_agg(${eventJson(shown)}, ${separator} order by e.id ${sql.raw(order)}) as json
    from events e where e.id = any(${ids}::bigint[])`.execute(db);
  return rows[0]?.json ?? '';
}
