import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../platform/db/database.ts';
import { findRange, readIds } from './collected.ts';
import type { Filter } from './filter.ts';
import { hits, hitsInProjects, type Thresholds } from './hits.ts';
import { columnConditions } from './predicate.ts';
import { countInRange, type Range } from './range.ts';

/** The hits in events with one project name: all of them, and those of the current project of this name. */
interface ProjectCount {
  readonly all: number;
  readonly current: number;
}

type Project = string | null;

/**
 * The hits of a filter per project, up to an id. It does not depend on the reader, so that all readers share it and new
 * projects or roles do not invalidate it. The total of a reader is a sum over the projects they see.
 */
export interface ProjectCounts {
  readonly anchor: number;
  readonly upTo: number;
  readonly rewrites: number;
  /** All hits, if they were counted. */
  readonly total: number | undefined;
  readonly counts: ReadonlyMap<Project, ProjectCount>;
  /** Names in the log that were not counted yet. Null stands for events without a project. */
  readonly uncounted: ReadonlySet<Project>;
  /** Names that an earlier, deleted project also had. */
  readonly recreated: ReadonlySet<string>;
  /** The ids of the hits, and the current project of each, if they are few enough to cache. */
  readonly cachedHits?: { readonly ids: readonly number[]; readonly projects: readonly Project[] };
}

const none: ProjectCount = { all: 0, current: 0 };

/** The number of hits that a reader sees. Undefined if too few projects are counted. */
export function sumVisible(
  projectCounts: ProjectCounts,
  sees: ReadonlySet<string>,
): number | undefined {
  const { total, counts, uncounted, cachedHits } = projectCounts;
  if (cachedHits) return listVisibleIds(projectCounts, sees).length;
  const countsOf = (name: Project) => counts.get(name) ?? none;
  if ([...uncounted].every((name) => name === null || !sees.has(name))) {
    return [...sees].reduce((sum, name) => sum + countsOf(name).current, 0);
  }
  if (total === undefined || hiddenNames(projectCounts, sees).length > 0) return undefined;
  return [...counts].reduce(
    (sum, [name, { all, current }]) =>
      sum - (name !== null && sees.has(name) ? all - current : all),
    total,
  );
}

/** The names to count for the number of hidden hits: other projects, and earlier projects of the same name. */
const hiddenNames = (
  { uncounted, recreated }: ProjectCounts,
  sees: ReadonlySet<string>,
): Project[] =>
  [...uncounted].filter((name) => name === null || !sees.has(name) || recreated.has(name));

const visibleIdsCache = new WeakMap<
  object,
  { sees: ReadonlySet<string>; ids: readonly number[] }
>();

/** The cached ids that a reader sees. */
export function listVisibleIds(
  { cachedHits }: ProjectCounts,
  sees: ReadonlySet<string>,
): readonly number[] {
  if (!cachedHits) throw new Error('these hits are not kept by id');
  const before = visibleIdsCache.get(cachedHits);
  if (before && before.sees.size === sees.size && [...sees].every((id) => before.sees.has(id))) {
    return before.ids;
  }
  const ids = cachedHits.ids.filter((_id, index) => {
    const project = cachedHits.projects[index] ?? null;
    return project !== null && sees.has(project);
  });
  visibleIdsCache.set(cachedHits, { sees, ids });
  return ids;
}

interface Row {
  readonly project: Project;
  readonly all: number;
  readonly current: number;
}

/**
 * Counts hits, given as rows of id and project, by project. If no name was used twice, each project is looked up once
 * instead of once per hit.
 */
async function countByProject(
  db: Db,
  found: RawBuilder<unknown>,
  recreated: ReadonlySet<string>,
): Promise<Row[]> {
  const { rows } =
    recreated.size === 0
      ? await sql<Row>`
          select hit.project, hit.all, case when own.id is null then 0 else hit.all end as current
          from (select project, count(*) as all from (${found}) hit group by project) hit
          left join projects own on own.id = hit.project`.execute(db)
      : await sql<Row>`
          select hit.project, count(*) as all, count(own.id) as current
          from (${found}) hit left join projects own
            on own.id = hit.project and own.first_event_id <= hit.id
          group by hit.project`.execute(db);
  return rows;
}

const withProjects = (found: RawBuilder<unknown>) =>
  sql`select e.id, e.project from events e join (${found}) found using (id)`;

/** The ids of hits with their current projects, ascending. Undefined if there are too many to cache. */
async function readHitsWithProjects(
  db: Db,
  found: RawBuilder<unknown>,
  most: number,
): Promise<ProjectCounts['cachedHits'] | undefined> {
  const { rows } = await sql<{ id: number; project: Project }>`
    select hit.id, own.id as project
    from (select id, project from (${found}) some_hits limit ${most + 1}) hit
    left join projects own on own.id = hit.project and own.first_event_id <= hit.id
    order by hit.id`.execute(db);
  if (rows.length > most) return undefined;
  return { ids: rows.map(({ id }) => id), projects: rows.map(({ project }) => project) };
}

const eventsWith = (ids: readonly number[]) =>
  sql`select e.id, e.project from events e where e.id = any(${ids}::bigint[])`;

/** The names that were used again. Usually there are none. */
async function listRecreatedNames(
  db: Db,
  { recreated, anchor }: Range,
): Promise<ReadonlySet<string>> {
  if (recreated <= anchor) return new Set();
  const rows = await db
    .selectFrom('projects')
    .where('first_event_id', '>', anchor)
    .select('id')
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** All project names in the log, including deleted projects. Jumps from name to name along the index. */
async function listProjectsInLog(db: Db): Promise<readonly string[]> {
  const { rows } = await sql<{ project: string }>`
    with recursive names as (
      (select project from events where project is not null order by project limit 1)
      union all
      select (select e.project from events e where e.project > n.project order by e.project limit 1)
      from names n where n.project is not null
    )
    select project from names where project is not null`.execute(db);
  return rows.map(({ project }) => project);
}

const toMap = (rows: readonly Row[]): Map<Project, ProjectCount> =>
  new Map(rows.map(({ project, all, current }) => [project, { all, current }]));

/** The first count of a filter, independent of the reader. */
export async function createProjectCounts(
  db: Db,
  filter: Filter,
  thresholds: Thresholds,
): Promise<ProjectCounts> {
  const range = await findRange(db, filter);
  const { head: upTo, rewrites, anchor } = range;
  const { maxCachedIds } = thresholds;
  const recreated = await listRecreatedNames(db, range);
  const nothing = { counts: new Map(), uncounted: new Set<Project>(), total: undefined };
  const base = { anchor, upTo, rewrites, recreated, ...nothing };
  if (filter.text) {
    const { query, expected = 0 } = await hits(db, filter, range, anchor, thresholds);
    // Read the ids first: a join with the log made a text without hits read 14,000 more pages.
    const ids = expected > maxCachedIds ? [] : await readIds(db, query, maxCachedIds + 1);
    const cachedHits =
      ids.length > 0
        ? await readHitsWithProjects(db, eventsWith(ids), maxCachedIds)
        : { ids: [], projects: [] };
    if (expected <= maxCachedIds && cachedHits) return { ...base, cachedHits };
  } else if (columnConditions(filter).length > 0) {
    const { query } = await hits(db, filter, range, anchor, thresholds, 'projects');
    const counts = toMap(await countByProject(db, query, recreated));
    const total = [...counts.values()].reduce((sum, { all }) => sum + all, 0);
    const cachedHits =
      total > maxCachedIds ? undefined : await readHitsWithProjects(db, query, maxCachedIds);
    return cachedHits ? { ...base, total, counts, cachedHits } : { ...base, total, counts };
  }
  const total = filter.text ? undefined : await countInRange(db, filter, range);
  if (total !== undefined && total <= maxCachedIds) {
    const { query } = await hits(db, filter, range, anchor, thresholds, 'projects');
    const cachedHits = await readHitsWithProjects(db, query, maxCachedIds);
    if (cachedHits) return { ...base, total, cachedHits };
  }
  return { ...base, total, uncounted: new Set<Project>([null, ...(await listProjectsInLog(db))]) };
}

/** After so many events counting from the start costs the same. */
const longGap = 100_000;

/** Brings cached counts up to date. Undefined if the log was rewritten, or too much has happened since. */
export async function advanceProjectCounts(
  db: Db,
  filter: Filter,
  earlier: ProjectCounts,
  thresholds: Thresholds,
): Promise<ProjectCounts | undefined> {
  const range = await findRange(db, filter);
  const { head, rewrites, recreated } = range;
  const { upTo } = earlier;
  if (earlier.rewrites !== rewrites || head - upTo > longGap || head < upTo) return undefined;
  const remaining = dropRemovedHits(earlier, range.anchor);
  if (!remaining || head === upTo) return remaining;
  const projectCounts = recreated > upTo ? await dropRecreated(db, remaining) : remaining;
  const { query } = await hits(db, filter, range, upTo, thresholds);
  const rows = await countByProject(db, withProjects(query), projectCounts.recreated);
  const counts = new Map(projectCounts.counts);
  for (const { project, all, current } of rows) {
    if (projectCounts.uncounted.has(project)) continue;
    const before = counts.get(project) ?? none;
    counts.set(project, { all: before.all + all, current: before.current + current });
  }
  const added = rows.reduce((sum, { all }) => sum + all, 0);
  const next = {
    ...projectCounts,
    upTo: head,
    counts,
    total: projectCounts.total === undefined ? undefined : projectCounts.total + added,
  };
  if (!projectCounts.cachedHits || added === 0) return next;
  const more = await readHitsWithProjects(
    db,
    withProjects(query),
    thresholds.maxCachedIds - projectCounts.cachedHits.ids.length,
  );
  return (
    more && {
      ...next,
      cachedHits: {
        ids: projectCounts.cachedHits.ids.concat(more.ids),
        projects: projectCounts.cachedHits.projects.concat(more.projects),
      },
    }
  );
}

/**
 * What stays valid after retention removed the oldest events: the later ones of the cached hits. Without cached hits
 * the counts have to be made again.
 */
function dropRemovedHits(projectCounts: ProjectCounts, anchor: number): ProjectCounts | undefined {
  if (projectCounts.anchor === anchor) return projectCounts;
  const { cachedHits } = projectCounts;
  if (!cachedHits) return undefined;
  const removed = cachedHits.ids.filter((id) => id <= anchor).length;
  return {
    ...projectCounts,
    anchor,
    cachedHits: {
      ids: cachedHits.ids.slice(removed),
      projects: cachedHits.projects.slice(removed),
    },
  };
}

/** Takes away the hits of deleted projects whose name was used again. Only administrators see them now. */
async function dropRecreated(db: Db, projectCounts: ProjectCounts): Promise<ProjectCounts> {
  const rows = await db
    .selectFrom('projects')
    .where('first_event_id', '>', projectCounts.upTo)
    .select('id')
    .execute();
  const recreatedNames = new Set<Project>(rows.map(({ id }) => id));
  const { cachedHits } = projectCounts;
  return {
    ...projectCounts,
    recreated: new Set([...projectCounts.recreated, ...rows.map(({ id }) => id)]),
    counts: new Map(
      [...projectCounts.counts].map(([name, share]) => [
        name,
        recreatedNames.has(name) ? { ...share, current: 0 } : share,
      ]),
    ),
    ...(cachedHits && {
      cachedHits: {
        ids: cachedHits.ids,
        projects: cachedHits.projects.map((name) => (recreatedNames.has(name) ? null : name)),
      },
    }),
  };
}

const samples = 100;

/** Estimates from 100 events which share of the log a reader sees. */
async function estimateVisibleShare(
  db: Db,
  { low, high }: Range,
  sees: ReadonlySet<string>,
): Promise<number> {
  const step = Math.max(1, (high - low) / samples);
  const ids = Array.from({ length: samples }, (_, index) => Math.ceil(low + 1 + index * step));
  const { rows } = await sql<{ part: number | null }>`
    select avg((project = any(${[...sees]}::text[]))::int)::float8 as part
    from events where id = any(${ids}::bigint[])`.execute(db);
  return rows[0]?.part ?? 0;
}

/**
 * Counts the projects that a reader's total still needs: the visible ones, or the hidden ones and everything, whichever
 * is less to read.
 */
export async function countMissing(
  db: Db,
  filter: Filter,
  projectCounts: ProjectCounts,
  sees: ReadonlySet<string>,
  thresholds: Thresholds,
): Promise<ProjectCounts> {
  if (sumVisible(projectCounts, sees) !== undefined) return projectCounts;
  const range = await findRange(db, filter);
  const part = await estimateVisibleShare(db, range, sees);
  const countVisible = part < 0.5;
  const names = countVisible
    ? [...projectCounts.uncounted].filter((name) => name !== null && sees.has(name))
    : hiddenNames(projectCounts, sees);
  const found = await hitsInProjects(db, filter, range, {
    names,
    part: countVisible ? part : 1 - part,
    thresholds,
  });
  const rows = await countByProject(db, found, projectCounts.recreated);
  const counts = new Map([...projectCounts.counts, ...toMap(rows)]);
  const uncounted = new Set(projectCounts.uncounted);
  for (const name of names) uncounted.delete(name);
  const total =
    countVisible || projectCounts.total !== undefined
      ? projectCounts.total
      : await countAll(db, filter, range, thresholds);
  return { ...projectCounts, counts, uncounted, total };
}

async function countAll(db: Db, filter: Filter, range: Range, thresholds: Thresholds) {
  const { query } = await hits(db, filter, range, range.anchor, thresholds);
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (${query}) hit`.execute(db);
  return rows[0]?.count ?? 0;
}

/** The filter for pages. It needs no check of projects if no visible project has a name that was used twice. */
export const skipProjectCheck = (filter: Filter, { recreated }: ProjectCounts): Filter => {
  const { currentProjectsOnly: _currentProjectsOnly, ...rest } = filter;
  return filter.sees?.some((id) => recreated.has(id)) ? filter : rest;
};
