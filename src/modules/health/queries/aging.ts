import { type RawBuilder, sql } from 'kysely';
import { windowMs } from '../rating.ts';
import { lines, milliseconds } from './text.ts';

/** What the rating is made of. */
export interface AgingRows {
  /** Made, archived (empty: lives), stale, lifetime (empty: none). */
  readonly ages: string | null;
  /** When each living person with a role in the project got the first one. */
  readonly joined: readonly number[];
  /** When a feature was made, and first on in production. */
  readonly releases: readonly (readonly [number, number])[];
  /** Since the beginning of each window: how many events, and the first of those on the same day. */
  readonly sinceCurrent: Since;
  readonly sincePast: Since;
}

interface Since {
  readonly count: number;
  readonly first: number | null;
}

const beginOfCurrent = (now: Date) => new Date(now.getTime() - windowMs);
const beginOfPast = (now: Date) => new Date(now.getTime() - 2 * windowMs);

/** Of the days on which the windows begin, the ids. Days overlap by a few ids at midnight. */
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
 * The events of a project since an instant. On later days than its own they are counted by ids, which is
 * all that the index holds; only those of the day itself are looked at.
 */
const since = (project: string, instant: Date, window: 'current' | 'past') => {
  const last = sql`(select ${sql.ref(`last_of_${window}`)} from days)`;
  return sql`(
    select json_build_object('first', ${milliseconds('min(created_at)')}, 'count', count(*) + (
      select count(*) from events where project = ${project} and id > ${last}))
    from events where project = ${project} and id <= ${last}
      and id >= (select ${sql.ref(`first_of_${window}`)} from days) and created_at > ${instant}::timestamptz)`;
};

const json = (item: RawBuilder<unknown>, rest: RawBuilder<unknown>) =>
  sql`(select coalesce(json_agg(${item}), '[]') ${rest})`;

/** Who has a role in a project, by themselves or through a group, and since when. */
const members = (project: string) => sql`
  from (
    select held.user_id, min(held.since) as since
    from (
      select user_id, granted_at as since from project_user_roles where project = ${project}
      union all
      select member.user_id, greatest(own.granted_at, member.joined_at)
      from project_group_roles own join group_users member on member.group_id = own.group_id
      where own.project = ${project}
    ) held
    join users on users.id = held.user_id
    where users.kind = 'person' and users.deleted_at is null
    group by held.user_id
  ) joined`;

const inProduction = sql`
  type = 'feature-environment-enabled'
  and environment in (select name from environments where type = 'production')`;

/**
 * Features that came to production since an instant. Their events may lie in a project that they have
 * left, so it is the type that leads to them; a namesake that was deleted before has nothing to do with it.
 */
const released = (project: string, instant: Date) => sql`
  from (
    select distinct feature_name from events
    where ${inProduction} and id >= (select first_of_current from days) and created_at > ${instant}::timestamptz
      and feature_name in (select name from features where project = ${project})
  ) lately
  join features f on f.name = lately.feature_name
  cross join lateral (
    select min(created_at) as at from events
    where feature_name = f.name and ${inProduction} and id > coalesce((
      select max(id) from events where feature_name = f.name and type = 'feature-deleted'), 0)
  ) release
  where release.at > ${instant}::timestamptz`;

/** The columns of a statement with `days`. */
export const agingColumns = (project: string, now: Date): RawBuilder<AgingRows> => sql`
  ${lines(
    sql`${milliseconds('f.created_at')} || ' '
      || coalesce(${milliseconds('f.archived_at')}::text, '') || ' ' || f.stale
      || ' ' || coalesce(t.lifetime_days::text, '')`,
    undefined,
    sql`from features f join feature_types t on t.id = f.type
      where f.project = ${project} and (f.archived_at is null
        or greatest(f.archived_at, f.created_at) > ${beginOfPast(now)}::timestamptz)`,
  )} as ages,
  ${json(milliseconds('since'), members(project))} as joined,
  ${json(
    sql`json_build_array(${milliseconds('f.created_at')}, ${milliseconds('release.at')})`,
    released(project, beginOfCurrent(now)),
  )} as releases,
  ${since(project, beginOfCurrent(now), 'current')} as "sinceCurrent",
  ${since(project, beginOfPast(now), 'past')} as "sincePast"`;
