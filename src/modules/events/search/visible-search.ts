import { type RawBuilder, sql } from 'kysely';
import type { Db, ReadSnapshot } from '../../../platform/db/database.ts';
import { createSingleFlight } from '../../../platform/single-flight.ts';
import type { EventFieldVisibility } from '../event-json.ts';
import { type PageRows, readIfUnchanged } from './cached-page.ts';
import { createCountCache } from './count-cache.ts';
import { type Filter, type Paging, withoutVisibility } from './filter.ts';
import type { Thresholds } from './hits.ts';
import { isOrdered, pageIds } from './ordered.ts';
import { expectedRange, findPageIds, fromNearerEnd, pageOfIds } from './pages.ts';
import {
  advanceProjectCounts,
  countMissing,
  createProjectCounts,
  listVisibleIds,
  type ProjectCounts,
  skipProjectCheck,
  sumVisible,
} from './project-counts.ts';
import { isTimed, wholeLog } from './range.ts';

/** A total for one reader, and the counts that it is the sum of. */
export interface VisibleTotal {
  readonly projectCounts: ProjectCounts;
  readonly sees: ReadonlySet<string>;
  readonly total: number;
}

/** If a reader sees less than this share of the log, searching by project is faster than scanning the log. */
const sparseShare = 0.25;
const maxBranches = 20;

/**
 * Totals and pages for readers who do not see all projects. The cache has the hits of a filter per project, which all
 * readers share. Each reader's total is the sum over the projects they see.
 */
export function createVisibleSearch(
  readSnapshot: ReadSnapshot,
  thresholds: Thresholds,
  queueCount: <Result>(filter: Filter, work: () => Promise<Result>) => Promise<Result>,
) {
  const totals = createCountCache<ProjectCounts>(
    ({ cachedHits, counts, uncounted }) =>
      (cachedHits?.ids.length ?? 0) * 2 + counts.size + uncounted.size,
  );
  const firstCounts = createSingleFlight<string, VisibleTotal>();
  const { maxCachedIds } = thresholds;

  const totalFrom = (
    projectCounts: ProjectCounts,
    sees: ReadonlySet<string>,
  ): VisibleTotal | undefined => {
    const total = sumVisible(projectCounts, sees);
    return total === undefined ? undefined : { projectCounts, sees, total };
  };

  /** Brings the cached counts up to date in the snapshot, and counts what is missing. */
  async function updateTotal(snapshot: Db, filter: Filter): Promise<VisibleTotal> {
    const unrestricted = withoutVisibility(filter);
    const key = JSON.stringify(unrestricted);
    const sees = new Set(filter.sees);
    const earlier = totals.get(key);
    const current =
      (earlier && (await advanceProjectCounts(snapshot, unrestricted, earlier, thresholds))) ??
      (await createProjectCounts(snapshot, unrestricted, thresholds));
    const projectCounts = await countMissing(snapshot, unrestricted, current, sees, thresholds);
    totals.set(key, projectCounts);
    const found = totalFrom(projectCounts, sees);
    if (!found) throw new Error('a total is missing after it was counted');
    return found;
  }

  /** The first count for a reader. Concurrent requests share it, and only a few counts run at a time. */
  const countOnce = (filter: Filter): Promise<VisibleTotal> =>
    firstCounts.join(JSON.stringify(filter), () =>
      queueCount(filter, () =>
        readSnapshot(async (snapshot) => {
          await sql`set local max_parallel_workers_per_gather = 1`.execute(snapshot);
          return updateTotal(snapshot, filter);
        }),
      ),
    );

  /** The same hits, found by project if the reader sees few of them. */
  const filterByProjects = (filter: Filter, { total, projectCounts }: VisibleTotal): Filter => {
    const { sees = [], ...rest } = filter;
    const bare = Object.keys(withoutVisibility(filter)).every((name) =>
      /^(since|until)$/.test(name),
    );
    const few = total < sparseShare * (projectCounts.total ?? Number.POSITIVE_INFINITY);
    return bare && few && sees.length <= maxBranches ? { ...rest, projects: sees } : filter;
  };

  /**
   * The same hits, found by project if the reader sees little of the log. Scanning the log for a deep page of a word in
   * every event took a member of one of 20 projects 0.44 s.
   */
  async function findThroughProjects(
    snapshot: Db,
    filter: Filter,
    projectCounts: ProjectCounts,
  ): Promise<Filter> {
    const { sees, ...rest } = filter;
    if (!sees || sees.length > maxBranches) return filter;
    const all = await updateTotal(snapshot, { sees, currentProjectsOnly: true });
    return all.total < sparseShare * (projectCounts.upTo - projectCounts.anchor)
      ? { ...rest, projects: sees }
      : filter;
  }

  /** The ids of the page as a query. Undefined if it takes more than one statement. */
  function pageQuery(
    filter: Filter,
    paging: Paging,
    found: VisibleTotal,
  ): RawBuilder<unknown> | undefined {
    const { projectCounts, sees, total } = found;
    const { order, offset, limit } = paging;
    if (projectCounts.cachedHits) {
      return sql`select unnest(${pageOfIds(listVisibleIds(projectCounts, sees), paging)}::bigint[]) as id`;
    }
    if (isOrdered(filter)) {
      return pageIds(
        filterByProjects(skipProjectCheck(filter, projectCounts), found),
        paging.deep ? fromNearerEnd(paging, total) : paging,
      );
    }
    if (paging.deep || isTimed(filter)) return undefined;
    const { anchor, upTo: head, rewrites } = projectCounts;
    const log = wholeLog({ anchor, head, rewrites, recreated: 0 });
    return sql`select e.id from ${expectedRange(skipProjectCheck(filter, projectCounts), paging, log, total)}
      order by e.id ${sql.raw(order)} offset ${offset} limit ${limit}`;
  }

  return {
    /** The cached total, or the first count. */
    getTotal: async (filter: Filter): Promise<VisibleTotal> => {
      const projectCounts = totals.get(JSON.stringify(withoutVisibility(filter)));
      return (projectCounts && totalFrom(projectCounts, new Set(filter.sees))) ?? countOnce(filter);
    },
    updateTotal,
    /** Whether the reader sees so few of many hits that caching their ids for this reader pays off. */
    areFew: ({ projectCounts, total }: VisibleTotal) =>
      projectCounts.cachedHits === undefined && total <= maxCachedIds,
    /** The page in one statement, if the log has not changed since the total was counted. */
    read: async (
      db: Db,
      filter: Filter,
      paging: Paging,
      visibility: EventFieldVisibility,
      found: VisibleTotal,
    ): Promise<PageRows | undefined> => {
      const page = pageQuery(filter, paging, found);
      if (!page) return undefined;
      const answer = await readIfUnchanged(
        db,
        { filter, page, order: paging.order, visibility },
        found.projectCounts,
      );
      if (!answer || found.projectCounts.cachedHits || isOrdered(filter)) return answer;
      const { after, limit, offset } = paging;
      const isComplete =
        answer.rows === limit || (after === undefined && answer.rows === found.total - offset);
      return isComplete ? answer : undefined;
    },
    ids: async (
      snapshot: Db,
      filter: Filter,
      paging: Paging,
      { projectCounts, sees, total }: VisibleTotal,
    ): Promise<number[]> => {
      if (projectCounts.cachedHits) return pageOfIds(listVisibleIds(projectCounts, sees), paging);
      const pageFilter = skipProjectCheck(filter, projectCounts);
      const quickest = paging.deep
        ? await findThroughProjects(snapshot, pageFilter, projectCounts)
        : pageFilter;
      return findPageIds(snapshot, quickest, paging, total, thresholds);
    },
  };
}
