import { sql } from 'kysely';
import type { Actor } from '../../../platform/actor.ts';
import type { Db, Tx } from '../../../platform/db/database.ts';
import type { SavedView } from './contract.ts';

const columns = [
  'id',
  'page',
  'project',
  'name',
  'query',
  'shared',
  'user_id as userId',
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const;

interface Row extends Omit<SavedView, 'createdAt' | 'updatedAt'> {
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const viewOf = ({ createdAt, updatedAt, ...row }: Row): SavedView => ({
  ...row,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
});

/** One change of an account's views at a time, so that all of them are counted. */
export const lockAuthor = (tx: Tx) =>
  tx.db
    .selectFrom('users')
    .where('id', '=', tx.actor.id)
    .select('id')
    .forNoKeyUpdate()
    .executeTakeFirst();

interface List {
  readonly page: SavedView['page'];
  readonly project: string | null;
}

/** The shared views of these lists and the own ones, by name. */
export async function listViews(
  db: Db,
  userId: number,
  { page, projects }: { readonly page: SavedView['page']; readonly projects: readonly string[] },
): Promise<SavedView[]> {
  const rows = await db
    .selectFrom('saved_views')
    .where('page', '=', page)
    .where(sql<boolean>`(project is null or project = any(${projects}::text[]))`)
    .where((where) => where.or([where('shared', '=', true), where('user_id', '=', userId)]))
    .select(columns)
    .orderBy(sql`lower(name)`)
    .orderBy('id')
    .execute();
  return rows.map(viewOf);
}

/** Locked, so that a change is based on what it records as the previous state. */
export async function lockView(tx: Tx, id: number): Promise<SavedView | undefined> {
  const row = await tx.db
    .selectFrom('saved_views')
    .where('id', '=', id)
    .select(columns)
    .forUpdate()
    .executeTakeFirst();
  return row && viewOf(row);
}

/** Without those in projects that the author can no longer see, who couldn't find and delete them. */
export async function countViews(db: Db, { id, sees }: Actor): Promise<number> {
  const { count } = await db
    .selectFrom('saved_views')
    .where('user_id', '=', id)
    .where(
      sees === 'all'
        ? sql<boolean>`true`
        : sql<boolean>`(project is null or project = any(${[...sees]}::text[]))`,
    )
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

export async function countShared(db: Db, { page, project }: List): Promise<number> {
  const { count } = await db
    .selectFrom('saved_views')
    .where('shared', '=', true)
    .where('page', '=', page)
    .where('project', 'is not distinct from', project)
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

export async function insertView(
  tx: Tx,
  view: Pick<SavedView, 'page' | 'project' | 'name' | 'query' | 'shared' | 'userId'>,
): Promise<SavedView> {
  const { userId, ...row } = view;
  return viewOf(
    await tx.db
      .insertInto('saved_views')
      .values({ ...row, user_id: userId, created_at: tx.now, updated_at: tx.now })
      .returning(columns)
      .executeTakeFirstOrThrow(),
  );
}

export async function updateView(
  tx: Tx,
  { id, name, query, shared }: Pick<SavedView, 'id' | 'name' | 'query' | 'shared'>,
): Promise<SavedView> {
  return viewOf(
    await tx.db
      .updateTable('saved_views')
      .set({ name, query, shared, updated_at: tx.now })
      .where('id', '=', id)
      .returning(columns)
      .executeTakeFirstOrThrow(),
  );
}

export const deleteView = (tx: Tx, id: number) =>
  tx.db.deleteFrom('saved_views').where('id', '=', id).execute();

/** Removes what only an erased person could see. Others still use what they shared. */
export async function deletePrivateViewsOf(tx: Tx, userId: number): Promise<void> {
  await tx.db
    .deleteFrom('saved_views')
    .where('user_id', '=', userId)
    .where('shared', '=', false)
    .execute();
}
