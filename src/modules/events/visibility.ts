import { type RawBuilder, sql } from 'kysely';
import type { Actor } from '../../platform/actor.ts';
import type { Db } from '../../platform/db/database.ts';
import type { EventFieldVisibility } from './event-json.ts';
import { type Filter, isLimitedToVisible } from './search/filter.ts';

/**
 * Whether an event belongs to the current project of its name, and not to a deleted one. `project` and `id` are the
 * columns of the event. False for a project that has just been deleted.
 */
export const isOfCurrentProject = (
  project: string,
  id: string,
): RawBuilder<boolean> => sql<boolean>`exists (
  select from projects p where p.id = ${sql.ref(project)} and p.first_event_id <= ${sql.ref(id)})`;

/**
 * Whether an actor may see an event: its project must be a current one that they see. Events without a project, and
 * those of deleted projects whose name was used again, are for administrators.
 */
export const isEventVisible = (
  sees: Actor['sees'],
  project: string,
  id: string,
): RawBuilder<boolean> =>
  sees === 'all'
    ? sql<boolean>`true`
    : sql<boolean>`(${sql.ref(project)} = any(${[...sees]}::text[]) and ${isOfCurrentProject(project, id)})`;

/** The first event of the current project of this name. */
export const firstEventIdOf = (project: string): RawBuilder<number> => sql<number>`
  (select p.first_event_id from projects p where p.id = ${project})`;

/** The newest event up to an id that belongs to one of these current projects. 0 if there is none. */
export async function findNewestVisible(
  db: Db,
  projects: readonly string[],
  head: number,
): Promise<number> {
  if (projects.length === 0) return 0;
  // One look-up in the index per project.
  const { rows } = await sql<{ id: number | null }>`
    select max(last.id) as id
    from projects p cross join lateral (
      select e.id from events e
      where e.project = p.id and e.id >= p.first_event_id and e.id <= ${head}
      order by e.project, e.id desc limit 1
    ) last
    where p.id = any(${projects}::text[])`.execute(db);
  return rows[0]?.id ?? 0;
}

/**
 * The events that a reader may not see, if a filter is limited by nothing else and they belong to fewer projects than
 * the visible ones: then all hits minus the hidden ones are counted faster. Needs the snapshot of the count.
 */
export async function findFewerHidden(
  db: Db,
  filter: Filter,
): Promise<RawBuilder<unknown> | undefined> {
  if (!isLimitedToVisible(filter)) return undefined;
  const { projects = [] } = filter;
  const visible = new Set(projects);
  const hidden = (await listProjectsInLog(db)).filter((name) => !visible.has(name));
  if (hidden.length >= visible.size) return undefined;
  // Of other projects, of none, and of earlier projects of the same name. `offset 0` keeps PostgreSQL from joining the
  // whole log: it cannot know that hardly any name was used twice.
  return sql`
    select id from events where project = any(${hidden}::text[])
    union all select id from events where project is null
    union all select earlier.id from projects p cross join lateral (
      select e.id from events e
      where e.project = p.id and e.id < p.first_event_id offset 0
    ) earlier
    where p.id = any(${projects}::text[])`;
}

/** Jumps from name to name along the index. */
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

export const isAdministrator = (actor: Actor): boolean => actor.may('ADMIN');

/** Addresses are for administrators. */
export const fieldVisibilityFor = (actor: Actor): EventFieldVisibility => ({
  ip: isAdministrator(actor),
  proof: false,
});
