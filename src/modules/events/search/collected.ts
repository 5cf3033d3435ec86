import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../platform/db/database.ts';
import type { Filter } from './filter.ts';
import { type Hits, hits, type Thresholds } from './hits.ts';
import { readLog } from './log.ts';
import { type Known, stillKnown } from './memory.ts';
import { isTimed, type Range, readRange, wholeLog } from './range.ts';

export const rangeOf = async (db: Db, filter: Filter): Promise<Range> =>
  isTimed(filter) ? readRange(db, filter) : wholeLog(await readLog(db));

/** The first count of a filter. */
export async function learnAll(db: Db, filter: Filter, thresholds: Thresholds): Promise<Known> {
  const { keptIds } = thresholds;
  const range = await rangeOf(db, filter);
  const found = await hits(db, filter, range, range.anchor, thresholds);
  const { count, ids } = await countHits(db, found, keptIds);
  const { anchor, head, rewrites } = range;
  return { upTo: head, anchor, count, rewrites, ids: count <= keptIds ? ids : undefined };
}

/** Counts the hits behind what is known; undefined where that no longer holds. */
export async function learn(
  db: Db,
  filter: Filter,
  known: Known,
  thresholds: Thresholds,
): Promise<Known | undefined> {
  const { keptIds } = thresholds;
  const range = await rangeOf(db, filter);
  const { head, rewrites } = range;
  const held = stillKnown(known, filter, range);
  if (!held || held.upTo >= head) return held;
  const found = await hits(db, filter, range, held.upTo, thresholds);
  const added = await countHits(db, found, keptIds);
  const count = held.count + added.count;
  const ids = held.ids && count <= keptIds ? held.ids.concat(added.ids) : undefined;
  return { upTo: head, anchor: held.anchor, count, rewrites, ids };
}

function countHits(db: Db, { query, expected }: Hits, keptIds: number): Promise<Counted> {
  if (expected === undefined) return countTogether(db, query, keptIds);
  return expected > keptIds ? countFirst(db, query, keptIds) : readFirst(db, query, keptIds);
}

interface Counted {
  readonly count: number;
  /** Ascending; useful only when there are no more than may be kept. */
  readonly ids: number[];
}

async function countTogether(
  db: Db,
  query: RawBuilder<unknown>,
  keptIds: number,
): Promise<Counted> {
  const { rows } = await sql<{ count: number; ids: number[] | null }>`
    with hit as materialized (${query})
    select (select count(*) from hit) as count,
      (select array_agg(id::float8 order by id)
       from (select id from hit limit ${keptIds + 1}) some_hits) as ids`.execute(db);
  return { count: rows[0]?.count ?? 0, ids: rows[0]?.ids ?? [] };
}

/** A million ids written down only to be counted made 2.0 s of 1.45, on a busy machine. */
async function countFirst(db: Db, query: RawBuilder<unknown>, keptIds: number): Promise<Counted> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (${query}) hit`.execute(db);
  const count = rows[0]?.count ?? 0;
  return { count, ids: count <= keptIds ? await readIds(db, query, count) : [] };
}

async function readFirst(db: Db, query: RawBuilder<unknown>, keptIds: number): Promise<Counted> {
  const ids = await readIds(db, query, keptIds + 1);
  return ids.length <= keptIds ? { count: ids.length, ids } : countFirst(db, query, keptIds);
}

export async function readIds(db: Db, query: RawBuilder<unknown>, most: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from (${query}) hit limit ${most}`.execute(db);
  return rows.map(({ id }) => id).sort((a, b) => a - b);
}
