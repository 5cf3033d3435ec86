import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../platform/db/database.ts';
import { eventJson, type Shown } from '../event-json.ts';
import type { Filter, Order, Paging } from './filter.ts';
import { type LogState, logCte } from './log.ts';
import type { Known } from './memory.ts';
import { pageOfKept, stretchOf } from './pages.ts';
import { isTimed, spanCte, wholeLog } from './range.ts';

export interface RememberedPage {
  readonly json: string;
  readonly rows: number;
  readonly lastId: number | null;
}

interface PageQuery {
  readonly filter: Filter;
  /** The ids of the page, as a query that may use `log`, and `span` where the filter is timed. */
  readonly page: RawBuilder<unknown>;
  readonly order: Order;
  readonly shown: Shown;
}

/** A page in one statement; undefined where the log has moved on since `known`. */
export async function readUnmoved(
  db: Db,
  { filter, page, order, shown }: PageQuery,
  known: Pick<Known, 'upTo' | 'anchor' | 'rewrites'>,
): Promise<RememberedPage | undefined> {
  const direction = sql.raw(order);
  const { rows } = await sql<LogState & RememberedPage>`
    with ${logCte}, ${isTimed(filter) ? sql`${spanCte(filter)},` : sql``}
      page as materialized (${page})
    select log.head, log.anchor, log.rewrites, shown.*
    from log, (
      select count(*) as rows, ${sql.raw(order === 'asc' ? 'max' : 'min')}(e.id) as "lastId",
             coalesce(string_agg(${eventJson(shown)}, ',' order by e.id ${direction}), '') as json
      from page join events e using (id)
    ) shown`.execute(db);
  const answer = rows[0] as (typeof rows)[number];
  const { head, anchor, rewrites } = answer;
  const isUnmoved = head === known.upTo && anchor === known.anchor && rewrites === known.rewrites;
  return isUnmoved ? answer : undefined;
}

/**
 * The page of a filter whose total is known, in one statement instead of six, if nothing was written
 * since: 3.2 ms instead of 5.8 for a word in every event. Undefined where the log has moved on, or the page is
 * not where it was to be expected.
 */
export async function readRemembered(
  db: Db,
  filter: Filter,
  paging: Paging,
  shown: Shown,
  known: Known,
): Promise<RememberedPage | undefined> {
  const { offset, limit, after, order, deep } = paging;
  const { ids, count, upTo, rewrites, anchor } = known;
  if (!ids && (deep || isTimed(filter))) return undefined;
  const log = wholeLog({ anchor, head: upTo, rewrites, recreated: 0 });
  const page = ids
    ? sql`select unnest(${pageOfKept(ids, paging)}::bigint[]) as id`
    : sql`
      select e.id from ${stretchOf(filter, paging, log, count)}
      order by e.id ${sql.raw(order)} offset ${offset} limit ${limit}`;
  const answer = await readUnmoved(db, { filter: {}, page, order, shown }, known);
  const whole =
    ids || answer?.rows === limit || (after === undefined && answer?.rows === count - offset);
  return whole ? answer : undefined;
}
