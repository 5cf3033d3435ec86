import { type RawBuilder, sql } from 'kysely';
import type { Actor } from '../../../../platform/actor.ts';
import type { Db } from '../../../../platform/db/database.ts';
import { asHits, type SummaryRows, summaryRows } from './summary-queries.ts';

/** A part of a list by name: the first features after a name. */
export interface Range {
  readonly after: string | undefined;
  readonly limit: number;
}

async function listRows(
  db: Db,
  userId: number,
  condition: RawBuilder<boolean>,
  { after = '', limit }: Range,
): Promise<SummaryRows> {
  const names = sql`
    select name from features where ${condition} and name > ${after} order by name limit ${limit}`;
  const { rows } = await sql<SummaryRows>`
    with hits as (${asHits(names)}) select ${summaryRows(userId)}`.execute(db);
  return rows[0] as SummaryRows;
}

/** Lists active (not archived) features of a project, by name. */
export const listActiveRows = (db: Db, userId: number, project: string, range: Range) =>
  listRows(db, userId, sql`archived_at is null and project = ${project}`, range);

/** Lists archived features of some or all projects, by name. */
export const listArchivedRows = (db: Db, userId: number, projects: Actor['sees'], range: Range) =>
  listRows(
    db,
    userId,
    projects === 'all'
      ? sql`archived_at is not null`
      : sql`archived_at is not null and project = any(${[...projects]}::text[])`,
    range,
  );

/** Lists the creators of a project's features, each with the name stored on their newest feature. */
export async function listCreators(
  db: Db,
  project: string,
): Promise<{ id: number; name: string }[]> {
  const { rows } = await sql<{ id: number; name: string }>`
    select id, name from (
      select distinct on (created_by_user_id) created_by_user_id as id, created_by as name
      from features where project = ${project}
      order by created_by_user_id, created_at desc
    ) creators
    order by name, id`.execute(db);
  return rows;
}

/** Lists the features of projects, archived ones included. */
export async function listFeatureNames(db: Db, projects: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('features')
    .where(sql<boolean>`project = any(${projects}::text[])`)
    .select('name')
    .orderBy('name')
    .execute();
  return rows.map(({ name }) => name);
}
