import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../platform/db/database.ts';
import { instantText } from '../../../platform/db/instant-text.ts';
import { imageUrlIn } from '../users/index.ts';
import type { ProjectAccess } from './contract.ts';

const accountFields = (baseUrl: string) => sql`
  'id', u.id, 'name', u.name, 'username', u.username, 'email', u.email,
  'imageUrl', ${imageUrlIn(sql.ref('u.id'), baseUrl)}`;

const listed = (item: RawBuilder<unknown>, rest: RawBuilder<unknown>, order: RawBuilder<unknown>) =>
  sql`(select coalesce(json_agg(json_strip_nulls(json_build_object(${item})) order by ${order}), '[]') ${rest})`;

const heldFields = sql`
  'addedAt', ${instantText('held.since')}, 'roleId', held.roles[1], 'roles', held.roles`;

/** Reads all users, groups and roles of a project in one statement, so that they are consistent. */
export async function readAccess(db: Db, project: string, baseUrl: string): Promise<ProjectAccess> {
  const account = accountFields(baseUrl);
  const users = listed(
    sql`${account},
      'accountType', case u.kind when 'person' then 'User' else 'Service Account' end,
      ${heldFields}`,
    sql`from users u join (
        select user_id, min(granted_at) as since, array_agg(role_id order by role_id) as roles
        from project_user_roles where project = ${project} group by user_id
      ) held on held.user_id = u.id
      where u.deleted_at is null`,
    sql`u.name, u.id`,
  );
  const members = listed(
    sql`'user', json_strip_nulls(json_build_object(${account})),
      'joinedAt', ${instantText('member.joined_at')}, 'createdBy', member.added_by`,
    sql`from group_users member join users u on u.id = member.user_id
      where member.group_id = g.id and u.deleted_at is null`,
    sql`u.name, u.id`,
  );
  const groups = listed(
    sql`'id', g.id, 'name', g.name, 'description', g.description,
      'mappingsSSO', g.mappings_sso, 'rootRole', g.root_role,
      'createdAt', ${instantText('g.created_at')}, 'createdBy', g.created_by,
      'users', ${members}, ${heldFields}`,
    sql`from groups g join (
        select group_id, min(granted_at) as since, array_agg(role_id order by role_id) as roles
        from project_group_roles where project = ${project} group by group_id
      ) held on held.group_id = g.id`,
    sql`g.name, g.id`,
  );
  const roles = listed(
    sql`'id', r.id, 'name', r.name, 'type', r.type, 'description', r.description`,
    sql`from roles r where r.type in ('project', 'custom')`,
    sql`r.id`,
  );
  const { rows } = await sql<ProjectAccess>`
    select ${users} as users, ${groups} as groups, ${roles} as roles`.execute(db);
  const access = rows[0] as ProjectAccess;
  // The statement omits null, but a group without a description has null.
  const described = access.groups.map((group) => ({
    ...group,
    description: group.description ?? null,
  }));
  return { ...access, groups: described };
}
