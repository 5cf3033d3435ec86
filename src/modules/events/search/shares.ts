import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../platform/db/database.ts';
import { rangeOf, readIds } from './collected.ts';
import type { Filter } from './filter.ts';
import { hits, namedHits, type Thresholds } from './hits.ts';
import { columnConditions } from './predicate.ts';
import { countInRange, type Range } from './range.ts';

/** The hits in events of one project name: all of them, and those of the project as it is now. */
interface Share {
  readonly all: number;
  readonly own: number;
}

type Project = string | null;

/**
 * How the hits of a filter are shared among projects, up to an id. It says nothing of who asks, so all readers share
 * it, and a new project or role makes nothing of it wrong: what somebody sees is a sum of shares.
 */
export interface Shares {
  readonly anchor: number;
  readonly upTo: number;
  readonly rewrites: number;
  /** All hits, where they were counted. */
  readonly total: number | undefined;
  readonly counts: ReadonlyMap<Project, Share>;
  /** Names in the log whose share was not counted yet; null stands for events without a project. */
  readonly uncounted: ReadonlySet<Project>;
  /** Names that an earlier project had as well. */
  readonly recreated: ReadonlySet<string>;
  /** The hits by id, and the project of each as it is now, while they are few enough to keep. */
  readonly kept?: { readonly ids: readonly number[]; readonly projects: readonly Project[] };
}

const none: Share = { all: 0, own: 0 };

/** How many of the hits somebody sees; undefined while too little is counted. */
export function seenTotal(shares: Shares, sees: ReadonlySet<string>): number | undefined {
  const { total, counts, uncounted, kept } = shares;
  if (kept) return seenIds(shares, sees).length;
  const shareOf = (name: Project) => counts.get(name) ?? none;
  if ([...uncounted].every((name) => name === null || !sees.has(name))) {
    return [...sees].reduce((sum, name) => sum + shareOf(name).own, 0);
  }
  if (total === undefined || hiddenNames(shares, sees).length > 0) return undefined;
  return [...counts].reduce(
    (sum, [name, { all, own }]) => sum - (name !== null && sees.has(name) ? all - own : all),
    total,
  );
}

/** What must be counted to know what is hidden: other projects, and the earlier ones of the same name. */
const hiddenNames = ({ uncounted, recreated }: Shares, sees: ReadonlySet<string>): Project[] =>
  [...uncounted].filter((name) => name === null || !sees.has(name) || recreated.has(name));

const seenIdsOf = new WeakMap<object, { sees: ReadonlySet<string>; ids: readonly number[] }>();

/** The ids that somebody sees, of those that are kept. */
export function seenIds({ kept }: Shares, sees: ReadonlySet<string>): readonly number[] {
  if (!kept) throw new Error('these hits are not kept by id');
  const before = seenIdsOf.get(kept);
  if (before && before.sees.size === sees.size && [...sees].every((id) => before.sees.has(id))) {
    return before.ids;
  }
  const ids = kept.ids.filter((_id, nth) => {
    const project = kept.projects[nth] ?? null;
    return project !== null && sees.has(project);
  });
  seenIdsOf.set(kept, { sees, ids });
  return ids;
}

interface Row {
  readonly project: Project;
  readonly all: number;
  readonly own: number;
}

/**
 * Hits, as rows of id and project, counted by project. Where no name was used twice, each project is looked up once and
 * not for each hit.
 */
async function countByProject(
  db: Db,
  found: RawBuilder<unknown>,
  recreated: ReadonlySet<string>,
): Promise<Row[]> {
  const { rows } =
    recreated.size === 0
      ? await sql<Row>`
          select hit.project, hit.all, case when own.id is null then 0 else hit.all end as own
          from (select project, count(*) as all from (${found}) hit group by project) hit
          left join projects own on own.id = hit.project`.execute(db)
      : await sql<Row>`
          select hit.project, count(*) as all, count(own.id) as own
          from (${found}) hit left join projects own
            on own.id = hit.project and own.first_event_id <= hit.id
          group by hit.project`.execute(db);
  return rows;
}

const withProjects = (found: RawBuilder<unknown>) =>
  sql`select e.id, e.project from events e join (${found}) found using (id)`;

/**
 * The ids of hits, as rows of id and project, with their projects as they are now, ascending; undefined where they are
 * too many to keep.
 */
async function keepIds(
  db: Db,
  found: RawBuilder<unknown>,
  most: number,
): Promise<Shares['kept'] | undefined> {
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

/** The names that projects have after earlier ones; mostly nobody's. */
async function namesakesIn(db: Db, { recreated, anchor }: Range): Promise<ReadonlySet<string>> {
  if (recreated <= anchor) return new Set();
  const rows = await db
    .selectFrom('projects')
    .where('first_event_id', '>', anchor)
    .select('id')
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** Every project that the log tells of, also those that are gone: jumps from name to name along the index. */
async function namesInLog(db: Db): Promise<readonly string[]> {
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

const mapOf = (rows: readonly Row[]): Map<Project, Share> =>
  new Map(rows.map(({ project, all, own }) => [project, { all, own }]));

/** The first count of a filter, for nobody in particular. */
export async function learnShares(db: Db, filter: Filter, thresholds: Thresholds): Promise<Shares> {
  const range = await rangeOf(db, filter);
  const { head: upTo, rewrites, anchor } = range;
  const { keptIds } = thresholds;
  const recreated = await namesakesIn(db, range);
  const nothing = { counts: new Map(), uncounted: new Set<Project>(), total: undefined };
  const base = { anchor, upTo, rewrites, recreated, ...nothing };
  if (filter.text) {
    const { query, expected = 0 } = await hits(db, filter, range, anchor, thresholds);
    // The ids first: joined with the log, a text without hits was looked for in all of it, 14,000 pages more.
    const ids = expected > keptIds ? [] : await readIds(db, query, keptIds + 1);
    const kept =
      ids.length > 0 ? await keepIds(db, eventsWith(ids), keptIds) : { ids: [], projects: [] };
    if (expected <= keptIds && kept) return { ...base, kept };
  } else if (columnConditions(filter).length > 0) {
    const { query } = await hits(db, filter, range, anchor, thresholds, 'projects');
    const counts = mapOf(await countByProject(db, query, recreated));
    const total = [...counts.values()].reduce((sum, { all }) => sum + all, 0);
    const kept = total > keptIds ? undefined : await keepIds(db, query, keptIds);
    return kept ? { ...base, total, counts, kept } : { ...base, total, counts };
  }
  const total = filter.text ? undefined : await countInRange(db, filter, range);
  if (total !== undefined && total <= keptIds) {
    const { query } = await hits(db, filter, range, anchor, thresholds, 'projects');
    const kept = await keepIds(db, query, keptIds);
    if (kept) return { ...base, total, kept };
  }
  return { ...base, total, uncounted: new Set<Project>([null, ...(await namesInLog(db))]) };
}

/** Behind so many events it is as cheap to begin anew. */
const longGap = 100_000;

/** Brings what is known up to date; undefined where history was rewritten, or too much has happened. */
export async function advance(
  db: Db,
  filter: Filter,
  earlier: Shares,
  thresholds: Thresholds,
): Promise<Shares | undefined> {
  const range = await rangeOf(db, filter);
  const { head, rewrites, recreated } = range;
  const { upTo } = earlier;
  if (earlier.rewrites !== rewrites || head - upTo > longGap || head < upTo) return undefined;
  const remaining = withoutRemoved(earlier, range.anchor);
  if (!remaining || head === upTo) return remaining;
  const shares = recreated > upTo ? await forgetNamesakes(db, remaining) : remaining;
  const { query } = await hits(db, filter, range, upTo, thresholds);
  const rows = await countByProject(db, withProjects(query), shares.recreated);
  const counts = new Map(shares.counts);
  for (const { project, all, own } of rows) {
    if (shares.uncounted.has(project)) continue;
    const before = counts.get(project) ?? none;
    counts.set(project, { all: before.all + all, own: before.own + own });
  }
  const added = rows.reduce((sum, { all }) => sum + all, 0);
  const next = {
    ...shares,
    upTo: head,
    counts,
    total: shares.total === undefined ? undefined : shares.total + added,
  };
  if (!shares.kept || added === 0) return next;
  const more = await keepIds(db, withProjects(query), thresholds.keptIds - shares.kept.ids.length);
  return (
    more && {
      ...next,
      kept: {
        ids: shares.kept.ids.concat(more.ids),
        projects: shares.kept.projects.concat(more.projects),
      },
    }
  );
}

/**
 * What is left where retention removed the oldest events: of hits that are kept by id, the later ones. Counts, which
 * are not looked at while the hits are kept, have to be made anew.
 */
function withoutRemoved(shares: Shares, anchor: number): Shares | undefined {
  if (shares.anchor === anchor) return shares;
  const { kept } = shares;
  if (!kept) return undefined;
  const removed = kept.ids.filter((id) => id <= anchor).length;
  return {
    ...shares,
    anchor,
    kept: { ids: kept.ids.slice(removed), projects: kept.projects.slice(removed) },
  };
}

/** Projects that took the name of another since: what was theirs belongs to administrators now. */
async function forgetNamesakes(db: Db, shares: Shares): Promise<Shares> {
  const rows = await db
    .selectFrom('projects')
    .where('first_event_id', '>', shares.upTo)
    .select('id')
    .execute();
  const gone = new Set<Project>(rows.map(({ id }) => id));
  const { kept } = shares;
  return {
    ...shares,
    recreated: new Set([...shares.recreated, ...rows.map(({ id }) => id)]),
    counts: new Map(
      [...shares.counts].map(([name, share]) => [
        name,
        gone.has(name) ? { ...share, own: 0 } : share,
      ]),
    ),
    ...(kept && {
      kept: {
        ids: kept.ids,
        projects: kept.projects.map((name) => (gone.has(name) ? null : name)),
      },
    }),
  };
}

const samples = 100;

/** What part of the events somebody sees, judged by a hundred of them. */
async function seenPart(db: Db, { low, high }: Range, sees: ReadonlySet<string>): Promise<number> {
  const step = Math.max(1, (high - low) / samples);
  const ids = Array.from({ length: samples }, (_, nth) => Math.ceil(low + 1 + nth * step));
  const { rows } = await sql<{ part: number | null }>`
    select avg((project = any(${[...sees]}::text[]))::int)::float8 as part
    from events where id = any(${ids}::bigint[])`.execute(db);
  return rows[0]?.part ?? 0;
}

/**
 * Counts the shares that somebody's total lacks: of what they see, or of what is hidden from them and of everything,
 * whichever is less to read. Where nothing is hidden that is nothing.
 */
export async function countFor(
  db: Db,
  filter: Filter,
  shares: Shares,
  sees: ReadonlySet<string>,
  thresholds: Thresholds,
): Promise<Shares> {
  if (seenTotal(shares, sees) !== undefined) return shares;
  const range = await rangeOf(db, filter);
  const part = await seenPart(db, range, sees);
  const bySight = part < 0.5;
  const names = bySight
    ? [...shares.uncounted].filter((name) => name !== null && sees.has(name))
    : hiddenNames(shares, sees);
  const found = await namedHits(db, filter, range, {
    names,
    part: bySight ? part : 1 - part,
    thresholds,
  });
  const rows = await countByProject(db, found, shares.recreated);
  const counts = new Map([...shares.counts, ...mapOf(rows)]);
  const uncounted = new Set(shares.uncounted);
  for (const name of names) uncounted.delete(name);
  const total =
    bySight || shares.total !== undefined
      ? shares.total
      : await countAll(db, filter, range, thresholds);
  return { ...shares, counts, uncounted, total };
}

async function countAll(db: Db, filter: Filter, range: Range, thresholds: Thresholds) {
  const { query } = await hits(db, filter, range, range.anchor, thresholds);
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (${query}) hit`.execute(db);
  return rows[0]?.count ?? 0;
}

/** The filter for pages: without a look at each project where none of those seen has the name of another. */
export const asSeen = (filter: Filter, { recreated }: Shares): Filter => {
  const { ownOnly: _ownOnly, ...rest } = filter;
  return filter.sees?.some((id) => recreated.has(id)) ? filter : rest;
};
