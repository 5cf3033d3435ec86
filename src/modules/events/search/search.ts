import { type RawBuilder, sql } from 'kysely';
import { copyOut } from '../../../platform/db/copy-out.ts';
import type { Db, ReadSnapshot } from '../../../platform/db/database.ts';
import { createSemaphore } from '../../../platform/semaphore.ts';
import { createSingleFlight } from '../../../platform/single-flight.ts';
import { type EventFieldVisibility, eventJson } from '../event-json.ts';
import { type LogState, logCte, readLog } from '../log-state.ts';
import { findNewestVisible } from '../visibility.ts';
import { cachedPage, collect, scannedPage } from './collected.ts';
import {
  cursorOf,
  type Filter,
  isLimitedToVisible,
  matchesNothing,
  type Order,
  type Paging,
  simplify,
} from './filter.ts';
import { isOrdered, orderedCount, orderedPage, readOrderedTotal } from './ordered.ts';
import { scanLog } from './predicate.ts';
import { readRange, spanCte } from './range.ts';
import { planTextSearch } from './text-plan.ts';
import { advance, createTotals, keyOf, type Thresholds, type Total } from './totals.ts';

export interface Page {
  /** The events as JSON, separated by commas. */
  readonly json: string;
  readonly rows: number;
  /** Exact, and from the same snapshot as the page. */
  readonly total: number;
  /** Continues after this page. Absent if a descending search has reached the end. */
  readonly nextCursor: string | undefined;
}

/** The ids of a part of an export. */
export interface Batch {
  /** Separated by commas. Empty if there are none. */
  readonly ids: string;
  readonly count: number;
  /** Where the next batch continues. Absent at the end. */
  readonly after: number | undefined;
  readonly upTo: number;
  /** The state of the log when it was read. Any change of these two means that the log was rewritten or shortened. */
  readonly anchor: number;
  readonly rewrites: number;
}

export interface Search {
  readonly page: (
    filter: Filter,
    paging: Paging,
    visibility: EventFieldVisibility,
  ) => Promise<Page>;
  /** Without a total. There may be any number of batches. */
  readonly batch: (filter: Filter, paging: Paging) => Promise<Batch>;
  /** The events of a batch as JSON. Yields nothing if the log was rewritten since. */
  readonly eachJson: (
    batch: Batch,
    order: Order,
    visibility: EventFieldVisibility,
    take: (json: Buffer) => void,
  ) => Promise<void>;
}

const defaultThresholds: Thresholds = {
  maxBranches: 5,
  maxCachedIds: 20_000,
  maxRareHits: 20_000,
  deepOffset: 5_000,
  maxScanned: 5_000,
};

/**
 * How many first counts of collected filters run at the same time. A scan of all texts uses both cores for a second or
 * more. Scans and deep pages have a queue of their own, so that other counts do not wait for them.
 */
const maxCounts = 3;
const maxScans = 1;
/** A scan of so many texts is too short to notice. */
const longScanTexts = 100_000;

/** What a statement has read: the state of the log, the hits since the total was counted, and the page. */
interface PageRow extends LogState {
  readonly added: number;
  readonly addedIds: readonly number[] | null;
  readonly rows: number;
  readonly lastId: number | null;
  /** The events as JSON, or their ids, separated by commas. */
  readonly shown: string | null;
}

/**
 * Searches the log in one of two ways. Filters that one index answers in order are read from it. For all others (text,
 * several filters) the hits are collected once. Either way the total is cached, and each later search is one statement
 * that reads the page and the hits since then.
 */
export function createSearch(
  db: Db,
  readSnapshot: ReadSnapshot,
  thresholds = defaultThresholds,
): Search {
  const { maxCachedIds, maxScanned, deepOffset } = thresholds;
  const totals = createTotals();
  const firstCounts = createSingleFlight<string, Total>();
  const counts = createSemaphore(maxCounts);
  const scans = createSemaphore(maxScans);

  const countFirst = async (filter: Filter): Promise<Total> => {
    if (isOrdered(filter, thresholds)) {
      return isLimitedToVisible(filter)
        ? readSnapshot((snapshot) => readOrderedTotal(snapshot, filter))
        : readOrderedTotal(db, filter);
    }
    const { text } = filter;
    const plan = text && (await planTextSearch(db, text, await readRange(db, filter), maxScanned));
    const isLongScan = plan?.lookup === 'scan' && plan.texts > longScanTexts;
    return (isLongScan ? scans : counts).run(() =>
      readSnapshot(async (snapshot) => {
        await allowParallelScan(snapshot, isLongScan);
        return collect(snapshot, filter, plan, thresholds);
      }),
    );
  };

  /** The cached total, or the first count, which concurrent requests share. */
  const getTotal = async (key: string, filter: Filter): Promise<Total> =>
    totals.get(key) ??
    firstCounts.join(key, async () => {
      const total = await countFirst(filter);
      totals.set(key, total);
      return total;
    });

  /** A page in one statement, which is repeated if the log was rewritten or the page was not where it was expected. */
  async function findPage(
    filter: Filter,
    paging: Paging,
    shown: RawBuilder<unknown>,
  ): Promise<PageRow & { readonly total: number }> {
    const key = keyOf(filter);
    const isDeep = paging.offset > deepOffset;
    for (let attempt = 0; ; attempt += 1) {
      const total = await getTotal(key, filter);
      const simple = simplify(filter, total);
      const { query, isWhole } = total.ids
        ? { query: cachedPage(total.ids, paging), isWhole: true }
        : isOrdered(filter, thresholds)
          ? { query: orderedPage(simple, paging, isDeep), isWhole: true }
          : scannedPage(simple, paging, total, attempt);
      const read = () => readPage(db, simple, query, shown, newHits(total, simple, thresholds));
      const isSlow = isDeep && !total.ids && Object.keys(filter).length > 0;
      const found = await (isSlow ? scans.run(read) : read());
      const current = advance(total, filter, found, maxCachedIds);
      if (current !== total) current ? totals.set(key, current) : totals.delete(key);
      const isComplete = isWhole || found.rows === paging.limit;
      if (current && isComplete && current.anchor === total.anchor)
        return { ...found, total: current.count };
    }
  }

  /**
   * A poller need not read the same events again. An administrator continues after the head, others after the last
   * event that they may see: the head would reveal how many events are hidden from them, and when.
   */
  async function nextCursor(filter: Filter, { order, limit, after }: Paging, found: PageRow) {
    const { rows, lastId, head } = found;
    if (rows === limit && lastId !== null) return cursorOf(order, lastId);
    if (order === 'desc') return undefined;
    const newestVisible = filter.currentProjectsOnly
      ? await findNewestVisible(db, filter.projects ?? [], head)
      : head;
    return cursorOf('asc', Math.max(newestVisible, lastId ?? 0, after ?? 0));
  }

  return {
    async page(filter, paging, visibility) {
      const found = matchesNothing(filter)
        ? { ...(await readNothing(db)), total: 0 }
        : await findPage(filter, paging, pageJson(paging, visibility));
      const { shown, rows, total } = found;
      return {
        json: shown ?? '',
        rows,
        total,
        nextCursor: await nextCursor(filter, paging, found),
      };
    },
    async batch(filter, paging) {
      const isDeep = paging.offset > deepOffset;
      const found = matchesNothing(filter)
        ? await readNothing(db)
        : isOrdered(filter, thresholds)
          ? await readPage(db, filter, orderedPage(filter, paging, isDeep), pageOfIds(paging))
          : await findPage(filter, paging, pageOfIds(paging));
      const { shown, rows: count, lastId, anchor, head, rewrites } = found;
      const after = count < paging.limit ? undefined : (lastId ?? undefined);
      return { ids: shown ?? '', count, after, upTo: paging.upTo ?? head, anchor, rewrites };
    },
    eachJson: ({ ids, rewrites }, order, visibility, take) =>
      copyOut(db, eventsJsonQuery(ids, rewrites, order, visibility).compile(db), take),
  };
}

/**
 * Only a first count may use the second core: that of a common word takes 0.5 s alone. The planner considers a scan that
 * may end early cheap, and then does not use it unless workers cost nothing: 0.43 s instead of 0.30.
 */
const allowParallelScan = (snapshot: Db, isLongScan: boolean) =>
  sql`select set_config('max_parallel_workers_per_gather', '1', true)
    ${isLongScan ? sql`, set_config('parallel_setup_cost', '0', true), set_config('parallel_tuple_cost', '0', true)` : sql``}`.execute(
    snapshot,
  );

/** The hits after a cached total: their number, and their ids if the total has ids. */
interface NewHits {
  readonly count: RawBuilder<unknown>;
  readonly ids?: RawBuilder<unknown>;
}

function newHits({ ids, upTo }: Total, filter: Filter, thresholds: Thresholds): NewHits {
  if (isOrdered(filter, thresholds)) return { count: orderedCount(filter, upTo) };
  const hits = sql`${scanLog(filter)} and e.id > ${upTo}`;
  return ids
    ? {
        count: sql`(select count(*) from added)`,
        ids: sql`select e.id from ${hits} order by e.id limit ${thresholds.maxCachedIds + 1}`,
      }
    : { count: sql`(select count(*) from ${hits})` };
}

/** One statement for page and total, so that both belong to one snapshot. */
async function readPage(
  db: Db,
  filter: Filter,
  page: RawBuilder<unknown>,
  shown: RawBuilder<unknown>,
  { count, ids }: NewHits = { count: sql`0` },
): Promise<PageRow> {
  const { rows } = await sql<PageRow>`
    with ${logCte}, ${spanCte(filter)}, ${ids ? sql`added as materialized (${ids}),` : sql``}
      page as materialized (${page})
    select log.anchor, log.head, log.rewrites, log.recreated, ${count} as added,
      ${ids ? sql`array(select id::float8 from added order by id)` : sql`null`} as "addedIds", shown.*
    from log, (${shown}) shown`.execute(db);
  return rows[0] as PageRow;
}

const readNothing = async (db: Db): Promise<PageRow> => ({
  ...(await readLog(db)),
  added: 0,
  addedIds: null,
  rows: 0,
  lastId: null,
  shown: null,
});

/** The aggregate that finds the last id of a page. */
const lastOf = ({ order }: Paging) => sql.raw(order === 'asc' ? 'max' : 'min');

const pageJson = (paging: Paging, visibility: EventFieldVisibility): RawBuilder<unknown> => sql`
  select count(*) as rows, ${lastOf(paging)}(e.id) as "lastId",
         string_agg(${eventJson(visibility)}, ',' order by e.id ${sql.raw(paging.order)}) as shown
  from page join events e using (id)`;

/** In one text, because an export reads up to a million of them. */
const pageOfIds = (paging: Paging): RawBuilder<unknown> => sql`
  select count(*) as rows, ${lastOf(paging)}(id) as "lastId", string_agg(id::text, ',') as shown
  from page`;

/** For COPY, which takes no parameters, so that the ids are literals. */
const eventsJsonQuery = (
  ids: string,
  rewrites: number,
  order: Order,
  visibility: EventFieldVisibility,
): RawBuilder<unknown> => sql`
  select ${eventJson(visibility)} from events e
  where e.id = any(${sql.lit(`{${ids}}`)}::bigint[])
    and (select rewrites from event_log) = ${sql.lit(rewrites)}
  order by e.id ${sql.raw(order)}`;
