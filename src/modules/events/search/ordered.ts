import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../platform/db/database.ts';
import { type LogState, logCte } from '../log-state.ts';
import { findFewerHidden } from '../visibility.ts';
import type { Filter, Paging } from './filter.ts';
import {
  all,
  type Condition,
  columnConditions,
  columnFilters,
  currentProjectConditions,
  pageBounds,
  projectFilters,
} from './predicate.ts';
import { inRange, isTimed, spanCte, spanInSql, timeCondition, within } from './range.ts';
import type { Thresholds, Total } from './totals.ts';

const indexedFilters = (filter: Filter) => [...projectFilters(filter), ...columnFilters(filter)];

/** Whether one index returns the hits in the order of ids: that of the log, or of a column with few values. */
export function isOrdered(filter: Filter, { maxBranches }: Thresholds): boolean {
  const filters = indexedFilters(filter);
  const branches = filters[0]?.branches.length ?? 0;
  const isRestricted = filter.text || filter.ids || filter.excluded || filter.originalTypes;
  return !isRestricted && filters.length <= 1 && branches <= maxBranches;
}

/** The ids of the page, in order: one scan of one index in either direction, or one scan per value. */
export function orderedPage(filter: Filter, paging: Paging, isDeep: boolean): RawBuilder<unknown> {
  const { order, limit, offset } = paging;
  const direction = sql.raw(order);
  const [column] = indexedFilters(filter);
  const conditions: Condition[] = [
    ...(isTimed(filter) ? inRange(filter, spanInSql) : []),
    ...pageBounds(paging),
  ];
  if (!column && conditions.length === 0) {
    // Ids have no gaps, so that the n-th event from either end needs no counting.
    const from =
      order === 'asc'
        ? sql`e.id > (select anchor from log) + ${offset}`
        : sql`e.id <= (select head from log) - ${offset}`;
    return sql`select e.id from events e where ${from} order by e.id ${direction} limit ${limit}`;
  }
  const scan = (extra: readonly Condition[], rows: RawBuilder<unknown>) => sql`
    select e.id from events e where ${all([...extra, ...conditions])} order by e.id ${direction} ${rows}`;
  const rows = sql`offset ${offset} limit ${limit}`;
  const branches = column?.branches ?? [];
  // Far from the start each branch would read as much as all of them together.
  if (branches.length <= 1 || isDeep) return scan(columnConditions(filter), rows);
  const scans = branches.map((branch) => {
    const extra = [branch, ...currentProjectConditions(filter)];
    return sql`(${scan(extra, sql`limit ${offset + limit}`)})`;
  });
  return sql`
    select id from (${sql.join(scans, sql` union `)}) branch order by id ${direction} ${rows}`;
}

/** How many hits have come after an id, as an expression. */
export function orderedCount(filter: Filter, after: number): RawBuilder<unknown> {
  const conditions = columnConditions(filter);
  const count = (range: readonly Condition[]) =>
    sql`(select count(*) from events e where ${all([...conditions, ...range])})`;
  if (!isTimed(filter)) {
    return conditions.length === 0
      ? sql`log.head - greatest(log.anchor, ${after}::bigint)`
      : count([sql`e.id > ${after}`]);
  }
  // The inner span needs only the index. Only in the edges the time of each event is compared.
  const { low, high, inner } = spanInSql;
  const from = (bound: RawBuilder<unknown>) => sql`greatest(${bound}, ${after}::bigint)`;
  const innerSpan = { low: from(inner.low), high: inner.high };
  const edges = [
    { low: from(low), high: inner.low },
    { low: from(inner.high), high },
  ];
  const innerCount =
    conditions.length === 0
      ? sql`greatest(0, ${innerSpan.high} - ${innerSpan.low})`
      : count([within(innerSpan)]);
  const edgeCounts = edges.map((edge) => count([within(edge), timeCondition(filter)]));
  return sql.join([innerCount, ...edgeCounts], sql` + `);
}

/** The first total of a filter. */
export async function readOrderedTotal(snapshot: Db, filter: Filter): Promise<Total> {
  const hidden = await findFewerHidden(snapshot, filter);
  const counted = hidden
    ? sql`log.head - log.anchor - (select count(*) from (${hidden}) hidden)`
    : orderedCount(filter, 0);
  const { rows } = await sql<LogState & { count: number }>`
    with ${logCte}, ${spanCte(filter)}
    select log.anchor, log.head, log.rewrites, log.recreated, ${counted} as count
    from log`.execute(snapshot);
  const { head: upTo, ...total } = rows[0] as (typeof rows)[number];
  return { upTo, ...total };
}
