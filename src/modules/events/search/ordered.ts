import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../platform/db/database.ts';
import { type EventFieldVisibility, eventJson } from '../event-json.ts';
import type { Filter, Order, Paging } from './filter.ts';
import { all, columnConditions, columnFilters, visibilityConditions } from './predicate.ts';
import { isTimed, type LogState, logCte, spanCte, timeCondition, within } from './range.ts';

/** Planning for more values costs more than skipping the other events. */
const maxBranches = 20;

/** Whether one index returns the hits in the order of ids. */
export function isOrdered(filter: Filter): boolean {
  const filters = columnFilters(filter);
  const branches = filters[0]?.branches.length ?? 0;
  const isRestricted = filter.text || filter.ids || filter.excluded || filter.originalTypes;
  return !isRestricted && filters.length <= 1 && branches <= maxBranches;
}

export interface OrderedPage extends LogState {
  readonly counted: number;
  readonly rows: number;
  readonly lastId: number | null;
  readonly json: string | null;
}

const directionOf = ({ order }: Pick<Paging, 'order'>) => sql.raw(order);

/** The ids of the page, in order: one scan of one index in either direction, or one scan per value. */
export function pageIds(filter: Filter, paging: Paging): RawBuilder<unknown> {
  const { order, limit, offset, after, upTo } = paging;
  const [column] = columnFilters(filter);
  const bounds = [...visibilityConditions(filter), ...(isTimed(filter) ? inSpan(filter) : [])];
  if (after !== undefined)
    bounds.push(order === 'asc' ? sql`e.id > ${after}` : sql`e.id < ${after}`);
  if (upTo !== undefined) bounds.push(sql`e.id <= ${upTo}`);

  if (!column && bounds.length === 0) {
    // Ids have no gaps, so that the n-th event from either end needs no counting.
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
  // Far from both ends each branch would read as much as all of them together.
  if (branches.length <= 1 || paging.deep) {
    return scan([...(column ? [column.condition] : []), ...bounds], page);
  }
  const upToPageEnd = sql`limit ${offset + limit}`;
  const scans = branches.map((condition) => sql`(${scan([condition, ...bounds], upToPageEnd)})`);
  return sql`
    select id from (${sql.join(scans, sql` union `)}) branch order by id ${directionOf(paging)} ${page}`;
}

/** What to count besides the page: hits after an id, all hits, or none. */
export type CountScope = { readonly behind: number } | 'all' | 'nothing';

function countExpression(filter: Filter, countScope: CountScope): RawBuilder<unknown> {
  if (countScope === 'nothing') return sql`0`;
  const conditions = columnConditions(filter);
  const count = (more: readonly RawBuilder<unknown>[]) =>
    sql`(select count(*) from events e where ${all([...conditions, ...more])})`;
  if (!isTimed(filter)) {
    const behind = countScope === 'all' ? sql`log.anchor` : sql`${countScope.behind}::bigint`;
    if (conditions.length === 0) return sql`log.head - ${behind}`;
    return count(countScope === 'all' ? [] : [sql`e.id > ${countScope.behind}`]);
  }
  // The inner span needs only the index. Only in the edges the time of each event is compared.
  const from = (column: string) =>
    countScope === 'all'
      ? bound(column)
      : sql`greatest(${bound(column)}, ${countScope.behind}::bigint)`;
  const inner = { low: from('inner_low'), high: bound('inner_high') };
  const edges = [
    { low: from('low'), high: bound('inner_low') },
    { low: from('inner_high'), high: bound('high') },
  ];
  const certain =
    conditions.length === 0
      ? sql`greatest(0, ${inner.high} - ${inner.low})`
      : count([within(inner)]);
  const edgeCounts = edges.map((edge) => count([within(edge), timeCondition(filter)]));
  return sql.join([certain, ...edgeCounts], sql` + `);
}

const bound = (column: string) => sql`(select ${sql.raw(column)} from span)`;

/** In the range of time. Inside the inner span the ids are enough. */
const inSpan = (filter: Filter): RawBuilder<unknown>[] => {
  const inner = { low: bound('inner_low'), high: bound('inner_high') };
  return [
    within({ low: bound('low'), high: bound('high') }),
    sql`((${within(inner)}) or (${timeCondition(filter)}))`,
  ];
};

interface ReadOptions {
  readonly countScope: CountScope;
  /** The order of the result, if the page is read from the other end. */
  readonly order?: Order;
}

/** One statement for page and total, so that both belong to one snapshot. */
export async function readOrderedPage(
  db: Db,
  filter: Filter,
  paging: Paging,
  visibility: EventFieldVisibility,
  { countScope, order = paging.order }: ReadOptions,
): Promise<OrderedPage> {
  const last = sql.raw(order === 'asc' ? 'max' : 'min');
  const { rows } = await sql<OrderedPage>`
    with ${logCte}, ${isTimed(filter) ? sql`${spanCte(filter)},` : sql``}
      page as materialized (${pageIds(filter, paging)})
    select log.anchor, log.head, log.rewrites, log.recreated, ${countExpression(filter, countScope)} as counted, shown.*
    from log, (
      select count(*) as rows, ${last}(e.id) as "lastId",
             string_agg(${eventJson(visibility)}, ',' order by e.id ${directionOf({ order })}) as json
      from page join events e using (id)
    ) shown`.execute(db);
  return rows[0] as OrderedPage;
}

export interface OrderedIds extends LogState {
  readonly ids: string | null;
  readonly count: number;
  readonly lastId: number | null;
}

/** The ids of the page in one text, because an export reads up to a million of them. */
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
