import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../platform/db/database.ts';
import { eventJson, type Shown } from '../event-json.ts';
import type { Filter, Order, Paging } from './filter.ts';
import { type LogState, logCte } from './log.ts';
import { all, columnConditions, columnFilters, seenConditions } from './predicate.ts';
import { isTimed, spanCte, timeCondition, within } from './range.ts';

/** More values than this are cheaper to walk past than to plan for. */
const maxBranches = 20;

/** Whether one index gives the hits in the order of ids. */
export function isOrdered(filter: Filter): boolean {
  const filters = columnFilters(filter);
  const branches = filters[0]?.branches.length ?? 0;
  return !filter.text && !filter.ids && filters.length <= 1 && branches <= maxBranches;
}

export interface OrderedAnswer extends LogState {
  readonly counted: number;
  readonly rows: number;
  readonly lastId: number | null;
  readonly json: string | null;
}

const directionOf = ({ order }: Pick<Paging, 'order'>) => sql.raw(order);

/** The ids of the page, in order: one backward or forward scan of one index, or one per value. */
export function pageIds(filter: Filter, paging: Paging): RawBuilder<unknown> {
  const { order, limit, offset, after, upTo } = paging;
  const [column] = columnFilters(filter);
  const place = [...seenConditions(filter), ...(isTimed(filter) ? inSpan(filter) : [])];
  if (after !== undefined)
    place.push(order === 'asc' ? sql`e.id > ${after}` : sql`e.id < ${after}`);
  if (upTo !== undefined) place.push(sql`e.id <= ${upTo}`);

  if (!column && place.length === 0) {
    // Without gaps, the n-th event from either end is known without counting up to it.
    const from =
      order === 'asc'
        ? sql`e.id > (select anchor from log) + ${offset}`
        : sql`e.id <= (select head from log) - ${offset}`;
    return sql`select e.id from events e where ${from} order by e.id ${directionOf(paging)} limit ${limit}`;
  }
  const scan = (conditions: readonly RawBuilder<unknown>[], most: RawBuilder<unknown>) => sql`
    select e.id from events e where ${all(conditions)} order by e.id ${directionOf(paging)} ${most}`;
  const page = sql`offset ${offset} limit ${limit}`;
  const branches = column?.branches ?? [];
  // Far from both ends each branch would read as far as all of them together.
  if (branches.length <= 1 || paging.deep) {
    return scan([...(column ? [column.condition] : []), ...place], page);
  }
  const reach = sql`limit ${offset + limit}`;
  const scans = branches.map((condition) => sql`(${scan([condition, ...place], reach)})`);
  return sql`
    select id from (${sql.join(scans, sql` union `)}) branch order by id ${directionOf(paging)} ${page}`;
}

/** What is to be counted beside the page: hits behind an id, all of them, or none. */
export type Counting = { readonly behind: number } | 'all' | 'nothing';

function countOf(filter: Filter, counting: Counting): RawBuilder<unknown> {
  if (counting === 'nothing') return sql`0`;
  const conditions = columnConditions(filter);
  const count = (more: readonly RawBuilder<unknown>[]) =>
    sql`(select count(*) from events e where ${all([...conditions, ...more])})`;
  if (!isTimed(filter)) {
    const behind = counting === 'all' ? sql`log.anchor` : sql`${counting.behind}::bigint`;
    if (conditions.length === 0) return sql`log.head - ${behind}`;
    return count(counting === 'all' ? [] : [sql`e.id > ${counting.behind}`]);
  }
  // The inner span is counted in the index alone; only the edges ask the events for their time.
  const from = (column: string) =>
    counting === 'all'
      ? bound(column)
      : sql`greatest(${bound(column)}, ${counting.behind}::bigint)`;
  const inner = { low: from('inner_low'), high: bound('inner_high') };
  const edges = [
    { low: from('low'), high: bound('inner_low') },
    { low: from('inner_high'), high: bound('high') },
  ];
  const sure =
    conditions.length === 0
      ? sql`greatest(0, ${inner.high} - ${inner.low})`
      : count([within(inner)]);
  const asked = edges.map((edge) => count([within(edge), timeCondition(filter)]));
  return sql.join([sure, ...asked], sql` + `);
}

const bound = (column: string) => sql`(select ${sql.raw(column)} from span)`;

/** In the range of time: inside the inner span the ids say enough. */
const inSpan = (filter: Filter): RawBuilder<unknown>[] => {
  const inner = { low: bound('inner_low'), high: bound('inner_high') };
  return [
    within({ low: bound('low'), high: bound('high') }),
    sql`((${within(inner)}) or (${timeCondition(filter)}))`,
  ];
};

interface Reading {
  readonly counting: Counting;
  /** The order of the answer, where the page is looked up from the other end. */
  readonly order?: Order;
}

/** Page and total in one statement, and so in one snapshot. */
export async function readOrdered(
  db: Db,
  filter: Filter,
  paging: Paging,
  shown: Shown,
  { counting, order = paging.order }: Reading,
): Promise<OrderedAnswer> {
  const last = sql.raw(order === 'asc' ? 'max' : 'min');
  const { rows } = await sql<OrderedAnswer>`
    with ${logCte}, ${isTimed(filter) ? sql`${spanCte(filter)},` : sql``}
      page as materialized (${pageIds(filter, paging)})
    select log.anchor, log.head, log.rewrites, log.recreated, ${countOf(filter, counting)} as counted, shown.*
    from log, (
      select count(*) as rows, ${last}(e.id) as "lastId",
             string_agg(${eventJson(shown)}, ',' order by e.id ${directionOf({ order })}) as json
      from page join events e using (id)
    ) shown`.execute(db);
  return rows[0] as OrderedAnswer;
}

export interface OrderedIds extends LogState {
  readonly ids: string | null;
  readonly count: number;
  readonly lastId: number | null;
}

/** Which events are on the page: in one text, because a million of them pass through in an export. */
export async function readOrderedIds(db: Db, filter: Filter, paging: Paging): Promise<OrderedIds> {
  const last = sql.raw(paging.order === 'asc' ? 'max' : 'min');
  const { rows } = await sql<OrderedIds>`
    with ${logCte}, ${isTimed(filter) ? sql`${spanCte(filter)},` : sql``}
      page as materialized (${pageIds(filter, paging)})
    select log.anchor, log.head, log.rewrites, log.recreated, listed.*
    from log, (
      select string_agg(id::text, ',') as ids, count(*) as count, ${last}(id) as "lastId" from page
    ) listed`.execute(db);
  return rows[0] as OrderedIds;
}
