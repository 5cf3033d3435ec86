import { sql } from 'kysely';
import type { Db } from '../../../platform/db/database.ts';
import { eventJson, type Shown } from '../event-json.ts';
import type { Filter, Paging } from '../filter.ts';
import { type LogState, logCte } from './log.ts';
import type { Known } from './memory.ts';
import { pageOfKept, stretchOf } from './pages.ts';
import { isTimed, wholeLog } from './range.ts';

export interface RememberedPage {
  readonly json: string;
  readonly rows: number;
  readonly lastId: number | null;
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
  const direction = sql.raw(order);
  const page = ids
    ? sql`select unnest(${pageOfKept(ids, paging)}::bigint[]) as id`
    : sql`
      select e.id from ${stretchOf(filter, paging, wholeLog({ anchor, head: upTo, rewrites, recreated: 0 }), count)}
      order by e.id ${direction} offset ${offset} limit ${limit}`;
  const { rows } = await sql<LogState & RememberedPage>`
    with ${logCte}, page as materialized (${page})
    select log.head, log.rewrites, shown.*
    from log, (
      select count(*) as rows, ${sql.raw(order === 'asc' ? 'max' : 'min')}(e.id) as "lastId",
             coalesce(string_agg(${eventJson(shown)}, ',' order by e.id ${direction}), '') as json
      from page join events e using (id)
    ) shown`.execute(db);
  const answer = rows[0] as (typeof rows)[number];
  const moved = answer.head !== upTo || answer.rewrites !== rewrites;
  const whole =
    ids || answer.rows === limit || (after === undefined && answer.rows === count - offset);
  return moved || !whole ? undefined : answer;
}
