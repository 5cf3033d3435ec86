import { sql } from 'kysely';
import { copyOut } from '../../../platform/db/copy-out.ts';
import type { Db, ReadSnapshot } from '../../../platform/db/database.ts';
import { createSemaphore } from '../../../platform/semaphore.ts';
import { createSingleFlight } from '../../../platform/single-flight.ts';
import type { EventFieldVisibility } from '../event-json.ts';
import { readWithCachedCount } from './cached-page.ts';
import { advanceCount, countFilter } from './collected.ts';
import { type CachedCount, createCountCache, revalidateCount } from './count-cache.ts';
import { cursorOf, type Filter, matchesNothing, type Order, type Paging } from './filter.ts';
import type { Thresholds } from './hits.ts';
import {
  type CountScope,
  isOrdered,
  type OrderedPage,
  readOrderedIds,
  readOrderedPage,
} from './ordered.ts';
import { eventsJsonQuery, findPageIds, fromNearerEnd, pageOfIds, readEventsJson } from './pages.ts';
import { readLog } from './range.ts';
import { estimateTextSearch } from './text-estimate.ts';
import { findNewestVisible } from './visibility.ts';
import { createVisibleSearch } from './visible-search.ts';

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
  maxCachedIds: 20_000,
  maxRareHits: 20_000,
  deepOffset: 5_000,
  maxScanned: 5_000,
};

/**
 * How many first counts run at the same time. A scan of all texts uses both cores for a second or more. Scans have a
 * queue of their own, so that other counts do not wait for them.
 */
const maxCounts = 3;
const maxScans = 1;
/** A scan of so many texts is too short to notice. */
const longScanTexts = 100_000;

/** A page, and the last id of the log when it was read. */
interface PageWithHead extends Omit<Page, 'nextCursor'> {
  readonly lastId: number | null;
  readonly head: number;
}

/**
 * Searches the log in one of two ways. Filters that one index answers in order are read from it. For all others (text,
 * several filters) the hits are collected once and cached, and later only new events are counted.
 */
export function createSearch(
  db: Db,
  readSnapshot: ReadSnapshot,
  thresholds = defaultThresholds,
): Search {
  const totals = createCountCache<CachedCount>(({ ids }) => ids?.length ?? 0);
  const counts = createSemaphore(maxCounts);
  const scans = createSemaphore(maxScans);
  const firstCounts = createSingleFlight<string, CachedCount>();

  /** Queues the work with other work of the same duration. */
  async function queueCount<Result>(
    { text }: Filter,
    work: () => Promise<Result>,
  ): Promise<Result> {
    if (!text) return counts.run(work);
    const { anchor, head } = await readLog(db);
    if (head - anchor <= longScanTexts) return counts.run(work);
    const { lookup } = await estimateTextSearch(
      db,
      text,
      { low: anchor, high: head },
      thresholds.maxScanned,
    );
    return (lookup === 'scan' ? scans : counts).run(work);
  }

  const visibleSearch = createVisibleSearch(readSnapshot, thresholds, queueCount);

  const withDepth = (paging: Paging): Paging => ({
    ...paging,
    deep: paging.offset > thresholds.deepOffset && paging.after === undefined,
  });

  /** One statement is one snapshot. Two statements share one. */
  const readConsistently = <Result>(
    isOneStatement: boolean,
    work: (from: Db) => Promise<Result>,
  ): Promise<Result> => (isOneStatement ? work(db) : readSnapshot(work));

  /** The count of an ordered filter, and the page. A deep page is read from the nearer end. */
  async function readOrderedWithTotal(
    from: Db,
    filter: Filter,
    paging: Paging,
    visibility: EventFieldVisibility,
    cached: CachedCount | undefined,
  ): Promise<OrderedPage & { total: number }> {
    const countScope = cached ? { behind: cached.upTo } : 'all';
    const read = (page: Paging, count: CountScope) =>
      readOrderedPage(from, filter, page, visibility, { countScope: count, order: paging.order });
    const first = await read(paging.deep ? { ...paging, offset: 0, limit: 0 } : paging, countScope);
    if (cached && revalidateCount(cached, filter, first) !== cached) {
      return readOrderedWithTotal(from, filter, paging, visibility, undefined);
    }
    const total = (cached?.count ?? 0) + first.counted;
    if (!paging.deep) return { ...first, total };
    return { ...(await read(fromNearerEnd(paging, total), 'nothing')), total };
  }

  const orderedPage = (
    filter: Filter,
    paging: Paging,
    visibility: EventFieldVisibility,
  ): Promise<PageWithHead> =>
    readConsistently(!paging.deep, async (from) => {
      const key = JSON.stringify(filter);
      const answer = await readOrderedWithTotal(from, filter, paging, visibility, totals.get(key));
      const { anchor, head, rewrites, rows, lastId, json, total } = answer;
      totals.set(key, { upTo: head, anchor, count: total, rewrites, ids: undefined });
      return { json: json ?? '', rows, total, lastId, head };
    });

  /** The first count of a filter. Concurrent requests share it, and only a few counts run at a time. */
  const countOnce = (key: string, filter: Filter): Promise<CachedCount> =>
    firstCounts.join(key, () =>
      queueCount(filter, () =>
        readSnapshot(async (snapshot) => {
          // Only this statement may use the second core: the first count of a common word takes 0.5 s alone.
          await sql`set local max_parallel_workers_per_gather = 1`.execute(snapshot);
          return countFilter(snapshot, filter, thresholds);
        }),
      ),
    );

  async function getCount(filter: Filter): Promise<CachedCount> {
    const key = JSON.stringify(filter);
    const earlier = totals.get(key);
    if (earlier) return earlier;
    const cached = await countOnce(key, filter);
    totals.set(key, cached);
    return cached;
  }

  /** Runs with the count of a filter, brought up to date in the snapshot of the work. */
  async function withCurrentCount<Result>(
    filter: Filter,
    work: (snapshot: Db, cached: CachedCount) => Promise<Result>,
  ): Promise<Result> {
    const key = JSON.stringify(filter);
    const earlier = await getCount(filter);
    const done = await readSnapshot(async (snapshot) => {
      const cached = await advanceCount(snapshot, filter, earlier, thresholds);
      if (cached) totals.set(key, cached);
      return cached && { result: await work(snapshot, cached) };
    });
    if (done) return done.result;
    totals.delete(key);
    return withCurrentCount(filter, work);
  }

  const collectedIds = (snapshot: Db, filter: Filter, paging: Paging, cached: CachedCount) =>
    cached.ids
      ? Promise.resolve(pageOfIds(cached.ids, paging))
      : findPageIds(snapshot, filter, paging, cached.count, thresholds);

  async function collectedPage(
    filter: Filter,
    paging: Paging,
    visibility: EventFieldVisibility,
  ): Promise<PageWithHead> {
    const cached = await getCount(filter);
    const page = await readWithCachedCount(db, filter, paging, visibility, cached);
    if (!page) return collectAgain(filter, paging, visibility);
    const { json, rows, lastId } = page;
    return { json, rows, total: cached.count, lastId, head: cached.upTo };
  }

  const collectAgain = (
    filter: Filter,
    paging: Paging,
    visibility: EventFieldVisibility,
  ): Promise<PageWithHead> =>
    withCurrentCount(filter, async (snapshot, cached) => {
      const ids = await collectedIds(snapshot, filter, paging, cached);
      return {
        json: await readEventsJson(snapshot, ids, paging.order, visibility),
        rows: ids.length,
        total: cached.count,
        lastId: ids.at(-1) ?? null,
        head: cached.upTo,
      };
    });

  async function orderedBatch(filter: Filter, paging: Paging): Promise<Batch> {
    const { ids, count, lastId, head, anchor, rewrites } = await readOrderedIds(db, filter, paging);
    const after = count < paging.limit ? undefined : (lastId ?? undefined);
    return { ids: ids ?? '', count, after, upTo: paging.upTo ?? head, anchor, rewrites };
  }

  const batchOf = (
    ids: readonly number[],
    { limit, upTo }: Paging,
    cached: Pick<CachedCount, 'upTo' | 'anchor' | 'rewrites'>,
  ): Batch => {
    const last = upTo ?? cached.upTo;
    const within = ids.filter((id) => id <= last);
    const after = within.length < limit ? undefined : within.at(-1);
    return {
      ids: within.join(),
      count: within.length,
      after,
      upTo: last,
      anchor: cached.anchor,
      rewrites: cached.rewrites,
    };
  };

  const collectedBatch = (filter: Filter, paging: Paging): Promise<Batch> =>
    withCurrentCount(filter, async (snapshot, cached) =>
      batchOf(await collectedIds(snapshot, filter, paging, cached), paging, cached),
    );

  async function visibleBatch(filter: Filter, paging: Paging): Promise<Batch> {
    if (visibleSearch.areFew(await visibleSearch.getTotal(filter)))
      return collectedBatch(filter, paging);
    return readSnapshot(async (snapshot) => {
      const found = await visibleSearch.updateTotal(snapshot, filter);
      return batchOf(
        await visibleSearch.ids(snapshot, filter, paging, found),
        paging,
        found.projectCounts,
      );
    });
  }

  async function visiblePage(
    filter: Filter,
    paging: Paging,
    visibility: EventFieldVisibility,
  ): Promise<PageWithHead> {
    const cached = await visibleSearch.getTotal(filter);
    if (visibleSearch.areFew(cached)) return collectedPage(filter, paging, visibility);
    const page = await visibleSearch.read(db, filter, paging, visibility, cached);
    if (page) return { ...page, total: cached.total, head: cached.projectCounts.upTo };
    return readSnapshot(async (snapshot) => {
      const found = await visibleSearch.updateTotal(snapshot, filter);
      const { total, projectCounts } = found;
      const read = await visibleSearch.read(snapshot, filter, paging, visibility, found);
      if (read) return { ...read, total, head: projectCounts.upTo };
      const ids = await visibleSearch.ids(snapshot, filter, paging, found);
      const json = await readEventsJson(snapshot, ids, paging.order, visibility);
      return {
        json,
        rows: ids.length,
        lastId: ids.at(-1) ?? null,
        total,
        head: projectCounts.upTo,
      };
    });
  }

  async function findPage(
    filter: Filter,
    paging: Paging,
    visibility: EventFieldVisibility,
  ): Promise<PageWithHead> {
    if (matchesNothing(filter)) {
      const { head } = await readLog(db);
      return { json: '', rows: 0, total: 0, lastId: null, head };
    }
    if (filter.sees) return visiblePage(filter, paging, visibility);
    return isOrdered(filter)
      ? orderedPage(filter, paging, visibility)
      : collectedPage(filter, paging, visibility);
  }

  /**
   * A poller need not read the same events again. An administrator continues after the head, others after the last
   * event that they may see: the head would reveal how many events are hidden from them, and when.
   */
  async function nextCursor(filter: Filter, { order, limit, after }: Paging, found: PageWithHead) {
    const { rows, lastId, head } = found;
    if (rows === limit && lastId !== null) return cursorOf(order, lastId);
    if (order === 'desc') return undefined;
    const newestVisible = filter.currentProjectsOnly
      ? await findNewestVisible(db, filter, head)
      : head;
    return cursorOf('asc', Math.max(newestVisible, lastId ?? 0, after ?? 0));
  }

  return {
    async page(filter, requested, visibility) {
      const paging = withDepth(requested);
      const found = await findPage(filter, paging, visibility);
      const { json, rows, total } = found;
      return { json, rows, total, nextCursor: await nextCursor(filter, paging, found) };
    },
    async batch(filter, requested) {
      const paging = withDepth(requested);
      if (matchesNothing(filter)) {
        const { head, anchor, rewrites } = await readLog(db);
        return { ids: '', count: 0, after: undefined, upTo: head, anchor, rewrites };
      }
      if (isOrdered(filter)) return orderedBatch(filter, paging);
      return filter.sees ? visibleBatch(filter, paging) : collectedBatch(filter, paging);
    },
    eachJson: ({ ids, rewrites }, order, visibility, take) =>
      copyOut(db, eventsJsonQuery(ids, rewrites, order, visibility).compile(db), take),
  };
}
