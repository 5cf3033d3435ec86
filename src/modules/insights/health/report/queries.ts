import { sql } from 'kysely';
import type { Db } from '../../../../platform/db/database.ts';
import { retentionSetting } from '../../../events/index.ts';
import { milliseconds } from '../rating/queries.ts';

/** The state of everything that the report of a project depends on, except the time. */
export interface Revision {
  /** Id of the last event. */
  readonly head: number;
  /** How often the log was rewritten: an erasure changes names. */
  readonly rewrites: number;
  /**
   * The sum of all times at which features were last seen, and how many stages they have entered. SDKs change both
   * without an event, and both only grow.
   */
  readonly seen: string;
}

/** The removal of old events, which is recorded every hour, changes no report. */
const isRetention = sql`coalesce(e.type = 'setting-updated' and e.data->>'id' = ${retentionSetting}, false)`;

/** After more events than this the report is made again, without a look at each of them. */
const maxNewEvents = 1_000;

const firstRevision: Revision = { head: 0, rewrites: 0, seen: '' };

/**
 * The revision of a project now, and whether an event since the known revision concerns it. These are the project's own
 * events, those that belong to no project, and those of features that move, which name only the project they move to.
 * A log that became shorter is another log: somebody restored a copy of the database.
 */
export async function readRevision(
  db: Db,
  project: string,
  known: Revision = firstRevision,
): Promise<Revision & { readonly touched: boolean }> {
  // The order and the limit keep every plan from reading the whole log, which took 1.4 ms with 8,000 events.
  const { rows } = await sql<Revision & { touched: boolean }>`
    select log.*, log.head < ${known.head} or log.head - ${known.head}::bigint > ${maxNewEvents} or exists (
      select from (
        select project, type, data from events where id > ${known.head} order by id limit ${maxNewEvents}
      ) e
      where (e.project is null and not ${isRetention}) or e.project = ${project} or e.type = 'feature-project-change'
    ) as touched
    from (
      select coalesce((select max(id) from events), event_log.anchor_id) as head, event_log.rewrites, (
        select coalesce(sum(${milliseconds('s.last_seen_at')}), 0)::text
        from features f join project_environments own on own.project = f.project
        join feature_environments s on s.feature_name = f.name and s.environment = own.environment
        where f.project = ${project} and f.archived_at is null and s.last_seen_at is not null
      ) || ' ' || (
        select count(*)
        from features f join feature_lifecycles c on c.feature_name = f.name
        where f.project = ${project} and f.archived_at is null
      ) as seen
      from event_log
    ) log`.execute(db);
  return rows[0] as Revision & { touched: boolean };
}

/** What a caller marked as a favourite: names of features of the project, and the project itself. */
export interface Favorites {
  readonly features: readonly string[];
  readonly project: boolean;
}

export async function readFavorites(db: Db, project: string, userId: number): Promise<Favorites> {
  const { rows } = await sql<Favorites>`
    select array(
        select f.name from feature_favorites mine join features f on f.name = mine.feature_name
        where mine.user_id = ${userId} and f.project = ${project} and f.archived_at is null
        order by f.name
      ) as features,
      exists (
        select from project_favorites mine where mine.project = ${project} and mine.user_id = ${userId}
      ) as project`.execute(db);
  return rows[0] as Favorites;
}
