import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../platform/db/database.ts';
import type { Filter } from './filter.ts';
import { lookAhead } from './outlook.ts';
import {
  all,
  type Condition,
  columnConditions,
  columnFilters,
  seenConditions,
  textHits,
} from './predicate.ts';
import { inRange, partsOf, type Range } from './range.ts';

/** Up to this part of the log, its texts are read one by one faster than all of them in a row. */
const fewOfLog = 0.15;

/** A sample may err; four times as many as are rare, it does not mistake for rare. */
const surelyMore = 4;

/** Where one way of searching becomes better than another. */
export interface Thresholds {
  /** Hits up to this number are kept by id: paging through them costs one page each. */
  readonly keptIds: number;
  /** Texts up to this number of hits are rare: they are looked up first, columns only for them. */
  readonly rareHits: number;
  /** Behind this offset a page is worth a statement that tells from which end to count. */
  readonly deepOffset: number;
  /** So many texts are read in a row before it is worth asking whether an index is better. */
  readonly inRow: number;
}

/** The ids of all hits, as a query. */
export interface Hits {
  readonly query: RawBuilder<unknown>;
  /** Where the query can stop early, roughly how many it would find. */
  readonly expected?: number;
}

/**
 * The hits behind an id: found from the filters' own indexes, never along the log. Which filter
 * leads is decided by counting, because the planner cannot know how rare a text is.
 */
export async function hits(
  db: Db,
  filter: Filter,
  range: Range,
  behind: number,
  { rareHits, inRow }: Thresholds,
  what: 'ids' | 'projects' = 'ids',
): Promise<Hits> {
  const low = Math.max(range.low, behind);
  const inPlace = inRange(filter, { ...range, low });
  const { text } = filter;
  if (!text) return { query: await leadingHits(db, filter, inPlace, what) };

  const outlook = await lookAhead(db, text, { low, high: range.high }, inRow);
  if (outlook.way === 'row') await shareScans(db);
  const textsInPlace = textHits(text, outlook.way, textPlace(range, low));
  const columns = columnConditions(filter);
  if (columns.length === 0 && inPlace.length === 1) {
    return { query: textsInPlace, expected: outlook.hits };
  }
  const rare =
    outlook.hits > surelyMore * rareHits
      ? undefined
      : await firstHits(db, textsInPlace, rareHits + 1);
  if (rare && rare.length <= rareHits) {
    return {
      query: sql`
        select e.id from events e
        where e.id = any(${rare}::bigint[]) and ${all([...columns, ...inPlace])}`,
    };
  }
  if (columns.length > 0 && (await areFew(db, columnHits(filter, inPlace), range))) {
    // An array of ids is looked up in one pass of the key; a join would rather read all texts.
    const place = sql`id = any(array(${columnHits(filter, inPlace)}))`;
    return { query: textHits(text, 'row', place) };
  }
  return {
    query: sql`
      select e.id from events e join (${textsInPlace}) t using (id)
      where ${all([...columns, ...inPlace])}`,
    expected: outlook.hits * (columns.length > 0 ? fewOfLog : 1),
  };
}

/**
 * A scan that may end early looks cheap to the planner, and so it would leave the second core idle:
 * one without hits took 0.43 s instead of 0.30. Where the pool allows no worker, nothing changes.
 */
const shareScans = (db: Db) =>
  sql`select set_config('parallel_setup_cost', '0', true), set_config('parallel_tuple_cost', '0', true)`.execute(
    db,
  );

/** Only the bounds that exclude something: each costs a comparison for every text. */
const textPlace = ({ anchor, head, high }: Range, low: number): Condition =>
  all([...(low > anchor ? [sql`id > ${low}`] : []), ...(high < head ? [sql`id <= ${high}`] : [])]);

/**
 * The hits of several columns are the ids that all their indexes have in common: read from the
 * indexes alone, where a scan of the table for 3,009 hits of two filters read 38,822 pages.
 */
function columnHits(
  filter: Filter,
  inPlace: readonly Condition[],
  what: 'ids' | 'projects' = 'ids',
): RawBuilder<unknown> {
  const columns = whatOf(what);
  const filters = columnFilters(filter);
  const certain = inPlace.length === 1;
  if (filters.length < 2 || filter.ids) {
    return sql`select ${columns} from events e where ${all([...columnConditions(filter), ...inPlace])}`;
  }
  const each = filters.map(
    ({ condition }) =>
      sql`(select ${columns} from events e where ${all([condition, ...inPlace.slice(0, 1), ...seenConditions(filter)])})`,
  );
  const common = sql`${sql.join(each, sql` intersect `)}`;
  if (certain) return common;
  return sql`
    select ${columns} from events e join (${common}) c using (id) where ${all([...inPlace])}`;
}

/** Up to so many events are looked at one by one, where one of several filters has no more. */
const fewEvents = 10_000;

/**
 * Of several filters, a rare one leads, and its events are asked for the others: what the others have in common grows
 * with the log.
 */
async function leadingHits(
  db: Db,
  filter: Filter,
  inPlace: readonly Condition[],
  what: 'ids' | 'projects',
): Promise<RawBuilder<unknown>> {
  const filters = columnFilters(filter);
  if (filters.length < 2 || filter.ids) return columnHits(filter, inPlace, what);
  const counts = filters.map(
    ({ condition }) => sql`(
      select count(*) from (
        select from events e where ${all([condition, ...inPlace.slice(0, 1)])} limit ${fewEvents + 1}
      ) some_hits)`,
  );
  const { rows } = await sql<{ counts: number[] }>`
    select array[${sql.join(counts)}]::int[] as counts`.execute(db);
  const [{ counts: found } = { counts: [] }] = rows;
  const least = Math.min(...found);
  const lead = filters[found.indexOf(least)];
  if (!lead || least > fewEvents) return columnHits(filter, inPlace, what);
  return sql`
    select ${whatOf(what)} from events e
    where e.id = any(array(select e.id from events e where ${all([lead.condition, ...inPlace.slice(0, 1)])}))
      and ${all([...columnConditions(filter), ...inPlace])}`;
}

const whatOf = (what: 'ids' | 'projects') => sql.raw(what === 'ids' ? 'e.id' : 'e.id, e.project');

/**
 * The hits in events of these projects, null for those without one, with the project of each. `part` is roughly what
 * part of the log they are.
 */
export async function namedHits(
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
    // Written down, because the index of events without a project has no such column.
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
  const { way } = await lookAhead(db, text, range, thresholds.inRow);
  if (part > fewOfLog && way === 'row') await shareScans(db);
  // Few are looked up in one pass of the key, if nothing but their ids leads to the texts.
  const texts =
    part <= fewOfLog && way === 'row'
      ? textHits(text, 'row', sql`id = any(array(select id from named))`)
      : textHits(text, way, textPlace(range, range.low));
  return sql`
    with named as materialized (${named}), texts as materialized (${texts})
    select named.* from named join texts using (id)`;
}

async function firstHits(db: Db, found: RawBuilder<unknown>, most: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from (${found}) hit limit ${most}`.execute(db);
  return rows.map(({ id }) => id);
}

async function areFew(db: Db, found: RawBuilder<unknown>, range: Range): Promise<boolean> {
  const most = Math.ceil((range.head - range.anchor) * fewOfLog);
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (select 1 from (${found}) hit limit ${most + 1}) some_hits`.execute(
    db,
  );
  return Number(rows[0]?.count) <= most;
}
