import { sql } from 'kysely';
import type { Db, Tx } from '../../../../platform/db/database.ts';
import type { Project } from '../project-schema.ts';
import { changeableColumns, columns, type ProjectDraft, projectOf } from '../queries.ts';

/** The ids, archived projects' included, that begin like this. */
export async function listProjectIds(db: Db, beginning: string): Promise<string[]> {
  const rows = await db
    .selectFrom('projects')
    .where(sql<boolean>`starts_with(id, ${beginning})`)
    .select('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Nothing is inserted, and nothing returned, when the id is taken. */
export async function insertProject(
  tx: Tx,
  project: ProjectDraft,
  createdAt: Date = tx.now,
): Promise<Project | undefined> {
  const row = await tx.db
    .insertInto('projects')
    .values({
      id: project.id,
      ...changeableColumns(project),
      created_at: createdAt,
      updated_at: tx.now,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning(columns)
    .executeTakeFirst();
  return row && projectOf(row);
}

/** Tells where the log of the project begins. */
export const updateFirstEvent = (tx: Tx, id: string, firstEventId: number) =>
  tx.db
    .updateTable('projects')
    .set({ first_event_id: firstEventId })
    .where('id', '=', id)
    .execute();
