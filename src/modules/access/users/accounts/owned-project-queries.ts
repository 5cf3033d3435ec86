import { type ExpressionBuilder, sql } from 'kysely';
import type { Database, Db } from '../../../../platform/db/database.ts';
import { roleIds } from '../../gate/index.ts';

type InProjects = ExpressionBuilder<Database, 'projects'>;

/** Whether a project has an owner who is not deleted, directly or through a group. */
const hasOwner = (where: InProjects) =>
  where.or([
    where.exists(
      where
        .selectFrom('project_user_roles as user_role')
        .innerJoin('users', 'users.id', 'user_role.user_id')
        .whereRef('user_role.project', '=', 'projects.id')
        .where('user_role.role_id', '=', roleIds.owner)
        .where('users.deleted_at', 'is', null)
        .select(sql`1`.as('one')),
    ),
    where.exists(
      where
        .selectFrom('project_group_roles as group_role')
        .innerJoin('group_users', 'group_users.group_id', 'group_role.group_id')
        .innerJoin('users', 'users.id', 'group_users.user_id')
        .whereRef('group_role.project', '=', 'projects.id')
        .where('group_role.role_id', '=', roleIds.owner)
        .where('users.deleted_at', 'is', null)
        .select(sql`1`.as('one')),
    ),
  ]);

/** Those of the projects that have no owner. */
export async function listOwnerless(db: Db, projects: readonly string[]): Promise<string[]> {
  if (projects.length === 0) return [];
  const ownerless = await db
    .selectFrom('projects')
    .where(sql<boolean>`id = any(${projects}::text[])`)
    .where((where) => where.not(hasOwner(where)))
    .select('id')
    .orderBy('id')
    .execute();
  return ownerless.map(({ id }) => id);
}
