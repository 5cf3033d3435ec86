import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../platform/db/database.ts';
import { type EventFieldVisibility, eventJson } from '../event-json.ts';
import type { CachedCount } from './count-cache.ts';
import type { Filter, Order, Paging } from './filter.ts';
import { expectedRange, pageOfIds } from './pages.ts';
import { isTimed, type LogState, logCte, spanCte, wholeLog } from './range.ts';

export interface PageRows {
  readonly json: string;
  readonly rows: number;
  readonly lastId: number | null;
}

interface PageQuery {
  readonly filter: Filter;
  /** The ids of the page, as a query that may use the CTE `log`, and `span` if the filter has a time range. */
  readonly page: RawBuilder<unknown>;
  readonly order: Order;
  readonly visibility: EventFieldVisibility;
}

/** A page in one statement. Undefined if the log has changed since the count was cached. */
export async function readIfUnchanged(
  db: Db,
  { filter, page, order, visibility }: PageQuery,
  cached: Pick<CachedCount, 'upTo' | 'anchor' | 'rewrites'>,
): Promise<PageRows | undefined> {
  const direction = sql.raw(order);
  const { rows } = await sql<LogState & PageRows>`
    with ${logCte}, ${isTimed(filter) ? sql`${spanCte(filter)},` : sql``}
      page as materialized (${page})
    select log.head, log.anchor, log.rewrites, shown.*
    from log, (
      select count(*) as rows, ${sql.raw(order === 'asc' ? 'max' : 'min')}(e.id) as "lastId",
             coalesce(string_agg(${eventJson(visibility)}, ',' order by e.id ${direction}), '') as json
      from page join events e using (id)
    ) shown`.execute(db);
  const answer = rows[0] as (typeof rows)[number];
  const { head, anchor, rewrites } = answer;
  const isUnchanged =
    head === cached.upTo && anchor === cached.anchor && rewrites === cached.rewrites;
  return isUnchanged ? answer : undefined;
}

/**
 * The page of a filter with a cached count, in one statement instead of six: 3.2 ms instead of 5.8 for a word in every
 * event. Undefined if the log has changed, or if the page is not in the expected range.
 */
export async function readWithCachedCount(
  db: Db,
  filter: Filter,
  paging: Paging,
  visibility: EventFieldVisibility,
  cached: CachedCount,
): Promise<PageRows | undefined> {
  const { offset, limit, after, order, deep } = paging;
  const { ids, count, upTo, rewrites, anchor } = cached;
  if (!ids && (deep || isTimed(filter))) return undefined;
  const log = wholeLog({ anchor, head: upTo, rewrites, recreated: 0 });
  const page = ids
    ? sql`select unnest(${pageOfIds(ids, paging)}::bigint[]) as id`
    : sql`
      select e.id from ${expectedRange(filter, paging, log, count)}
      order by e.id ${sql.raw(order)} offset ${offset} limit ${limit}`;
  const answer = await readIfUnchanged(db, { filter: {}, page, order, visibility }, cached);
  const isComplete =
    ids || answer?.rows === limit || (after === undefined && answer?.rows === count - offset);
  return isComplete ? answer : undefined;
}
