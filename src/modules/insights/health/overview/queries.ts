import { sql } from 'kysely';
import type { Db } from '../../../../platform/db/database.ts';
import { type AgingRows, agingColumns, daysCte } from '../queries/aging.ts';

/** What the figures of a project are made of, of an archived one too. */
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

/** The oldest living feature of a project, and whether SDKs asked for any, archived since or not. */
export const findBeginning = (db: Db, project: string) =>
  db
    .selectNoFrom([
      sql<string | null>`(
        select name from features where project = ${project} and archived_at is null
        order by created_at, name limit 1)`.as('firstFeature'),
      sql<boolean>`exists (
        select from features
        join feature_environments own on own.feature_name = features.name
        where features.project = ${project} and own.last_seen_at is not null)`.as('isSeen'),
    ])
    .executeTakeFirstOrThrow();
