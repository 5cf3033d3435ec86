import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../platform/db/database.ts';
import { type EventFieldVisibility, eventJson } from '../event-json.ts';
import { findRange } from './collected.ts';
import type { Filter, Order, Paging } from './filter.ts';
import { type HitQuery, hits, type Thresholds } from './hits.ts';
import { all, columnConditions, containsText, textCondition } from './predicate.ts';
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

/** The page from a complete list of ids. */
export function pageOfIds(ids: readonly number[], paging: Paging): number[] {
  const { order, offset, limit, after } = paging;
  if (order === 'asc') {
    const start = (after === undefined ? 0 : firstAbove(ids, after)) + offset;
    return ids.slice(start, start + limit);
  }
  const end = (after === undefined ? ids.length : firstAbove(ids, after - 1)) - offset;
  return ids.slice(Math.max(0, end - limit), Math.max(0, end)).reverse();
}

/** The same page, counted from the nearer end of the hits. */
export function fromNearerEnd(paging: Paging, total: number): Paging {
  const { order, offset, limit } = paging;
  const rows = Math.max(0, Math.min(limit, total - offset));
  const behind = total - offset - rows;
  if (rows === 0 || behind >= offset) return { ...paging, limit: rows };
  return { ...paging, order: order === 'asc' ? 'desc' : 'asc', offset: behind, limit: rows };
}

/** The page of a filter with too many hits to cache. */
export async function findPageIds(
  db: Db,
  filter: Filter,
  paging: Paging,
  count: number,
  thresholds: Thresholds,
): Promise<number[]> {
  const range = await findRange(db, filter);
  if (!paging.deep) return scanPage(db, filter, paging, range, count);
  const nearer = fromNearerEnd(paging, count);
  const found =
    (await readDeepPage(db, filter, nearer, range, count)) ??
    (await readPageOfHits(db, await hits(db, filter, range, range.anchor, thresholds), nearer));
  return nearer.order === paging.order ? found : found.reverse();
}

/** In how many events this number of hits is expected, with a margin. */
const expectedLength = (wanted: number, { low, high }: Range, count: number) =>
  Math.ceil((wanted * (high - low) * 1.5) / Math.max(count, 1)) + 200;

/** From this share of the log on a join of texts and events is faster, because both are in the order of ids. */
const denseShare = 0.2;

/** Searching texts alone does not read the events. */
const logScan = (filter: Filter, range: Range, count: number): RawBuilder<unknown> => {
  const { text, sees } = filter;
  const conditions = [...columnConditions(filter), ...inRange(filter, range)];
  if (!text) return sql`events e where ${all(conditions)}`;
  const dataOnly = text.parts.join() === 'data';
  if (dataOnly && conditions.length === 1)
    return sql`event_texts e where ${containsText('e.search', text.needle)}`;
  if (!dataOnly || !hasOnlyTextAndReader(filter)) {
    return sql`events e where ${all([...conditions, textCondition(text)])}`;
  }
  if (filter.currentProjectsOnly || count > denseShare * (range.high - range.low)) {
    return sql`
      event_texts t join events e using (id)
      where ${containsText('t.search', text.needle)} and ${all(conditions)}`;
  }
  // This subquery runs for hits only. A join read the events of all texts, 22,000 pages for 50 hits.
  return sql`
    event_texts e where ${containsText('e.search', text.needle)}
      and (select seen.project from events seen where seen.id = e.id) = any(${sees}::text[])`;
};

/** Whether the filter consists of a text and the reader's limits. */
const hasOnlyTextAndReader = ({
  sees,
  text: _text,
  currentProjectsOnly: _currentProjectsOnly,
  ...others
}: Filter) => sees !== undefined && Object.keys(others).length === 0;

/** The part of the log that is expected to contain the page. */
export function expectedRange(
  filter: Filter,
  { order, offset, limit, after }: Paging,
  range: Range,
  count: number,
): RawBuilder<unknown> {
  const { low, high } = afterCursor(range, order, after);
  const length = expectedLength(offset + limit, range, count);
  const span =
    order === 'desc'
      ? { low: Math.max(low, high - length), high }
      : { low, high: Math.min(high, low + length) };
  return sql`${logScan(filter, range, count)} and ${within(span)}`;
}

const afterCursor = ({ low, high }: Range, order: Order, after: number | undefined): Span => {
  if (after === undefined) return { low, high };
  return order === 'asc'
    ? { low: Math.max(after, low), high }
    : { low, high: Math.min(after - 1, high) };
};

/**
 * Scans the log from the start of the page, first the range that is expected to contain it, then larger ones until the
 * page is full.
 */
async function scanPage(
  db: Db,
  filter: Filter,
  { order, offset, limit, after }: Paging,
  range: Range,
  count: number,
): Promise<number[]> {
  const source = logScan(filter, range, count);
  const { low, high } = afterCursor(range, order, after);
  let length = expectedLength(offset + limit, range, count);
  let found: number[] = [];
  let scanned = 0;
  while (found.length < offset + limit && scanned < high - low) {
    const span =
      order === 'desc'
        ? { low: Math.max(low, high - scanned - length), high: high - scanned }
        : { low: low + scanned, high: Math.min(high, low + scanned + length) };
    const { rows } = await sql<{ id: number }>`
      select e.id from ${source} and ${within(span)}
      order by e.id ${sql.raw(order)} limit ${offset + limit - found.length}`.execute(db);
    found = found.concat(rows.map(({ id }) => id));
    scanned += length;
    length *= 4;
  }
  return found.slice(offset);
}

/** Reads a deep page with one OFFSET. Undefined if the range was too short. */
async function readDeepPage(
  db: Db,
  filter: Filter,
  paging: Paging,
  range: Range,
  count: number,
): Promise<number[] | undefined> {
  const { order, offset, limit } = paging;
  const { rows } = await sql<{ id: number }>`
    select e.id from ${expectedRange(filter, { ...paging, after: undefined }, range, count)}
    order by e.id ${sql.raw(order)} offset ${offset} limit ${limit}`.execute(db);
  return rows.length === limit ? rows.map(({ id }) => id) : undefined;
}

async function readPageOfHits(
  db: Db,
  { query }: HitQuery,
  { order, offset, limit }: Paging,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with hit as materialized (${query})
    select id from hit order by id ${sql.raw(order)} offset ${offset} limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

/** The events with these ids as JSON, in the given order. */
export async function readEventsJson(
  db: Db,
  ids: readonly number[],
  order: Order,
  visibility: EventFieldVisibility,
): Promise<string> {
  if (ids.length === 0) return '';
  const { rows } = await sql<{ json: string | null }>`
    select string_agg(${eventJson(visibility)}, ',' order by e.id ${sql.raw(order)}) as json
    from events e where e.id = any(${ids}::bigint[])`.execute(db);
  return rows[0]?.json ?? '';
}

/** For COPY, which takes no parameters, so that the ids are literals. */
export const eventsJsonQuery = (
  ids: string,
  rewrites: number,
  order: Order,
  visibility: EventFieldVisibility,
): RawBuilder<unknown> => sql`
  select ${eventJson(visibility)} from events e
  where e.id = any(${sql.lit(`{${ids}}`)}::bigint[])
    and (select rewrites from event_log) = ${sql.lit(rewrites)}
  order by e.id ${sql.raw(order)}`;
