import { sql } from 'kysely';
import type { Db } from '../../../../platform/db/database.ts';
import { type AgingRows, agingColumns, daysCte, releasesColumn } from '../rating/queries.ts';

interface InsightRows extends AgingRows {
  readonly featureTypeCounts: { type: string; count: number }[];
}

/** Finds the statistics of an active project, in one statement and so in one snapshot. */
export async function findInsightRows(
  db: Db,
  project: string,
  now: Date,
): Promise<InsightRows | undefined> {
  const { rows } = await sql<InsightRows>`
    with ${daysCte(now)}
    select ${agingColumns(project, now)},
      (
        select coalesce(json_agg(json_build_object('type', counted.type, 'count', counted.count)
          order by t.sort_order, counted.type), '[]')
        from (
          select type, count(*) as count from features
          where project = ${project} and archived_at is null group by type
        ) counted join feature_types t on t.id = counted.type
      ) as "featureTypeCounts"
    from projects p where p.id = ${project} and p.archived_at is null`.execute(db);
  return rows[0];
}

/** Finds the features of an active project that were first enabled in production in the current window. */
export async function findReleaseRows(
  db: Db,
  project: string,
  now: Date,
): Promise<Pick<AgingRows, 'releases'> | undefined> {
  const { rows } = await sql<Pick<AgingRows, 'releases'>>`
    with ${daysCte(now)}
    select ${releasesColumn(project, now)} as releases
    from projects p where p.id = ${project} and p.archived_at is null`.execute(db);
  return rows[0];
}
