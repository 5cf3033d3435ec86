import { sql } from 'kysely';
import type { Db } from '../../../../platform/db/database.ts';
import type { Source } from './contract.ts';

/** Every role of an account: root roles first, then by project, its own before those of its groups. */
export async function listSources(db: Db, userId: number): Promise<Source[]> {
  const { rows } = await sql<Omit<Source, 'group'> & { groupId: number | null; groupName: string }>`
    with own_groups as (
      select g.id, g.name, g.root_role from groups g
        join group_users u on u.group_id = g.id where u.user_id = ${userId}
    ), held as (
      select root_role as role, null::int as group_id, null::text as group_name, null::text as project
        from users where id = ${userId}
      union all
      select root_role, id, name, null from own_groups where root_role is not null
      union all
      select role_id, null, null, project from project_user_roles where user_id = ${userId}
      union all
      select r.role_id, g.id, g.name, r.project
        from project_group_roles r join own_groups g on g.id = r.group_id
    )
    select
      json_build_object('id', r.id, 'type', r.type, 'name', r.name, 'description', r.description) as role,
      group_id as "groupId", group_name as "groupName", project
    from held join roles r on r.id = held.role
    where project is null or project in (select id from projects where archived_at is null)
    order by project nulls first, group_name nulls first, r.id`.execute(db);
  return rows.map(({ groupId, groupName, ...source }) => ({
    ...source,
    ...(groupId !== null && { group: { id: groupId, name: groupName } }),
  }));
}
