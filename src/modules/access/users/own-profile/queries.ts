import { sql } from 'kysely';
import type { Actor } from '../../../../platform/actor.ts';
import type { Db } from '../../../../platform/db/database.ts';
import type { Role } from '../../roles/index.ts';
import type { ProjectRole } from '../permissions/contract.ts';

const roleColumns = ['roles.id', 'roles.type', 'roles.name', 'roles.description'] as const;

/** The account's own root role, and those of its groups. */
export const listRootRolesOf = (db: Db, userId: number): Promise<Role[]> =>
  db
    .selectFrom('roles')
    .where(({ eb, or, selectFrom }) =>
      or([
        eb('roles.id', 'in', selectFrom('users').where('id', '=', userId).select('root_role')),
        eb(
          'roles.id',
          'in',
          selectFrom('groups')
            .innerJoin('group_users', 'group_users.group_id', 'groups.id')
            .where('group_users.user_id', '=', userId)
            .where('groups.root_role', 'is not', null)
            .select('groups.root_role'),
        ),
      ]),
    )
    .select(roleColumns)
    .orderBy('roles.id')
    .execute();

/** The roles of an account in projects, including those of its groups. Limited to one project if given. */
export const listProjectRolesOf = (
  db: Db,
  userId: number,
  project?: string,
): Promise<ProjectRole[]> =>
  db
    .selectFrom(
      db
        .selectFrom('project_user_roles')
        .where('user_id', '=', userId)
        .select(['project', 'role_id as role'])
        .union(
          db
            .selectFrom('project_group_roles')
            .innerJoin('group_users', 'group_users.group_id', 'project_group_roles.group_id')
            .where('group_users.user_id', '=', userId)
            .select(['project', 'role_id as role']),
        )
        .as('held'),
    )
    .innerJoin('roles', 'roles.id', 'held.role')
    .innerJoin('projects', 'projects.id', 'held.project')
    .where('projects.archived_at', 'is', null)
    .$if(project !== undefined, (query) => query.where('held.project', '=', project as string))
    .select([...roleColumns, 'held.project'])
    .orderBy('held.project')
    .orderBy('roles.id')
    .execute();

export const listActiveProjects = async (db: Db): Promise<string[]> => {
  const projects = await db
    .selectFrom('projects')
    .where('archived_at', 'is', null)
    .select('id')
    .orderBy('id')
    .execute();
  return projects.map(({ id }) => id);
};

/** The features that an account created and that are not archived, newest first. */
export const listCreatedFeatures = (
  db: Db,
  { userId, sees, limit }: { userId: number; sees: Actor['sees']; limit: number },
) =>
  db
    .selectFrom('features')
    .where('created_by_user_id', '=', userId)
    .where('archived_at', 'is', null)
    .$if(sees !== 'all', (query) => query.where(sql<boolean>`project = any(${[...sees]}::text[])`))
    .select(['name', 'project', 'created_at as createdAt'])
    .orderBy('created_at', 'desc')
    .orderBy('name')
    .limit(limit)
    .execute();

export const hasProject = async (db: Db, id: string): Promise<boolean> =>
  (await db.selectFrom('projects').where('id', '=', id).select('id').executeTakeFirst()) !==
  undefined;

export const hasEnvironment = async (db: Db, name: string): Promise<boolean> =>
  (await db
    .selectFrom('environments')
    .where('name', '=', name)
    .select('name')
    .executeTakeFirst()) !== undefined;
