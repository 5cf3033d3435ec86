import { type ExpressionBuilder, sql } from 'kysely';
import type { Database, Db } from '../../../platform/db/database.ts';
import { roleIds } from '../../access/index.ts';

type InProjects = ExpressionBuilder<Database, 'projects'>;

/** Whom to look for among the owners of a project. */
interface Sought {
  readonly is?: number;
  readonly isNot?: number | undefined;
}

/** Whether a project has such an owner who lives, by themselves or through a group. */
const hasOwner = (where: InProjects, { is, isNot }: Sought) =>
  where.or([
    where.exists(
      where
        .selectFrom('project_user_roles as own')
        .innerJoin('users', 'users.id', 'own.user_id')
        .whereRef('own.project', '=', 'projects.id')
        .where('own.role_id', '=', roleIds.owner)
        .where('users.deleted_at', 'is', null)
        .$if(is !== undefined, (query) => query.where('users.id', '=', is as number))
        .$if(isNot !== undefined, (query) => query.where('users.id', '<>', isNot as number))
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
        .$if(is !== undefined, (query) => query.where('users.id', '=', is as number))
        .$if(isNot !== undefined, (query) => query.where('users.id', '<>', isNot as number))
        .select(sql`1`.as('one')),
    ),
  ]);

/** The living projects that somebody owns. */
export async function listOwnedProjects(db: Db, userId: number): Promise<string[]> {
  const projects = await db
    .selectFrom('projects')
    .where('archived_at', 'is', null)
    .where((where) => hasOwner(where, { is: userId }))
    .select('id')
    .orderBy('id')
    .execute();
  return projects.map(({ id }) => id);
}

/** Those of these projects that nobody owns who lives; nobody else, where an account is left out of it. */
export async function listOwnerless(
  db: Db,
  projects: readonly string[],
  isNot?: number,
): Promise<string[]> {
  if (projects.length === 0) return [];
  const ownerless = await db
    .selectFrom('projects')
    .where(sql<boolean>`id = any(${projects}::text[])`)
    .where((where) => where.not(hasOwner(where, { isNot })))
    .select('id')
    .orderBy('id')
    .execute();
  return ownerless.map(({ id }) => id);
}
