import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../platform/db/database.ts';
import type { Filter } from './filter.ts';
import {
  all,
  type Condition,
  columnConditions,
  columnFilters,
  residualConditions,
  selectTextHits,
  visibilityConditions,
} from './predicate.ts';
import { inRange, partsOf, type Range } from './range.ts';
import { estimateTextSearch } from './text-estimate.ts';

/** Up to this share of the log, looking up texts by id is faster than scanning all of them. */
const fewShare = 0.15;

/** A sample may be wrong, but not by a factor of four. */
const sampleMargin = 4;

/** Where one strategy of searching becomes better than another. */
export interface Thresholds {
  /** Up to this number the ids of hits are cached, and each page costs only itself. */
  readonly maxCachedIds: number;
  /** Up to this number of hits a text is rare. Its hits are looked up first, and columns are compared only for them. */
  readonly maxRareHits: number;
  /** From this offset on an additional statement pays off, to count from the nearer end. */
  readonly deepOffset: number;
  /** Up to this number of texts a scan is fast enough that estimating does not pay off. */
  readonly maxScanned: number;
}

/** The ids of all hits, as a query. */
export interface HitQuery {
  readonly query: RawBuilder<unknown>;
  /** The estimated number of hits, if the query can stop early. */
  readonly expected?: number;
}

/**
 * The hits after an id. They come from the indexes of the filters, never from walking the log. Counting determines
 * which filter leads, because the planner cannot know how rare a text is.
 */
export async function hits(
  db: Db,
  filter: Filter,
  range: Range,
  behind: number,
  { maxRareHits, maxScanned }: Thresholds,
  columns: 'ids' | 'projects' = 'ids',
): Promise<HitQuery> {
  const low = Math.max(range.low, behind);
  const bounds = inRange(filter, { ...range, low });
  const { text } = filter;
  if (!text) return { query: await leadingHits(db, filter, bounds, columns) };

  const estimate = await estimateTextSearch(db, text, { low, high: range.high }, maxScanned);
  if (estimate.lookup === 'scan') await allowParallelScan(db);
  const textHitsInBounds = selectTextHits(text, estimate.lookup, textBounds(range, low));
  const selected = columnConditions(filter);
  if (selected.length === 0 && bounds.length === 1) {
    return { query: textHitsInBounds, expected: estimate.hits };
  }
  const rare =
    estimate.hits > sampleMargin * maxRareHits
      ? undefined
      : await firstHits(db, textHitsInBounds, maxRareHits + 1);
  if (rare && rare.length <= maxRareHits) {
    return {
      query: sql`
        select e.id from events e
        where e.id = any(${rare}::bigint[]) and ${all([...selected, ...bounds])}`,
    };
  }
  if (selected.length > 0 && (await isFewOfLog(db, columnHits(filter, bounds), range))) {
    // An array of ids is looked up in one pass of the primary key. A join would read all texts.
    const idCondition = sql`id = any(array(${columnHits(filter, bounds)}))`;
    return { query: selectTextHits(text, 'scan', idCondition) };
  }
  return {
    query: sql`
      select e.id from events e join (${textHitsInBounds}) t using (id)
      where ${all([...selected, ...bounds])}`,
    expected: estimate.hits * (selected.length > 0 ? fewShare : 1),
  };
}

/**
 * The planner considers a scan that may end early cheap, and then does not use the second core: a scan without hits
 * took 0.43 s instead of 0.30. Has no effect if the pool allows no parallel worker.
 */
const allowParallelScan = (db: Db) =>
  sql`select set_config('parallel_setup_cost', '0', true), set_config('parallel_tuple_cost', '0', true)`.execute(
    db,
  );

/** Only bounds that exclude something, because each costs a comparison for every text. */
const textBounds = ({ anchor, head, high }: Range, low: number): Condition =>
  all([...(low > anchor ? [sql`id > ${low}`] : []), ...(high < head ? [sql`id <= ${high}`] : [])]);

/**
 * The hits of several columns are the intersection of their indexes. Scanning the table for 3,009 hits of two filters
 * read 38,822 pages.
 */
function columnHits(
  filter: Filter,
  bounds: readonly Condition[],
  columns: 'ids' | 'projects' = 'ids',
): RawBuilder<unknown> {
  const selected = selectList(columns);
  const filters = columnFilters(filter);
  const residual = residualConditions(filter);
  const certain = bounds.length === 1 && residual.length === 0;
  if (filters.length < 2 || filter.ids) {
    return sql`select ${selected} from events e where ${all([...columnConditions(filter), ...bounds])}`;
  }
  const each = filters.map(
    ({ condition }) =>
      sql`(select ${selected} from events e where ${all([condition, ...bounds.slice(0, 1), ...visibilityConditions(filter)])})`,
  );
  const common = sql`${sql.join(each, sql` intersect `)}`;
  if (certain) return common;
  return sql`
    select ${selected} from events e join (${common}) c using (id) where ${all([...bounds, ...residual])}`;
}

/** If one of several filters has no more events than this, they are checked one by one. */
const fewEvents = 10_000;

/**
 * A rare filter leads, and its events are compared with the other filters. The intersection of the others would grow
 * with the log.
 */
async function leadingHits(
  db: Db,
  filter: Filter,
  bounds: readonly Condition[],
  columns: 'ids' | 'projects',
): Promise<RawBuilder<unknown>> {
  const filters = columnFilters(filter);
  if (filters.length < 2 || filter.ids) return columnHits(filter, bounds, columns);
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
  if (!lead || least > fewEvents) return columnHits(filter, bounds, columns);
  return sql`
    select ${selectList(columns)} from events e
    where e.id = any(array(select e.id from events e where ${all([lead.condition, ...bounds.slice(0, 1)])}))
      and ${all([...columnConditions(filter), ...bounds])}`;
}

const selectList = (columns: 'ids' | 'projects') =>
  sql.raw(columns === 'ids' ? 'e.id' : 'e.id, e.project');

/**
 * The hits in these projects with the project of each. Null stands for events without a project. `part` is the
 * estimated share of the log.
 */
export async function hitsInProjects(
  db: Db,
  filter: Filter,
  range: Range,
  {
    names,
    part,
    thresholds,
  }: {
    readonly names: readonly (string | null)[];
    readonly part: number;
    readonly thresholds: Thresholds;
  },
): Promise<RawBuilder<unknown>> {
  const conditions = columnConditions(filter);
  const projects = names.filter((name) => name !== null);
  const parts = partsOf(filter, range);
  const each = [
    ...(projects.length === 0
      ? []
      : parts.map(
          (inPart) => sql`
            select e.id, e.project from events e
            where ${all([sql`e.project = any(${projects}::text[])`, ...conditions, inPart])}`,
        )),
    // A literal null, because the index of events without a project does not contain that column.
    ...(projects.length === names.length
      ? []
      : parts.map(
          (inPart) => sql`
            select e.id, null as project from events e
            where ${all([sql`e.project is null`, ...conditions, inPart])}`,
        )),
  ];
  const named = sql.join(each, sql` union all `);
  const { text } = filter;
  if (!text) return named;
  const { lookup } = await estimateTextSearch(db, text, range, thresholds.maxScanned);
  if (part > fewShare && lookup === 'scan') await allowParallelScan(db);
  // A few ids are looked up in one pass of the primary key, if the texts have no other condition.
  const texts =
    part <= fewShare && lookup === 'scan'
      ? selectTextHits(text, 'scan', sql`id = any(array(select id from named))`)
      : selectTextHits(text, lookup, textBounds(range, range.low));
  return sql`
    with named as materialized (${named}), texts as materialized (${texts})
    select named.* from named join texts using (id)`;
}

async function firstHits(db: Db, found: RawBuilder<unknown>, most: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from (${found}) hit limit ${most}`.execute(db);
  return rows.map(({ id }) => id);
}

async function isFewOfLog(db: Db, found: RawBuilder<unknown>, range: Range): Promise<boolean> {
  const most = Math.ceil((range.head - range.anchor) * fewShare);
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (select 1 from (${found}) hit limit ${most + 1}) some_hits`.execute(
    db,
  );
  return Number(rows[0]?.count) <= most;
}
