import { type RawBuilder, sql } from 'kysely';
import type { Actor } from '../../../platform/actor.ts';
import type { Db } from '../../../platform/db/database.ts';
import { isEventVisible } from '../../events/index.ts';
import type { InstanceInsights } from './contract.ts';

export interface Period {
  /** Both days are included. */
  readonly from: string;
  readonly to: string;
}

type Sees = Actor['sees'];

const isSeen = (sees: Sees, column: string): RawBuilder<boolean> =>
  sees === 'all' ? sql`true` : sql`${sql.ref(column)} = any(${[...sees]}::text[])`;

const weekOf = (column: string) => sql<string>`to_char(${sql.raw(column)}, 'IYYY-IW')`;

/** The last day of a week within the period, the same for all numbers. */
const lastDay = (column: string, to: string) =>
  sql`least(date_trunc('week', ${sql.raw(column)})::date + 6, ${to}::date)`;

/** The state of each active project on the last recorded day of each week. */
export async function listWeeks(db: Db, sees: Sees, { from, to }: Period) {
  const { rows } = await sql<InstanceInsights['projectFlagTrends'][number]>`
    select distinct on (snapshot.project, ${weekOf('snapshot.day')})
      snapshot.project, snapshot.day::text as date, ${weekOf('snapshot.day')} as week,
      snapshot.total, snapshot.total - snapshot.stale - snapshot.potentially_stale as active, snapshot.stale,
      snapshot.potentially_stale as "potentiallyStale", snapshot.health
    from health_snapshots snapshot join projects on projects.id = snapshot.project
    where snapshot.day between ${from}::date and ${to}::date and projects.archived_at is null
      and ${isSeen(sees, 'snapshot.project')}
    order by snapshot.project, ${weekOf('snapshot.day')}, snapshot.day desc`.execute(db);
  return rows;
}

/** Evaluations of features, as far as they are still stored. */
export async function listUsage(db: Db, sees: Sees, { from, to }: Period) {
  const day = `(used.hour at time zone 'UTC')::date`;
  const { rows } = await sql<InstanceInsights['metricsSummaryTrends'][number]>`
    select features.project, min(${lastDay(day, to)})::text as date, ${weekOf(day)} as week,
      sum(used.yes + used.no)::bigint as "totalRequests", sum(used.yes)::bigint as "totalYes",
      sum(used.no)::bigint as "totalNo", count(distinct used.app_name)::int as "totalApps",
      count(distinct used.feature_name)::int as "totalFlags",
      count(distinct used.environment)::int as "totalEnvironments"
    from usage_hours used join features on features.name = used.feature_name
    where used.hour >= ${from}::date::timestamp at time zone 'UTC'
      and used.hour < (${to}::date + 1)::timestamp at time zone 'UTC'
      and ${isSeen(sees, 'features.project')}
    group by features.project, ${weekOf(day)} order by features.project, week`.execute(db);
  return rows;
}

/**
 * Events in environments, by the current type of the environment. Days are mapped to ids, so that only the needed
 * part of the log is read.
 */
export async function listUpdates(db: Db, sees: Sees, { from, to }: Period) {
  const day = `(events.created_at at time zone 'UTC')::date`;
  const { rows } = await sql<InstanceInsights['environmentTypeTrends'][number]>`
    select min(${lastDay(day, to)})::text as date, ${weekOf(day)} as week,
      environments.type as "environmentType", count(*)::int as "totalUpdates"
    from events join environments on environments.name = events.environment
    where events.id >= (select min(first_id) from event_days where day >= ${from}::date)
      and events.id <= (select max(last_id) from event_days where day <= ${to}::date)
      and ${sql.raw(day)} between ${from}::date and ${to}::date
      and ${isEventVisible(sees, 'events.project', 'events.id')}
    group by environments.type, ${weekOf(day)} order by week, environments.type`.execute(db);
  return rows;
}

/** People, and those who were neither created nor seen since an instant. */
export const countPeople = (db: Db, before: Date) =>
  db
    .selectFrom('users')
    .leftJoin('last_seen', (join) =>
      join.onRef('last_seen.id', '=', 'users.id').on('last_seen.kind', '=', 'account'),
    )
    .where('users.kind', '=', 'person')
    .where('users.deleted_at', 'is', null)
    .select([
      sql<number>`count(*)::int`.as('total'),
      sql<number>`(count(*) filter (
        where greatest(users.created_at, last_seen.seen_at) < ${before}::timestamptz))::int`.as(
        'inactive',
      ),
    ])
    .executeTakeFirstOrThrow();
