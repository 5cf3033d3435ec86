import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../../platform/db/database.ts';
import { firstEventIdOf } from '../../../events/index.ts';
import { type Aging, windowMs } from './rating.ts';

export const milliseconds = (column: string): RawBuilder<number> =>
  sql.raw(`(date_part('epoch', ${column}) * 1000)::bigint`);

/** The data from which a project's rating is computed. Instants are in milliseconds. */
export interface AgingRows {
  readonly features: Aging['features'];
  /** When each active user with a role in the project got the first one. */
  readonly joined: readonly number[];
  /** By name. */
  readonly releases: Aging['releases'];
  /** The events since the beginning of each window. */
  readonly sinceCurrent: EventCount;
  /** Only up to the day on which the current window begins. Later events are in the other count. */
  readonly sincePast: EventCount;
}

interface EventCount {
  /** The events of the day on which the window begins, and the first of them. */
  readonly sameDay: number;
  readonly first: number | null;
  /** The events of later days. */
  readonly later: number;
}

const beginOfCurrent = (now: Date) => new Date(now.getTime() - windowMs);
const beginOfPast = (now: Date) => new Date(now.getTime() - 2 * windowMs);

/** The ids of the days on which the windows begin. Days overlap by a few ids at midnight. */
export function daysCte(now: Date): RawBuilder<unknown> {
  const first = (instant: Date) =>
    sql`(select min(first_id) from event_days where day >= ${dayOf(instant)}::date)`;
  const last = (instant: Date) =>
    sql`coalesce((select max(last_id) from event_days where day <= ${dayOf(instant)}::date), 0)`;
  const [current, past] = [beginOfCurrent(now), beginOfPast(now)];
  return sql`days as materialized (
    select ${first(current)} as first_of_current, ${last(current)} as last_of_current,
      ${first(past)} as first_of_past, ${last(past)} as last_of_past
  )`;
}

const dayOf = (instant: Date): string => instant.toISOString().slice(0, 10);

/**
 * Counts the events of a project since an instant, up to an id if `through` is given. Those of later days are counted
 * by id, which an index contains; only the events of the first day are read.
 */
const since = (
  project: string,
  instant: Date,
  window: 'current' | 'past',
  through: RawBuilder<unknown> = sql``,
) => {
  const last = sql`(select ${sql.ref(`last_of_${window}`)} from days)`;
  const own = sql`project = ${project} and id >= ${firstEventIdOf(project)}`;
  return sql`(
    select json_build_object('first', ${milliseconds('min(created_at)')}, 'sameDay', count(*), 'later', (
      select count(*) from events where ${own} and id > ${last} ${through}))
    from events where ${own} and id <= ${last}
      and id >= (select ${sql.ref(`first_of_${window}`)} from days) and created_at > ${instant}::timestamptz)`;
};

const throughCurrent = sql`and id <= (select last_of_current from days)`;

const json = <Items>(item: RawBuilder<unknown>, rest: RawBuilder<unknown>): RawBuilder<Items> =>
  sql<Items>`(select coalesce(json_agg(${item}), '[]') ${rest})`;

/** All active features, and the archived ones that were created or archived in one of the windows. */
const features = (project: string, now: Date) =>
  json<AgingRows['features']>(
    sql`json_build_object('createdAt', ${milliseconds('f.created_at')},
      'archivedAt', ${milliseconds('f.archived_at')}, 'stale', f.stale, 'dueAt', ${milliseconds('f.due_at')})`,
    sql`from feature_ages f
      where f.project = ${project} and (
        f.archived_at is null or greatest(f.archived_at, f.created_at) > ${beginOfPast(now)}::timestamptz)`,
  );

/** The members of a project, directly or through a group, and since when. */
const members = (project: string) => sql`
  from (
    select held.user_id, min(held.since) as since
    from (
      select user_id, granted_at as since from project_user_roles where project = ${project}
      union all
      select member.user_id, greatest(group_role.granted_at, member.joined_at)
      from project_group_roles group_role join group_users member on member.group_id = group_role.group_id
      where group_role.project = ${project}
    ) held
    join users on users.id = held.user_id
    where users.kind = 'person' and users.deleted_at is null
    group by held.user_id
  ) joined`;

const inProduction = sql`
  type = 'feature-environment-enabled'
  and environment in (select name from environments where type = 'production')`;

/**
 * Whether the log covers the whole life of a feature `f`. If retention removed its beginning, no one knows whether the
 * feature was enabled in production before.
 */
const isLogComplete = sql`(
  (select anchor_id from event_log) = 0 or exists (
    select from events where feature_name = f.name and type = 'feature-created' and id > release.namesake))`;

/**
 * Features first enabled in production after an instant. They are found by event type, because the event may belong to
 * a project that the feature has left. A deleted feature of the same name does not count.
 */
const released = (project: string, instant: Date) => sql`
  from (
    select distinct feature_name from events
    where ${inProduction} and id >= (select first_of_current from days) and created_at > ${instant}::timestamptz
      and feature_name in (select name from features where project = ${project})
  ) lately
  join features f on f.name = lately.feature_name
  cross join lateral (
    select min(created_at) as at, gone.id as namesake
    from events, (
      select coalesce(max(id), 0) as id from events
      where feature_name = f.name and type = 'feature-deleted'
    ) gone
    where feature_name = f.name and ${inProduction} and events.id > gone.id
    group by gone.id
  ) release
  where release.at > ${instant}::timestamptz and ${isLogComplete}`;

/** A column of a statement with `days`. */
export const releasesColumn = (project: string, now: Date): RawBuilder<AgingRows['releases']> =>
  json(
    sql`json_build_object('name', f.name, 'createdAt', ${milliseconds('f.created_at')},
      'releasedAt', ${milliseconds('release.at')}) order by f.name`,
    released(project, beginOfCurrent(now)),
  );

/** The columns of a statement with `days`. */
export const agingColumns = (project: string, now: Date): RawBuilder<AgingRows> => sql`
  ${features(project, now)} as features,
  ${json(milliseconds('since'), members(project))} as joined,
  ${releasesColumn(project, now)} as releases,
  ${since(project, beginOfCurrent(now), 'current')} as "sinceCurrent",
  ${since(project, beginOfPast(now), 'past', throughCurrent)} as "sincePast"`;

/** Finds the data of a project, also of an archived one. */
export async function findAgingRows(
  db: Db,
  project: string,
  now: Date,
): Promise<AgingRows | undefined> {
  const { rows } = await sql<AgingRows>`
    with ${daysCte(now)}
    select ${agingColumns(project, now)} from projects p where p.id = ${project}`.execute(db);
  return rows[0];
}

export const agingOf = ({
  features,
  joined,
  releases,
  sinceCurrent,
  sincePast,
}: AgingRows): Aging => ({
  features,
  joined,
  releases,
  activity: {
    current: sinceCurrent.sameDay + sinceCurrent.later,
    past: sincePast.sameDay + sincePast.later - sinceCurrent.sameDay,
    firstOfCurrent: sinceCurrent.first,
    firstOfPast: sincePast.first,
  },
});
