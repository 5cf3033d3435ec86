import { type ExpressionBuilder, sql } from 'kysely';
import type { Database, Db, Tx } from '../../../platform/db/database.ts';
import { roleIds } from '../../access/index.ts';

type InProjects = ExpressionBuilder<Database, 'projects'>;

/** Whether a project has an owner who lives and is, or is not, this account; through a group too. */
const hasOwner = (where: InProjects, is: '=' | '<>', userId: number) =>
  where.or([
    where.exists(
      where
        .selectFrom('project_user_roles as own')
        .innerJoin('users', 'users.id', 'own.user_id')
        .whereRef('own.project', '=', 'projects.id')
        .where('own.role_id', '=', roleIds.owner)
        .where('users.deleted_at', 'is', null)
        .where('users.id', is, userId)
        .select(sql`1`.as('one')),
    ),
    where.exists(
      where
        .selectFrom('project_group_roles as own')
        .innerJoin('group_users', 'group_users.group_id', 'own.group_id')
        .innerJoin('users', 'users.id', 'group_users.user_id')
        .whereRef('own.project', '=', 'projects.id')
        .where('own.role_id', '=', roleIds.owner)
        .where('users.deleted_at', 'is', null)
        .where('users.id', is, userId)
        .select(sql`1`.as('one')),
    ),
  ]);

/** The living projects that somebody owns, in which nobody else changes the owners meanwhile. */
export async function lockOwnedProjects(tx: Tx, userId: number): Promise<string[]> {
  const projects = await tx.db
    .selectFrom('projects')
    .where('archived_at', 'is', null)
    .where((where) => hasOwner(where, '=', userId))
    .select('id')
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  return projects.map(({ id }) => id);
}

/** Those of these projects that nobody but this account owns. */
export async function listOwnedAlone(
  db: Db,
  projects: readonly string[],
  userId: number,
): Promise<string[]> {
  const alone = await db
    .selectFrom('projects')
    .where(sql<boolean>`id = any(${projects}::text[])`)
    .where((where) => where.not(hasOwner(where, '<>', userId)))
    .select('id')
    .orderBy('id')
    .execute();
  return alone.map(({ id }) => id);
}
