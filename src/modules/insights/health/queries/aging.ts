import { type RawBuilder, sql } from 'kysely';
import { dueAtInSql } from '../../../catalogue/projects/index.ts';
import { firstEventIdOf } from '../../../events/index.ts';
import { type Aging, windowMs } from '../rating.ts';
import { lines, milliseconds } from './text.ts';

/** What the rating is made of. */
export interface AgingRows {
  /** Made, archived (empty: lives), stale, due (empty: never). */
  readonly ages: string | null;
  /** When each living person with a role in the project got the first one. */
  readonly joined: readonly number[];
  /** When a feature was made, and first on in production; by name. */
  readonly releases: readonly (readonly [string, number, number])[];
  /** Since the beginning of each window: the events of the same day, and the later ones. */
  readonly sinceCurrent: Since;
  /** Only up to the day on which the current window begins: what comes then is counted there. */
  readonly sincePast: Since;
}

interface Since {
  readonly sameDay: number;
  readonly later: number;
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
 * all that the index holds; only those of the day itself are looked at. `through`: up to an id.
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
 * Whether the log, which may be kept for a while only, has the whole life of a feature `f`: where its
 * beginning is gone, nobody knows whether it was on in production before.
 */
const isToldWhole = sql`(
  (select anchor_id from event_log) = 0 or exists (
    select from events where feature_name = f.name and type = 'feature-created' and id > release.namesake))`;

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
    select min(created_at) as at, gone.id as namesake
    from events, (
      select coalesce(max(id), 0) as id from events
      where feature_name = f.name and type = 'feature-deleted'
    ) gone
    where feature_name = f.name and ${inProduction} and events.id > gone.id
    group by gone.id
  ) release
  where release.at > ${instant}::timestamptz and ${isToldWhole}`;

/** A column of a statement with `days`. */
export const releasesColumn = (project: string, now: Date): RawBuilder<AgingRows['releases']> =>
  json(
    sql`json_build_array(f.name, ${milliseconds('f.created_at')}, ${milliseconds('release.at')})
      order by f.name`,
    released(project, beginOfCurrent(now)),
  );

/** The columns of a statement with `days`; without living features for who reads them anyway. */
export const agingColumns = (
  project: string,
  now: Date,
  which: 'all' | 'archived' = 'all',
): RawBuilder<AgingRows> => sql`
  ${lines(
    sql`${milliseconds('f.created_at')} || ' '
      || coalesce(${milliseconds('f.archived_at')}::text, '') || ' ' || f.stale
      || ' ' || coalesce(${milliseconds(dueAtInSql)}::text, '')`,
    undefined,
    sql`from features f join feature_types t on t.id = f.type
      left join feature_reviews review on review.feature_name = f.name
      where f.project = ${project} and (${sql.raw(which === 'all' ? 'f.archived_at is null or' : '')}
        greatest(f.archived_at, f.created_at) > ${beginOfPast(now)}::timestamptz)
        ${sql.raw(which === 'all' ? '' : 'and f.archived_at is not null')}`,
  )} as ages,
  ${json(milliseconds('since'), members(project))} as joined,
  ${releasesColumn(project, now)} as releases,
  ${since(project, beginOfCurrent(now), 'current')} as "sinceCurrent",
  ${since(project, beginOfPast(now), 'past', throughCurrent)} as "sincePast"`;

export const releasesOf = ({ releases }: Pick<AgingRows, 'releases'>): Aging['releases'] =>
  releases.map(([name, createdAt, releasedAt]) => ({ name, createdAt, releasedAt }));

/** What was read, as the rating takes it, with living features that were read otherwise. */
export function agingOf(rows: AgingRows, living: Aging['features'] = []): Aging {
  const { sinceCurrent, sincePast } = rows;
  const read = (rows.ages?.split('\n') ?? []).map((line) => {
    const [createdAt, archivedAt, stale, dueAt] = line.split(' ');
    return {
      createdAt: Number(createdAt),
      archivedAt: archivedAt ? Number(archivedAt) : null,
      stale: stale === 'true',
      dueAt: dueAt ? Number(dueAt) : null,
    };
  });
  return {
    features: [...living, ...read],
    joined: rows.joined,
    releases: releasesOf(rows),
    activity: {
      current: sinceCurrent.sameDay + sinceCurrent.later,
      past: sincePast.sameDay + sincePast.later - sinceCurrent.sameDay,
      firstOfCurrent: sinceCurrent.first,
      firstOfPast: sincePast.first,
    },
  };
}
