import { type RawBuilder, sql } from 'kysely';
import type { Db, ReadSnapshot } from '../../../platform/db/database.ts';
import type { Shown } from '../event-json.ts';
import { type Filter, type Paging, withoutReader } from './filter.ts';
import type { Thresholds } from './hits.ts';
import { createMemory } from './memory.ts';
import { fromNearerEnd } from './nearer-end.ts';
import { isOrdered, pageIds } from './ordered.ts';
import { pageByWalking, pageOfKept, stretchOf } from './pages.ts';
import { isTimed, wholeLog } from './range.ts';
import { type RememberedPage, readUnmoved } from './remembered.ts';
import {
  advance,
  asSeen,
  countFor,
  learnShares,
  type Shares,
  seenIds,
  seenTotal,
} from './shares.ts';

/** A total for one reader, and what it was made of. */
export interface SeenTotal {
  readonly shares: Shares;
  readonly sees: ReadonlySet<string>;
  readonly total: number;
}

/** Where somebody sees less than this part of the log, their projects lead to it faster than the log itself. */
const sparse = 0.25;
const mostBranches = 20;

/**
 * Totals and pages for readers from whom something is hidden. What is remembered of a filter is how its hits are shared
 * among projects: all readers have that in common, and only what they see of it differs.
 */
export function createSeenSearch(
  readSnapshot: ReadSnapshot,
  thresholds: Thresholds,
  inTurn: <Result>(filter: Filter, work: () => Promise<Result>) => Promise<Result>,
) {
  const memory = createMemory<Shares>(
    ({ kept, counts, uncounted }) => (kept?.ids.length ?? 0) * 2 + counts.size + uncounted.size,
  );
  const learning = new Map<string, Promise<SeenTotal>>();
  const { keptIds } = thresholds;

  const totalFrom = (shares: Shares, sees: ReadonlySet<string>): SeenTotal | undefined => {
    const total = seenTotal(shares, sees);
    return total === undefined ? undefined : { shares, sees, total };
  };

  /** In the snapshot: what is known is brought up to date, and what is missing is counted. */
  async function learn(snapshot: Db, filter: Filter): Promise<SeenTotal> {
    const what = withoutReader(filter);
    const key = JSON.stringify(what);
    const sees = new Set(filter.sees);
    const earlier = memory.get(key);
    const current =
      (earlier && (await advance(snapshot, what, earlier, thresholds))) ??
      (await learnShares(snapshot, what, thresholds));
    const shares = await countFor(snapshot, what, current, sees, thresholds);
    memory.set(key, shares);
    const found = totalFrom(shares, sees);
    if (!found) throw new Error('a total is missing after it was counted');
    return found;
  }

  /** The first count for a reader: one flight for all who ask the same, and few of them at a time. */
  function learnFirst(filter: Filter): Promise<SeenTotal> {
    const key = JSON.stringify(filter);
    const under = learning.get(key);
    if (under) return under;
    const flight = inTurn(filter, () =>
      readSnapshot(async (snapshot) => {
        await sql`set local max_parallel_workers_per_gather = 1`.execute(snapshot);
        return learn(snapshot, filter);
      }),
    ).finally(() => learning.delete(key));
    learning.set(key, flight);
    return flight;
  }

  /** The same hits, found through the projects where these are few. */
  const led = (filter: Filter, { total, shares }: SeenTotal): Filter => {
    const { sees = [], ...rest } = filter;
    const bare = Object.keys(withoutReader(filter)).every((name) => /^(since|until)$/.test(name));
    const few = total < sparse * (shares.total ?? Number.POSITIVE_INFINITY);
    return bare && few && sees.length <= mostBranches ? { ...rest, projects: sees } : filter;
  };

  /**
   * The same hits, found through the projects of somebody who sees little of the log. A deep page of a word in every
   * event took a member of one among 20 projects 0.44 s along the log.
   */
  async function throughProjects(snapshot: Db, filter: Filter, shares: Shares): Promise<Filter> {
    const { sees, ...rest } = filter;
    if (!sees || sees.length > mostBranches) return filter;
    const all = await learn(snapshot, { sees, ownOnly: true });
    return all.total < sparse * (shares.upTo - shares.anchor)
      ? { ...rest, projects: sees }
      : filter;
  }

  /** The ids of the page as a query; undefined where it takes more than one statement. */
  function pageQuery(
    filter: Filter,
    paging: Paging,
    found: SeenTotal,
  ): RawBuilder<unknown> | undefined {
    const { shares, sees, total } = found;
    const { order, offset, limit } = paging;
    if (shares.kept) {
      return sql`select unnest(${pageOfKept(seenIds(shares, sees), paging)}::bigint[]) as id`;
    }
    if (isOrdered(filter)) {
      return pageIds(
        led(asSeen(filter, shares), found),
        paging.deep ? fromNearerEnd(paging, total) : paging,
      );
    }
    if (paging.deep || isTimed(filter)) return undefined;
    const { anchor, upTo: head, rewrites } = shares;
    const log = wholeLog({ anchor, head, rewrites, recreated: 0 });
    return sql`select e.id from ${stretchOf(asSeen(filter, shares), paging, log, total)}
      order by e.id ${sql.raw(order)} offset ${offset} limit ${limit}`;
  }

  return {
    /** What is known of the total, from now or from before. */
    recall: async (filter: Filter): Promise<SeenTotal> => {
      const shares = memory.get(JSON.stringify(withoutReader(filter)));
      return (shares && totalFrom(shares, new Set(filter.sees))) ?? learnFirst(filter);
    },
    learn,
    /** So few of many that they are worth being kept for this reader alone. */
    areFew: ({ shares, total }: SeenTotal) => shares.kept === undefined && total <= keptIds,
    /** The page in one statement, if the log has not moved on since the total was counted. */
    read: async (
      db: Db,
      filter: Filter,
      paging: Paging,
      shown: Shown,
      found: SeenTotal,
    ): Promise<RememberedPage | undefined> => {
      const page = pageQuery(filter, paging, found);
      if (!page) return undefined;
      const answer = await readUnmoved(
        db,
        { filter, page, order: paging.order, shown },
        found.shares,
      );
      if (!answer || found.shares.kept || isOrdered(filter)) return answer;
      const { after, limit, offset } = paging;
      const whole =
        answer.rows === limit || (after === undefined && answer.rows === found.total - offset);
      return whole ? answer : undefined;
    },
    ids: async (
      snapshot: Db,
      filter: Filter,
      paging: Paging,
      { shares, sees, total }: SeenTotal,
    ): Promise<number[]> => {
      if (shares.kept) return pageOfKept(seenIds(shares, sees), paging);
      const shown = asSeen(filter, shares);
      const quickest = paging.deep ? await throughProjects(snapshot, shown, shares) : shown;
      return pageByWalking(snapshot, quickest, paging, total, thresholds);
    },
  };
}
