import { sql } from 'kysely';
import type { Db } from '../../../platform/db/database.ts';

/** All accounts that are not deleted with their roles, in one statement. */
export const listAccess = (db: Db) =>
  db
    .selectFrom('users')
    .innerJoin('roles', 'roles.id', 'users.root_role')
    .leftJoin('last_seen', (join) =>
      join.onRef('last_seen.id', '=', 'users.id').on('last_seen.kind', '=', 'account'),
    )
    .where('users.deleted_at', 'is', null)
    .select([
      'users.id as userId',
      sql<string>`coalesce(nullif(users.name, ''), users.username, users.email, '')`.as('userName'),
      'users.email as userEmail',
      'users.kind',
      'roles.name as rootRole',
      'last_seen.seen_at as lastSeen',
      'users.created_at as createdAt',
      sql<string[]>`(
        select coalesce(json_agg(distinct user_role.project), '[]')
        from project_user_roles user_role where user_role.user_id = users.id)`.as(
        'accessibleProjects',
      ),
      sql<string[]>`(
        select coalesce(json_agg(groups.name order by groups.name), '[]')
        from group_users member join groups on groups.id = member.group_id
        where member.user_id = users.id)`.as('groups'),
      sql<string[]>`(
        select coalesce(json_agg(distinct group_role.project), '[]')
        from group_users member
        join project_group_roles group_role on group_role.group_id = member.group_id
        where member.user_id = users.id)`.as('groupProjects'),
    ])
    .orderBy('users.id')
    .execute();
