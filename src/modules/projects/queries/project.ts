import { type Selectable, sql } from 'kysely';
import type { Actor, Database, Db, Tx } from '../../../platform/db/database.ts';
import type { Project } from '../contract/project.ts';

const projectOf = (row: Selectable<Database['projects']>): Project => ({
  id: row.id,
  name: row.name,
  description: row.description,
  mode: row.mode,
  defaultStickiness: row.default_stickiness,
  featureLimit: row.feature_limit,
  ...(row.feature_naming_pattern !== null && {
    featureNaming: {
      pattern: row.feature_naming_pattern,
      ...(row.feature_naming_example !== null && { example: row.feature_naming_example }),
      ...(row.feature_naming_description !== null && {
        description: row.feature_naming_description,
      }),
    },
  }),
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
  ...(row.archived_at && { archivedAt: row.archived_at.toISOString() }),
});

/** A project before the database has it. */
export type ProjectDraft = Omit<Project, 'createdAt' | 'updatedAt' | 'archivedAt'>;

/** The columns that somebody may change. */
const changeable = (project: ProjectDraft) => ({
  name: project.name,
  description: project.description,
  mode: project.mode,
  default_stickiness: project.defaultStickiness,
  feature_limit: project.featureLimit,
  feature_naming_pattern: project.featureNaming?.pattern ?? null,
  feature_naming_example: project.featureNaming?.example ?? null,
  feature_naming_description: project.featureNaming?.description ?? null,
});

export async function listProjects(
  db: Db,
  { sees, archived }: { sees: Actor['sees']; archived: boolean },
): Promise<Project[]> {
  const rows = await db
    .selectFrom('projects')
    .selectAll()
    .where('archived_at', archived ? 'is not' : 'is', null)
    .$if(sees !== 'all', (query) => query.where(sql<boolean>`id = any(${[...sees]}::text[])`))
    .orderBy('name')
    .orderBy('id')
    .execute();
  return rows.map(projectOf);
}

export async function findProject(db: Db, id: string): Promise<Project | undefined> {
  const row = await db.selectFrom('projects').where('id', '=', id).selectAll().executeTakeFirst();
  return row && projectOf(row);
}

const locks = { change: 'forNoKeyUpdate', delete: 'forUpdate' } as const;

/** Whoever changes a project, or what belongs to it, waits here for whoever came first. */
export async function lockProject(
  tx: Tx,
  id: string,
  purpose: keyof typeof locks,
): Promise<Project | undefined> {
  const row = await tx.db
    .selectFrom('projects')
    .where('id', '=', id)
    .selectAll()
    [locks[purpose]]()
    .executeTakeFirst();
  return row && projectOf(row);
}

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
export async function insertProject(tx: Tx, project: ProjectDraft): Promise<Project | undefined> {
  const row = await tx.db
    .insertInto('projects')
    .values({
      id: project.id,
      ...changeable(project),
      created_at: tx.now,
      updated_at: tx.now,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returningAll()
    .executeTakeFirst();
  return row && projectOf(row);
}

export const updateProject = (tx: Tx, project: Project) =>
  tx.db
    .updateTable('projects')
    .set({ ...changeable(project), updated_at: tx.now })
    .where('id', '=', project.id)
    .execute();

/** For what changes a project without being a column of it. */
export const touchProjects = (tx: Tx, ids: readonly string[]) =>
  tx.db
    .updateTable('projects')
    .set({ updated_at: tx.now })
    .where(sql<boolean>`id = any(${ids}::text[])`)
    .execute();

export const updateProjectArchived = (tx: Tx, id: string, archived: boolean) =>
  tx.db
    .updateTable('projects')
    .set({ archived_at: archived ? tx.now : null, updated_at: tx.now })
    .where('id', '=', id)
    .where('archived_at', archived ? 'is' : 'is not', null)
    .returning('id')
    .executeTakeFirst();

export const deleteProject = (tx: Tx, id: string) =>
  tx.db.deleteFrom('projects').where('id', '=', id).execute();
