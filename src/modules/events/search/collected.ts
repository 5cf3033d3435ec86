import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../platform/db/database.ts';
import type { Filter } from '../filter.ts';
import { type Hits, hits } from './hits.ts';
import { readLog } from './log.ts';
import type { Known } from './memory.ts';
import { isTimed, type Range, readRange, wholeLog } from './range.ts';

/** Where one way of searching becomes better than another. */
export interface Thresholds {
  /** Hits up to this number are kept by id: paging through them costs one page each. */
  readonly keptIds: number;
  /** Texts up to this number of hits are rare: they are looked up first, columns only for them. */
  readonly rareHits: number;
  /** Behind this offset a page is worth a statement that tells from which end to count. */
  readonly deepOffset: number;
}

export const rangeOf = async (db: Db, filter: Filter): Promise<Range> =>
  isTimed(filter) ? readRange(db, filter) : wholeLog(await readLog(db));

/** The first count of a filter. */
export async function learnAll(
  db: Db,
  filter: Filter,
  { keptIds, rareHits }: Thresholds,
): Promise<Known> {
  const range = await rangeOf(db, filter);
  const found = await hits(db, filter, range, range.anchor, rareHits);
  const { count, ids } = await countHits(db, found, keptIds);
  const { head, rewrites } = range;
  return { upTo: head, count, rewrites, ids: count <= keptIds ? ids : undefined };
}

/** Counts the hits behind what is known; undefined where history was rewritten since. */
export async function learn(
  db: Db,
  filter: Filter,
  known: Known,
  { keptIds, rareHits }: Thresholds,
): Promise<Known | undefined> {
  const range = await rangeOf(db, filter);
  const { head, rewrites } = range;
  if (known.rewrites !== rewrites) return undefined;
  if (known.upTo >= head) return known;
  const found = await hits(db, filter, range, known.upTo, rareHits);
  const added = await countHits(db, found, keptIds);
  const count = known.count + added.count;
  const ids = known.ids && count <= keptIds ? known.ids.concat(added.ids) : undefined;
  return { upTo: head, count, rewrites, ids };
}

const countHits = (db: Db, found: Hits, keptIds: number): Promise<Counted> =>
  found.endless ? countApart(db, found, keptIds) : countTogether(db, found, keptIds);

interface Counted {
  readonly count: number;
  /** Ascending; useful only when there are no more than may be kept. */
  readonly ids: number[];
}

async function countTogether(db: Db, { query }: Hits, keptIds: number): Promise<Counted> {
  const { rows } = await sql<{ count: number; ids: number[] | null }>`
    with hit as materialized (${query})
    select (select count(*) from hit) as count,
      (select array_agg(id::float8 order by id)
       from (select id from hit limit ${keptIds + 1}) some_hits) as ids`.execute(db);
  return { count: rows[0]?.count ?? 0, ids: rows[0]?.ids ?? [] };
}

/** So many hits are read in any case; a common word shows itself by having more. */
const glance = 2_000;

/** A million ids written down only to be counted made 2.0 s of 1.45, on a busy machine. */
async function countApart(db: Db, { query }: Hits, keptIds: number): Promise<Counted> {
  const first = await readIds(db, query, Math.min(glance, keptIds) + 1);
  if (first.length <= Math.min(glance, keptIds)) return { count: first.length, ids: first };
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (${query}) hit`.execute(db);
  const count = rows[0]?.count ?? 0;
  return { count, ids: count <= keptIds ? await readIds(db, query, count) : [] };
}

async function readIds(db: Db, query: RawBuilder<unknown>, most: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from (${query}) hit limit ${most}`.execute(db);
  return rows.map(({ id }) => id).sort((a, b) => a - b);
}
