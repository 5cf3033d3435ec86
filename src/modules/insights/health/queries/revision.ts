import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../../platform/db/database.ts';
import { retentionSetting } from '../../../events/index.ts';
import { milliseconds } from './text.ts';

/** The state of everything that a report is made of, but for the time. */
export interface Revision {
  /** The last event. */
  readonly head: number;
  /** How often the log was lawfully rewritten: names can be gone. */
  readonly rewrites: number;
  /** How often it was written anywhere when features were last seen, and which stage that led to: no events. */
  readonly marks: number;
}

/** What a caller has as favourites in a project: names of features with blanks between them, and the project. */
export interface Favorites {
  readonly features: string;
  readonly project: boolean;
}

const head = sql<number>`coalesce((select max(id) from events), event_log.anchor_id)`;

export const revisionColumns: RawBuilder<Revision> = sql`
  (select ${head} from event_log) as head,
  (select rewrites from event_log) as rewrites,
  (select sum(mark)::bigint from seen_marks) as marks`;

export const favoriteColumns = (project: string, userId: number): RawBuilder<unknown> => sql`
  coalesce((
    select string_agg(f.name, ' ' order by f.name)
    from feature_favorites mine join features f on f.name = mine.feature_name
    where mine.user_id = ${userId} and f.project = ${project} and f.archived_at is null
  ), '') as "favoriteFeatures",
  exists (
    select from project_favorites mine where mine.project = ${project} and mine.user_id = ${userId}
  ) as "favoriteProject"`;

export interface FavoriteRows {
  readonly favoriteFeatures: string;
  readonly favoriteProject: boolean;
}

export const favoritesOf = ({ favoriteFeatures, favoriteProject }: FavoriteRows): Favorites => ({
  features: favoriteFeatures,
  project: favoriteProject,
});

/** That old events were removed, which is told every hour, changes no report. */
const isRetention = sql`coalesce(e.type = 'setting-updated' and e.data->>'id' = ${retentionSetting}, false)`;

/** More than that are not looked through: it is as if one of them concerned the project. */
const maxNewEvents = 1_000;

/**
 * Where the project stands, and whether one of the events since the last look concerns it: its own, those
 * of what all projects share, and those of features that move, which tell only where to. A log that is shorter
 * than it was is another one: somebody has put back a copy of the database.
 */
export async function readRevision(
  db: Db,
  project: string,
  known: Revision,
): Promise<Revision & { readonly touched: boolean }> {
  // In order and with an end, so that no plan reads the whole log for them: that took 1.4 ms of 8,000 events.
  const { rows } = await sql<Revision & { touched: boolean }>`
    select log.*, log.head < ${known.head} or log.head - ${known.head}::bigint > ${maxNewEvents} or exists (
      select from (
        select project, type, data from events where id > ${known.head} order by id limit ${maxNewEvents}
      ) e
      where (e.project is null and not ${isRetention}) or e.project = ${project} or e.type = 'feature-project-change'
    ) as touched
    from (select ${revisionColumns}) log`.execute(db);
  return rows[0] as Revision & { touched: boolean };
}

/**
 * All times at which features of the project were last seen, as a sum, and how many stages they have entered:
 * without an event each of them only grows.
 */
export const seenSumOf = (seen: bigint | string, stages: number): string => `${seen} ${stages}`;

export async function readSeenSum(db: Db, project: string): Promise<string> {
  const { rows } = await sql<{ seen: string; stages: number }>`
    select coalesce(sum(${milliseconds('s.last_seen_at')}), 0) as seen, (
        select count(*) from feature_lifecycles c
        where c.feature_name in (select name from features where project = ${project} and archived_at is null)
      ) as stages
    from features f join project_environments own on own.project = f.project
    join feature_environments s on s.feature_name = f.name and s.environment = own.environment
    where f.project = ${project} and f.archived_at is null and s.last_seen_at is not null`.execute(
    db,
  );
  const { seen, stages } = rows[0] as { seen: string; stages: number };
  return seenSumOf(seen, stages);
}

export async function readFavorites(db: Db, project: string, userId: number): Promise<Favorites> {
  const { rows } = await sql<FavoriteRows>`
    select ${favoriteColumns(project, userId)}`.execute(db);
  return favoritesOf(rows[0] as FavoriteRows);
}
