import { type RawBuilder, sql } from 'kysely';
import type { Actor, Db } from '../../../platform/db/database.ts';
import type { Filter } from './filter.ts';

/**
 * Whether an event belongs to the current project of its name, and not to a deleted one. `project` and `id` are the
 * columns of the event. False for a project that has just been deleted.
 */
export const isOfCurrentProject = (
  project: string,
  id: string,
): RawBuilder<boolean> => sql<boolean>`exists (
  select from projects own where own.id = ${sql.ref(project)} and own.first_event_id <= ${sql.ref(id)})`;

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
  (select own.first_event_id from projects own where own.id = ${project})`;

/** The newest event up to an id that a reader may see in the requested projects. 0 if there is none. */
export async function findNewestVisible(
  db: Db,
  { projects, sees }: Filter,
  head: number,
): Promise<number> {
  const names = projects ?? sees ?? [];
  if (names.length === 0) return 0;
  // One look-up in the index per project.
  const { rows } = await sql<{ id: number | null }>`
    select max(last.id) as id
    from projects own cross join lateral (
      select e.id from events e
      where e.project = own.id and e.id >= own.first_event_id and e.id <= ${head}
      order by e.project, e.id desc limit 1
    ) last
    where own.id = any(${names}::text[])`.execute(db);
  return rows[0]?.id ?? 0;
}
