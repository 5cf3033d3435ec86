import { sql } from 'kysely';
import type { Db } from '../../../../platform/db/database.ts';

/** The projects of features, archived ones included. */
export async function listProjectsOf(db: Db, names: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('features')
    .where(sql<boolean>`name = any(${names}::text[])`)
    .select('project')
    .distinct()
    .execute();
  return rows.map(({ project }) => project);
}
