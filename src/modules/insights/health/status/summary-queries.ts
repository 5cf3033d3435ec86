import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../../platform/db/database.ts';
import { firstEventIdOf } from '../../../events/index.ts';
import { stages } from '../../../flags/features/index.ts';
import { type AgingRows, agingColumns, daysCte } from '../rating/queries.ts';

interface StageRow {
  readonly stage: (typeof stages)[number];
  /** The average of features that have left the stage; null if none has. */
  readonly averageDays: number | null;
  readonly current: number;
}

interface SummaryRows extends AgingRows {
  readonly activity: readonly { readonly date: string; readonly count: number }[];
  readonly connectedEnvironments: number;
  readonly apiTokens: number;
  readonly segments: number;
  readonly lifecycle: readonly StageRow[];
}

const json = (rest: RawBuilder<unknown>) =>
  sql`(select coalesce(json_agg(row_to_json(each)), '[]') from (${rest}) each)`;

/** The days of the log, each with the last id of all earlier days and the first id of all later days. */
const boundedDays = sql`
  bounded as materialized (
    select day, first_id, last_id,
      coalesce(max(last_id) over (
        order by day rows between unbounded preceding and 1 preceding), 0) as before,
      coalesce(min(first_id) over (
        order by day rows between 1 following and unbounded following), 9223372036854775807) as after
    from event_days
  )`;

/** How many days of activity are listed, including today. */
const activityDays = 365;

/**
 * Counts a project's events per day. They are counted by id, which an index contains; only around midnight, where two
 * days overlap, the events themselves are read. Without `offset 0` PostgreSQL computes each count twice.
 */
const activity = (project: string, now: Date) => {
  const own = (from: string, to: string) =>
    sql`select count(*) from events where project = ${project} and id >= ${firstEventIdOf(project)}
      and id >= ${sql.raw(from)} and id <= ${sql.raw(to)}`;
  const ofDay = sql`and (created_at at time zone 'UTC')::date = day`;
  return json(sql`
    select to_char(day, 'YYYY-MM-DD') as date, count from (
      select day,
        (${own('greatest(first_id, before + 1)', 'least(last_id, after - 1)')})
        + case when before >= first_id
            then (${own('first_id', 'least(before, last_id)')} ${ofDay}) else 0 end
        + case when after <= last_id
            then (${own('greatest(after, before + 1, first_id)', 'last_id')} ${ofDay}) else 0 end
        as count
      from bounded
      where day > (${now}::timestamptz at time zone 'UTC')::date - ${activityDays}::int
      offset 0
    ) counted
    where count > 0 order by day`);
};

/** Counts the features in each stage, and averages the time in stages that features have left. */
const lifecycle = (project: string) =>
  json(sql`
    select stage,
      avg(greatest(date_part('epoch', left_at - entered_at), 0) / 86400)
        filter (where left_at is not null) as "averageDays",
      count(*) filter (where left_at is null)::int as current
    from (
      select c.stage, c.entered_at, lead(c.entered_at) over (
        partition by c.feature_name order by array_position(${[...stages]}::text[], c.stage)
      ) as left_at
      from features f join feature_lifecycles c on c.feature_name = f.name
      where f.project = ${project}
    ) entered
    group by stage`);

/** Finds the statistics of an active project, in one statement and so in one snapshot. */
export async function findSummaryRows(
  db: Db,
  project: string,
  now: Date,
): Promise<SummaryRows | undefined> {
  const { rows } = await sql<SummaryRows>`
    with ${daysCte(now)}, ${boundedDays}
    select ${activity(project, now)} as activity,
      (
        select count(distinct s.environment)::int
        from features f join feature_environments s on s.feature_name = f.name
        where f.project = ${project} and s.last_seen_at is not null
      ) as "connectedEnvironments",
      (
        select count(*)::int from api_tokens
        where ${project} = any(projects) and revoked_at is null
          and coalesce(expires_at > ${now}::timestamptz, true)
      ) as "apiTokens",
      (select count(*)::int from segments where segments.project = ${project}) as segments,
      ${lifecycle(project)} as lifecycle,
      ${agingColumns(project, now)}
    from projects p where p.id = ${project} and p.archived_at is null`.execute(db);
  return rows[0];
}
