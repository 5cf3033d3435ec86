import { sql } from 'kysely';
import { copyOut } from '../../../platform/db/copy-out.ts';
import type { Db, ReadSnapshot } from '../../../platform/db/database.ts';
import type { Shown } from '../event-json.ts';
import { learn, learnAll } from './collected.ts';
import { cursorOf, type Filter, matchesNothing, type Order, type Paging } from './filter.ts';
import type { Thresholds } from './hits.ts';
import { newestSeen, readLog } from './log.ts';
import { createMemory, type Known, stillKnown } from './memory.ts';
import { fromNearerEnd } from './nearer-end.ts';
import {
  type Counting,
  isOrdered,
  type OrderedAnswer,
  readOrdered,
  readOrderedIds,
} from './ordered.ts';
import { lookAhead } from './outlook.ts';
import { jsonOfIds, pageByWalking, pageOfKept, readJson } from './pages.ts';
import { readRemembered } from './remembered.ts';
import { createSeenSearch } from './seen-search.ts';
import { createTurns } from './turns.ts';

export interface Page {
  /** The events, as JSON joined by commas. */
  readonly json: string;
  readonly rows: number;
  /** Exact, and of the same snapshot as the page. */
  readonly total: number;
  /** Continues behind this page; absent when a descending search has reached the end. */
  readonly nextCursor: string | undefined;
}

/** A piece of an export: which events are in it. */
export interface Batch {
  /** Separated by commas, empty where there are none. */
  readonly ids: string;
  readonly count: number;
  /** Where the next batch goes on; absent at the end. */
  readonly after: number | undefined;
  readonly upTo: number;
  /** Of the log from which it was read: with another of either, history was changed. */
  readonly anchor: number;
  readonly rewrites: number;
}

export interface Search {
  readonly page: (filter: Filter, paging: Paging, shown: Shown) => Promise<Page>;
  /** No total, no end to the number of batches. */
  readonly batch: (filter: Filter, paging: Paging) => Promise<Batch>;
  /** The events of a batch as JSON; none of them where history was rewritten since. */
  readonly eachJson: (
    batch: Batch,
    order: Order,
    shown: Shown,
    take: (json: Buffer) => void,
  ) => Promise<void>;
}

const usualThresholds: Thresholds = {
  keptIds: 20_000,
  rareHits: 20_000,
  deepOffset: 5_000,
  inRow: 5_000,
};

/**
 * First counts at a time. One that reads all texts in a row keeps both cores busy for a second or more: it gets a line
 * of its own, and nobody else waits behind it.
 */
const countsAtOnce = 3;
const scansAtOnce = 1;
/** So many texts are read in a row before anybody could notice. */
const longScan = 100_000;

/** A page, and where the log stood when it was read. */
interface Found extends Omit<Page, 'nextCursor'> {
  readonly lastId: number | null;
  readonly head: number;
}

/**
 * Search over the log. Two ways: filters that one index answers in order are read from it; all others
 * (text, several filters) are collected once, remembered, and only what came after is counted again.
 */
export function createSearch(
  db: Db,
  readSnapshot: ReadSnapshot,
  thresholds = usualThresholds,
): Search {
  const memory = createMemory<Known>(({ ids }) => ids?.length ?? 0);
  const counts = createTurns(countsAtOnce);
  const scans = createTurns(scansAtOnce);
  const learning = new Map<string, Promise<Known>>();

  /** Waits for its turn among those that take as long. */
  async function inTurn<Result>({ text }: Filter, work: () => Promise<Result>): Promise<Result> {
    if (!text) return counts(work);
    const { anchor, head } = await readLog(db);
    if (head - anchor <= longScan) return counts(work);
    const { way } = await lookAhead(db, text, { low: anchor, high: head }, thresholds.inRow);
    return way === 'row' ? scans(work) : counts(work);
  }

  const seen = createSeenSearch(readSnapshot, thresholds, inTurn);

  const withDepth = (paging: Paging): Paging => ({
    ...paging,
    deep: paging.offset > thresholds.deepOffset && paging.after === undefined,
  });

  /** One statement is one snapshot; what takes two shares one. */
  const reading = <Result>(inOne: boolean, work: (from: Db) => Promise<Result>): Promise<Result> =>
    inOne ? work(db) : readSnapshot(work);

  /** The count of an ordered filter, and the page from the nearer end where that is far away. */
  async function readKnowing(
    from: Db,
    filter: Filter,
    paging: Paging,
    shown: Shown,
    known: Known | undefined,
  ): Promise<OrderedAnswer & { total: number }> {
    const counting = known ? { behind: known.upTo } : 'all';
    const read = (page: Paging, count: Counting) =>
      readOrdered(from, filter, page, shown, { counting: count, order: paging.order });
    const first = await read(paging.deep ? { ...paging, offset: 0, limit: 0 } : paging, counting);
    if (known && stillKnown(known, filter, first) !== known) {
      return readKnowing(from, filter, paging, shown, undefined);
    }
    const total = (known?.count ?? 0) + first.counted;
    if (!paging.deep) return { ...first, total };
    return { ...(await read(fromNearerEnd(paging, total), 'nothing')), total };
  }

  const orderedPage = (filter: Filter, paging: Paging, shown: Shown): Promise<Found> =>
    reading(!paging.deep, async (from) => {
      const key = JSON.stringify(filter);
      const answer = await readKnowing(from, filter, paging, shown, memory.get(key));
      const { anchor, head, rewrites, rows, lastId, json, total } = answer;
      memory.set(key, { upTo: head, anchor, count: total, rewrites, ids: undefined });
      return { json: json ?? '', rows, total, lastId, head };
    });

  /** The first count of a filter: one flight for all who ask, and few of them at a time. */
  function learnFirst(key: string, filter: Filter): Promise<Known> {
    const under = learning.get(key);
    if (under) return under;
    const flight = inTurn(filter, () =>
      readSnapshot(async (snapshot) => {
        // The one statement that may use the second core: a first count of a common word, 0.5 s alone.
        await sql`set local max_parallel_workers_per_gather = 1`.execute(snapshot);
        return learnAll(snapshot, filter, thresholds);
      }),
    ).finally(() => learning.delete(key));
    learning.set(key, flight);
    return flight;
  }

  async function recall(filter: Filter): Promise<Known> {
    const key = JSON.stringify(filter);
    const earlier = memory.get(key);
    if (earlier) return earlier;
    const known = await learnFirst(key, filter);
    memory.set(key, known);
    return known;
  }

  /** Runs with what is known of a filter, brought up to date in the snapshot of the work. */
  async function withKnown<Result>(
    filter: Filter,
    work: (snapshot: Db, known: Known) => Promise<Result>,
  ): Promise<Result> {
    const key = JSON.stringify(filter);
    const earlier = await recall(filter);
    const done = await readSnapshot(async (snapshot) => {
      const known = await learn(snapshot, filter, earlier, thresholds);
      if (known) memory.set(key, known);
      return known && { result: await work(snapshot, known) };
    });
    if (done) return done.result;
    memory.forget(key);
    return withKnown(filter, work);
  }

  const collectedIds = (snapshot: Db, filter: Filter, paging: Paging, known: Known) =>
    known.ids
      ? Promise.resolve(pageOfKept(known.ids, paging))
      : pageByWalking(snapshot, filter, paging, known.count, thresholds);

  async function collectedPage(filter: Filter, paging: Paging, shown: Shown): Promise<Found> {
    const known = await recall(filter);
    const page = await readRemembered(db, filter, paging, shown, known);
    if (!page) return collectedAnew(filter, paging, shown);
    const { json, rows, lastId } = page;
    return { json, rows, total: known.count, lastId, head: known.upTo };
  }

  const collectedAnew = (filter: Filter, paging: Paging, shown: Shown): Promise<Found> =>
    withKnown(filter, async (snapshot, known) => {
      const ids = await collectedIds(snapshot, filter, paging, known);
      return {
        json: await readJson(snapshot, ids, paging.order, shown),
        rows: ids.length,
        total: known.count,
        lastId: ids.at(-1) ?? null,
        head: known.upTo,
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
    known: Pick<Known, 'upTo' | 'anchor' | 'rewrites'>,
  ): Batch => {
    const last = upTo ?? known.upTo;
    const within = ids.filter((id) => id <= last);
    const after = within.length < limit ? undefined : within.at(-1);
    return {
      ids: within.join(),
      count: within.length,
      after,
      upTo: last,
      anchor: known.anchor,
      rewrites: known.rewrites,
    };
  };

  const collectedBatch = (filter: Filter, paging: Paging): Promise<Batch> =>
    withKnown(filter, async (snapshot, known) =>
      batchOf(await collectedIds(snapshot, filter, paging, known), paging, known),
    );

  async function seenBatch(filter: Filter, paging: Paging): Promise<Batch> {
    if (seen.areFew(await seen.recall(filter))) return collectedBatch(filter, paging);
    return readSnapshot(async (snapshot) => {
      const found = await seen.learn(snapshot, filter);
      return batchOf(await seen.ids(snapshot, filter, paging, found), paging, found.shares);
    });
  }

  async function seenPage(filter: Filter, paging: Paging, shown: Shown): Promise<Found> {
    const known = await seen.recall(filter);
    if (seen.areFew(known)) return collectedPage(filter, paging, shown);
    const page = await seen.read(db, filter, paging, shown, known);
    if (page) return { ...page, total: known.total, head: known.shares.upTo };
    return readSnapshot(async (snapshot) => {
      const found = await seen.learn(snapshot, filter);
      const { total, shares } = found;
      const read = await seen.read(snapshot, filter, paging, shown, found);
      if (read) return { ...read, total, head: shares.upTo };
      const ids = await seen.ids(snapshot, filter, paging, found);
      const json = await readJson(snapshot, ids, paging.order, shown);
      return { json, rows: ids.length, lastId: ids.at(-1) ?? null, total, head: shares.upTo };
    });
  }

  async function findPage(filter: Filter, paging: Paging, shown: Shown): Promise<Found> {
    if (matchesNothing(filter)) {
      const { head } = await readLog(db);
      return { json: '', rows: 0, total: 0, lastId: null, head };
    }
    if (filter.sees) return seenPage(filter, paging, shown);
    return isOrdered(filter)
      ? orderedPage(filter, paging, shown)
      : collectedPage(filter, paging, shown);
  }

  /**
   * A poller need not look again at what was looked at. An administrator goes on behind the head, others behind the
   * last event that they may see: from the head they would learn how many events are hidden from them, and when.
   */
  async function nextCursor(filter: Filter, { order, limit, after }: Paging, found: Found) {
    const { rows, lastId, head } = found;
    if (rows === limit && lastId !== null) return cursorOf(order, lastId);
    if (order === 'desc') return undefined;
    const seen = filter.ownOnly ? await newestSeen(db, filter, head) : head;
    return cursorOf('asc', Math.max(seen, lastId ?? 0, after ?? 0));
  }

  return {
    async page(filter, asked, shown) {
      const paging = withDepth(asked);
      const found = await findPage(filter, paging, shown);
      const { json, rows, total } = found;
      return { json, rows, total, nextCursor: await nextCursor(filter, paging, found) };
    },
    async batch(filter, asked) {
      const paging = withDepth(asked);
      if (matchesNothing(filter)) {
        const { head, anchor, rewrites } = await readLog(db);
        return { ids: '', count: 0, after: undefined, upTo: head, anchor, rewrites };
      }
      if (isOrdered(filter)) return orderedBatch(filter, paging);
      return filter.sees ? seenBatch(filter, paging) : collectedBatch(filter, paging);
    },
    eachJson: ({ ids, rewrites }, order, shown, take) =>
      copyOut(db, jsonOfIds(ids, rewrites, order, shown).compile(db), take),
  };
}
