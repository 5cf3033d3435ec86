import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../platform/db/database.ts';
import { eventJson, type Shown } from '../event-json.ts';
import { rangeOf } from './collected.ts';
import type { Filter, Order, Paging } from './filter.ts';
import { type Hits, hits, type Thresholds } from './hits.ts';
import { fromNearerEnd } from './nearer-end.ts';
import { all, columnConditions, has, textCondition } from './predicate.ts';
import { inRange, type Range, type Span, within } from './range.ts';

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

/** The page of a filter with more hits than are kept. */
export async function pageByWalking(
  db: Db,
  filter: Filter,
  paging: Paging,
  count: number,
  thresholds: Thresholds,
): Promise<number[]> {
  const range = await rangeOf(db, filter);
  if (!paging.deep) return walk(db, filter, paging, range, count);
  const nearer = fromNearerEnd(paging, count);
  const found =
    (await leap(db, filter, nearer, range, count)) ??
    (await pageOfAll(db, await hits(db, filter, range, range.anchor, thresholds), nearer));
  return nearer.order === paging.order ? found : found.reverse();
}

/** How many events to look at until so many hits may be expected. */
const stretchFor = (wanted: number, { low, high }: Range, count: number) =>
  Math.ceil((wanted * (high - low) * 1.5) / Math.max(count, 1)) + 200;

/** From this part of the log on, texts and events are read side by side: both are in the order of their ids. */
const dense = 0.2;

/** Texts alone are read without the events that they belong to. */
const alongTheLog = (filter: Filter, range: Range, count: number): RawBuilder<unknown> => {
  const { text, sees } = filter;
  const conditions = [...columnConditions(filter), ...inRange(filter, range)];
  if (!text) return sql`events e where ${all(conditions)}`;
  const alone = text.parts.join() === 'data';
  if (alone && conditions.length === 1)
    return sql`event_texts e where ${has('e.search', text.needle)}`;
  if (!alone || !isSeenOnly(filter)) {
    return sql`events e where ${all([...conditions, textCondition(text)])}`;
  }
  if (filter.ownOnly || count > dense * (range.high - range.low)) {
    return sql`
      event_texts t join events e using (id)
      where ${has('t.search', text.needle)} and ${all(conditions)}`;
  }
  // A question that is asked of hits only: joined, the events of all texts were read, 22,000 pages for 50 of them.
  return sql`
    event_texts e where ${has('e.search', text.needle)}
      and (select seen.project from events seen where seen.id = e.id) = any(${sees}::text[])`;
};

/** Whether nothing but a text and a reader is asked of events. */
const isSeenOnly = ({ sees, text: _text, ownOnly: _ownOnly, ...others }: Filter) =>
  sees !== undefined && Object.keys(others).length === 0;

/** The part of the log, from where the page begins, in which all of it is to be expected. */
export function stretchOf(
  filter: Filter,
  { order, offset, limit, after }: Paging,
  range: Range,
  count: number,
): RawBuilder<unknown> {
  const { low, high } = behind(range, order, after);
  const stretch = stretchFor(offset + limit, range, count);
  const span =
    order === 'desc'
      ? { low: Math.max(low, high - stretch), high }
      : { low, high: Math.min(high, low + stretch) };
  return sql`${alongTheLog(filter, range, count)} and ${within(span)}`;
}

const behind = ({ low, high }: Range, order: Order, after: number | undefined): Span => {
  if (after === undefined) return { low, high };
  return order === 'asc'
    ? { low: Math.max(after, low), high }
    : { low, high: Math.min(after - 1, high) };
};

/**
 * Looks along the log from where the page begins, in a stretch in which the page is to be expected,
 * and in longer ones while it is not full.
 */
async function walk(
  db: Db,
  filter: Filter,
  { order, offset, limit, after }: Paging,
  range: Range,
  count: number,
): Promise<number[]> {
  const source = alongTheLog(filter, range, count);
  const { low, high } = behind(range, order, after);
  let stretch = stretchFor(offset + limit, range, count);
  let found: number[] = [];
  let walked = 0;
  while (found.length < offset + limit && walked < high - low) {
    const span =
      order === 'desc'
        ? { low: Math.max(low, high - walked - stretch), high: high - walked }
        : { low: low + walked, high: Math.min(high, low + walked + stretch) };
    const { rows } = await sql<{ id: number }>`
      select e.id from ${source} and ${within(span)}
      order by e.id ${sql.raw(order)} limit ${offset + limit - found.length}`.execute(db);
    found = found.concat(rows.map(({ id }) => id));
    walked += stretch;
    stretch *= 4;
  }
  return found.slice(offset);
}

/** A deep page in one stretch, skipped by the database; undefined where the stretch was too short. */
async function leap(
  db: Db,
  filter: Filter,
  paging: Paging,
  range: Range,
  count: number,
): Promise<number[] | undefined> {
  const { order, offset, limit } = paging;
  const { rows } = await sql<{ id: number }>`
    select e.id from ${stretchOf(filter, { ...paging, after: undefined }, range, count)}
    order by e.id ${sql.raw(order)} offset ${offset} limit ${limit}`.execute(db);
  return rows.length === limit ? rows.map(({ id }) => id) : undefined;
}

async function pageOfAll(
  db: Db,
  { query }: Hits,
  { order, offset, limit }: Paging,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with hit as materialized (${query})
    select id from hit order by id ${sql.raw(order)} offset ${offset} limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

/** The events with these ids as JSON, in the order asked for. */
export async function readJson(
  db: Db,
  ids: readonly number[],
  order: Order,
  shown: Shown,
): Promise<string> {
  if (ids.length === 0) return '';
  const { rows } = await sql<{ json: string | null }>`
    select string_agg(${eventJson(shown)}, ',' order by e.id ${sql.raw(order)}) as json
    from events e where e.id = any(${ids}::bigint[])`.execute(db);
  return rows[0]?.json ?? '';
}

/** The same, event by event and for COPY, which takes no parameters: the ids are written into it. */
export const jsonOfIds = (
  ids: string,
  rewrites: number,
  order: Order,
  shown: Shown,
): RawBuilder<unknown> => sql`
  select ${eventJson(shown)} from events e
  where e.id = any(${sql.lit(`{${ids}}`)}::bigint[])
    and (select rewrites from event_log) = ${sql.lit(rewrites)}
  order by e.id ${sql.raw(order)}`;
