import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../platform/db/database.ts';
import type { LogState } from '../log-state.ts';
import { findFewerHidden } from '../visibility.ts';
import { type Filter, type Paging, simplify } from './filter.ts';
import {
  all,
  type Condition,
  columnConditions,
  columnFilters,
  pageBounds,
  projectConditions,
  projectFilters,
  residualConditions,
  scanLog,
  selectTextHits,
} from './predicate.ts';
import { inRange, isTimed, type Range, readRange, within } from './range.ts';
import type { TextPlan } from './text-plan.ts';
import type { Thresholds, Total } from './totals.ts';

/** Up to this share of the log, looking up texts by id is faster than scanning all of them. */
const fewShare = 0.15;

/** A sample may be wrong, but not by a factor of four. */
const sampleMargin = 4;

/** If one of several filters has no more events than this, they are checked one by one. */
const fewEvents = 2_000;

type LogRange = Range & LogState;

/** The first total of a filter, with the ids of the hits if they are few. All statements need the same snapshot. */
export async function collect(
  db: Db,
  filter: Filter,
  plan: TextPlan | undefined,
  thresholds: Thresholds,
): Promise<Total> {
  const range = await readRange(db, filter);
  const { anchor, head: upTo, rewrites, recreated, low, high } = range;
  const found = await findHits(db, filter, range, plan, thresholds);
  const { count, ids } = await countHits(db, found, thresholds.maxCachedIds);
  const span = isTimed(filter) ? { span: { low, high } } : {};
  return { upTo, anchor, rewrites, recreated, count, ids, ...span };
}

/** Counts the hits, and reads their ids if they are few. */
async function countHits(
  db: Db,
  { query, count, expected }: HitQuery,
  maxCachedIds: number,
): Promise<Pick<Total, 'count' | 'ids'>> {
  if (expected === undefined) return countInOnePass(db, query, maxCachedIds);
  if (expected <= maxCachedIds) {
    const ids = await readIds(db, query, maxCachedIds + 1);
    if (ids.length <= maxCachedIds) return { count: ids.length, ids };
  }
  const { rows } = await sql<{ count: number }>`
    select ${count ?? countOf(query)} as count`.execute(db);
  const found = rows[0]?.count ?? 0;
  return { count: found, ids: found > maxCachedIds ? undefined : await readIds(db, query, found) };
}

async function countInOnePass(
  db: Db,
  query: RawBuilder<unknown>,
  maxCachedIds: number,
): Promise<Pick<Total, 'count' | 'ids'>> {
  const { rows } = await sql<{ count: number; ids: string | null }>`
    with hit as materialized (${query})
    select (select count(*) from hit) as count, ${idsOf(sql`hit`, maxCachedIds)} as ids`.execute(
    db,
  );
  const { count = 0, ids = null } = rows[0] ?? {};
  return { count, ids: count > maxCachedIds ? undefined : parseIds(ids) };
}

const countOf = (query: RawBuilder<unknown>) => sql`(select count(*) from (${query}) hit)`;

/** In one text, which is read ten times as fast as rows. */
const idsOf = (hits: RawBuilder<unknown>, most: number) => sql`(
  select string_agg(id::text, ',' order by id) from (select id from ${hits} limit ${most}) some_hits)`;

const parseIds = (ids: string | null): number[] => ids?.split(',').map(Number) ?? [];

async function readIds(db: Db, query: RawBuilder<unknown>, most: number): Promise<number[]> {
  const { rows } = await sql<{ ids: string | null }>`
    select ${idsOf(sql`(${query}) hit`, most)} as ids`.execute(db);
  return parseIds(rows[0]?.ids ?? null);
}

interface HitQuery {
  /** The ids of all hits. */
  readonly query: RawBuilder<unknown>;
  /** Their number, if it can be counted in a faster way. */
  readonly count?: RawBuilder<unknown>;
  /** How many to expect. Undefined if reading some of them takes as long as reading all. */
  readonly expected: number | undefined;
}

/**
 * The hits come from the indexes of the filters, never from walking the log. Counting determines which filter leads,
 * because the planner cannot know how rare a text is.
 */
async function findHits(
  db: Db,
  requested: Filter,
  range: LogRange,
  plan: TextPlan | undefined,
  { maxRareHits }: Thresholds,
): Promise<HitQuery> {
  const filter = simplify(requested, range);
  const { text } = filter;
  const bounds = inRange(filter, range);
  if (!text || !plan) {
    const found = await leadingHits(db, filter, bounds);
    const hidden = await findFewerHidden(db, requested);
    if (!hidden) return found;
    const events = range.head - range.anchor;
    return { ...found, count: sql`${events} - ${countOf(hidden)}`, expected: events };
  }

  const textHits = selectTextHits(text, plan.lookup, all(textBounds(range)));
  const conditions = [...columnConditions(filter), ...bounds.slice(1)];
  if (conditions.length === 0) return { query: textHits, expected: plan.hits };
  if (plan.hits <= sampleMargin * maxRareHits) {
    const rare = await readIds(db, textHits, maxRareHits + 1);
    if (rare.length <= maxRareHits) {
      const query = sql`
        select e.id from events e
        where e.id = any(${rare}::bigint[]) and ${all([...conditions, within(range)])}`;
      return { query, expected: 0 };
    }
  }
  const inColumns = columnHits(filter, bounds);
  if (await isFewOfLog(db, inColumns, range)) {
    // An array of ids is looked up in one pass of the primary key. A join would read all texts.
    const query = selectTextHits(text, 'scan', sql`id = any(array(${inColumns}))`);
    return { query, expected: 0 };
  }
  const query = sql`
    select e.id from events e join (${textHits}) t using (id)
    where ${all([...conditions, within(range)])}`;
  const hidden = await findFewerHidden(db, requested);
  if (!hidden) return { query, expected: plan.hits * fewShare };
  // The join takes four times as long as counting all hits.
  const hiddenHits = selectTextHits(text, 'scan', sql`id = any(array(${hidden}))`);
  const count = sql`${countOf(textHits)} - ${countOf(hiddenHits)}`;
  return { query, count, expected: plan.hits };
}

/** Only bounds that exclude something, because each costs a comparison for every text. */
const textBounds = ({ anchor, head, low, high }: LogRange): Condition[] => [
  ...(low > anchor ? [sql`id > ${low}`] : []),
  ...(high < head ? [sql`id <= ${high}`] : []),
];

/**
 * The hits of several columns are the intersection of their indexes. Scanning the table for 3,009 hits of two filters
 * read 38,822 pages.
 */
function columnHits(filter: Filter, bounds: readonly Condition[]): RawBuilder<unknown> {
  const filters = columnFilters(filter);
  const residual = residualConditions(filter);
  if (filter.ids || (filters.length === 0 && residual.length === 0)) {
    return sql`select e.id from events e where ${all([...columnConditions(filter), ...bounds])}`;
  }
  if (filters.length === 0) return inOneIndex(filter, [...residual, ...bounds]);
  const hits = sql.join(
    filters.map(({ condition }) => inOneIndex(filter, [condition, ...bounds.slice(0, 1)])),
    sql` intersect `,
  );
  const others = [...bounds.slice(1), ...residual];
  return others.length === 0
    ? hits
    : sql`select e.id from events e join (${hits}) c using (id) where ${all(others)}`;
}

/**
 * Compares the project in the index of the conditions. OFFSET 0 keeps the planner from the index of projects, for which
 * it would have to read the events.
 */
const inOneIndex = (filter: Filter, conditions: readonly Condition[]): RawBuilder<unknown> => {
  const projects = projectConditions(filter);
  return projects.length === 0
    ? sql`(select e.id from events e where ${all(conditions)})`
    : sql`(
        select e.id from (select e.id, e.project from events e where ${all(conditions)} offset 0) e
        where ${all(projects)})`;
};

/**
 * A rare filter leads, and its events are compared with the other filters. The intersection of the others would grow
 * with the log.
 */
async function leadingHits(
  db: Db,
  filter: Filter,
  bounds: readonly Condition[],
): Promise<HitQuery> {
  const columns = columnFilters(filter);
  // The index of a single column also answers the filter of projects.
  const filters = [...projectFilters(filter), ...(columns.length > 1 ? columns : [])];
  const isIntersection = columns.length > 1 && !filter.ids;
  const together = {
    query: columnHits(filter, bounds),
    expected: isIntersection ? undefined : 0,
  };
  if (columns.length === 0 || filters.length === 0 || filter.ids) return together;
  const counts = filters.map(
    ({ condition }) => sql`(
      select count(*) from (
        select from events e where ${all([condition, ...bounds.slice(0, 1)])} limit ${fewEvents + 1}
      ) some_hits)`,
  );
  const { rows } = await sql<{ counts: number[] }>`
    select array[${sql.join(counts)}]::int[] as counts`.execute(db);
  const [{ counts: found } = { counts: [] }] = rows;
  const least = Math.min(...found);
  const lead = filters[found.indexOf(least)];
  if (!lead || least > fewEvents) return together;
  const query = sql`
    select e.id from events e
    where e.id = any(array(select e.id from events e where ${all([lead.condition, ...bounds.slice(0, 1)])}))
      and ${all([...columnConditions(filter), ...bounds])}`;
  return { query, expected: 0 };
}

async function isFewOfLog(
  db: Db,
  found: RawBuilder<unknown>,
  { anchor, head }: LogState,
): Promise<boolean> {
  const most = Math.ceil((head - anchor) * fewShare);
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (select 1 from (${found}) hit limit ${most + 1}) some_hits`.execute(
    db,
  );
  return Number(rows[0]?.count) <= most;
}

/** The page from cached ids, and from the CTE `added` with those that came later. */
export function cachedPage(ids: readonly number[], paging: Paging): RawBuilder<unknown> {
  const { order, offset, limit, after, upTo = Number.POSITIVE_INFINITY } = paging;
  const isBehind = (id: number) =>
    after === undefined || (order === 'asc' ? id > after : id < after);
  const possible = ids.filter((id) => isBehind(id) && id <= upTo);
  const first =
    order === 'asc' ? possible.slice(0, offset + limit) : possible.slice(-offset - limit);
  return sql`
    select e.id from (
      select unnest(${first}::bigint[]) as id union all select id from added
    ) e where ${all(pageBounds(paging))} order by e.id ${sql.raw(order)} offset ${offset} limit ${limit}`;
}

interface ScannedPage {
  readonly query: RawBuilder<unknown>;
  /** Whether the scan goes to the end of the log, so that a short page is complete. */
  readonly isWhole: boolean;
}

/**
 * The page of a filter with more hits than are cached, from the part of the log that is expected to contain it. Each
 * attempt scans four times as much. Without this bound the planner may read all hits to sort them.
 */
export function scannedPage(
  filter: Filter,
  paging: Paging,
  { count, anchor, upTo: counted, span = { low: anchor, high: counted } }: Total,
  attempt: number,
): ScannedPage {
  const { order, offset, limit, after, upTo } = paging;
  const eventsPerHit = (span.high - span.low) / count;
  const length = Math.ceil((offset + limit) * eventsPerHit * 1.5 + 200) * 4 ** attempt;
  const end =
    order === 'asc'
      ? Math.max(after ?? 0, span.low) + length
      : Math.min(after ?? span.high, upTo ?? span.high, span.high) - length;
  const isWhole = order === 'asc' ? end >= counted : end <= anchor;
  const scanned = order === 'asc' ? sql`e.id <= ${end}` : sql`e.id > ${end}`;
  const query = sql`
    select e.id from ${scanLog(filter)} and ${all([...pageBounds(paging), ...(isWhole ? [] : [scanned])])}
    order by e.id ${sql.raw(order)} offset ${offset} limit ${limit}`;
  return { query, isWhole };
}
