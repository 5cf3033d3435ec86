import { sql } from 'kysely';
import { roleIds } from '../../access/gate/index.ts';
import { imageUrlIn } from '../../access/users/index.ts';
import type { Owner } from './owners-schema.ts';

/** The number of people with a role in each project, directly or through a group. */
export const countedMembers = sql<{ project: string; count: number }>`(
  select held.project, count(distinct held.user_id)::int as count
  from (
    select project, user_id from project_user_roles
    union all
    select group_role.project, member.user_id
    from project_group_roles group_role join group_users member on member.group_id = group_role.group_id
  ) held
  join users on users.id = held.user_id
  where users.kind = 'person' and users.deleted_at is null
  group by held.project
)`;

/**
 * The owners of each project: accounts first, then groups, by name. Only readers who may read access see email
 * addresses.
 */
export const listedOwners = (baseUrl: string) => sql<{ project: string; list: Owner[] }>`(
  select project, json_agg(owner order by rank, name, id) as list
  from (
    select user_role.project, 1 as rank, called.name, users.id, json_build_object(
      'ownerType', 'user', 'name', called.name,
      'imageUrl', ${imageUrlIn(sql.ref('users.id'), baseUrl)}) as owner
    from project_user_roles user_role
    join users on users.id = user_role.user_id
    cross join lateral (
      select coalesce(nullif(users.name, ''), users.username, split_part(users.email, '@', 1), '') as name
    ) called
    where user_role.role_id = ${roleIds.owner} and users.deleted_at is null
    union all
    select group_role.project, 2, groups.name, groups.id,
      json_build_object('ownerType', 'group', 'name', groups.name)
    from project_group_roles group_role join groups on groups.id = group_role.group_id
    where group_role.role_id = ${roleIds.owner}
  ) owning
  group by project
)`;

/** The owner of a project without owners. */
export const nobody: Owner[] = [{ ownerType: 'system' }];
