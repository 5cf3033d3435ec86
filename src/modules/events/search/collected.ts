import { sql } from 'kysely';
import type { Db } from '../../../platform/db/database.ts';
import { eventJson, type Shown } from '../event-json.ts';
import type { Filter, Order, Paging } from '../filter.ts';
import { hits } from './hits.ts';
import { readLog } from './log.ts';
import type { Known } from './memory.ts';
import { all, columnConditions, textCondition } from './predicate.ts';
import { inRange, isTimed, type Range, readRange, wholeLog } from './range.ts';

/** Where one way of searching becomes better than another. */
export interface Thresholds {
  /** Hits up to this number are kept by id: paging through them costs one page each. */
  readonly keptIds: number;
  /** Texts up to this number of hits are rare: they are looked up first, columns only for them. */
  readonly rareHits: number;
}

export const rangeOf = async (db: Db, filter: Filter): Promise<Range> =>
  isTimed(filter) ? readRange(db, filter) : wholeLog(await readLog(db));

/**
 * Counts the hits behind what is known, and keeps their ids while all of them are few. Counted apart
 * from the ids: a million ids written down only to be counted took 0.45 s of 0.9.
 */
export async function learn(
  db: Db,
  filter: Filter,
  known: Known | undefined,
  { keptIds, rareHits }: Thresholds,
): Promise<Known> {
  const range = await rangeOf(db, filter);
  const { head, rewrites } = range;
  const earlier = known?.rewrites === rewrites ? known : undefined;
  if (earlier?.upTo === head) return earlier;
  const found = await hits(db, filter, range, earlier?.upTo ?? range.anchor, rareHits);
  const { rows } = await sql<{ count: number; ids: number[] | null }>`
    with kept as materialized (select id from (${found}) hit limit ${keptIds + 1})
    select
      case when (select count(*) from kept) <= ${keptIds} then (select count(*) from kept)
           else (select count(*) from (${found}) hit) end as count,
      (select array_agg(id::float8 order by id) from kept) as ids`.execute(db);
  const { count, ids } = rows[0] as (typeof rows)[number];
  const total = (earlier?.count ?? 0) + count;
  const before = earlier ? earlier.ids : [];
  const kept = total <= keptIds && before ? before.concat(ids ?? []) : undefined;
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
  count: number,
  thresholds: Thresholds,
): Promise<number[]> {
  const { order, offset, limit, after } = paging;
  const range = await rangeOf(db, filter);
  if (offset > maxWalkedOffset) return pageByOffset(db, filter, paging, range, thresholds);
  const conditions = [...columnConditions(filter), ...inRange(filter, range)];
  if (filter.text) conditions.push(textCondition(filter.text));
  const low = order === 'asc' && after !== undefined ? Math.max(after, range.low) : range.low;
  const high =
    order === 'desc' && after !== undefined ? Math.min(after - 1, range.high) : range.high;
  const eventsPerHit = (range.high - range.low) / Math.max(count, 1);
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

async function pageByOffset(
  db: Db,
  filter: Filter,
  paging: Paging,
  range: Range,
  { rareHits }: Thresholds,
): Promise<number[]> {
  const found = await hits(db, filter, range, range.anchor, rareHits);
  const { rows } = await sql<{ id: number }>`
    with hit as materialized (${found})
    select id from hit order by id ${sql.raw(paging.order)}
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
