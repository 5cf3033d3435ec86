import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../platform/db/database.ts';
import type { RoleAssignments } from './grants.ts';

export interface Account extends RoleAssignments {
  readonly id: number;
  readonly kind: 'person' | 'service account';
  /** The name in events: the e-mail address, else the user name. */
  readonly name: string;
}

/** Everything that determines what an account may do. */
const selectAccount = (id: RawBuilder<unknown>) => sql<Account>`
    with own_groups as (
      select g.id, g.root_role from groups g join group_users u on u.group_id = g.id where u.user_id = ${id}
    ), root_roles as (
      select root_role as role from users where id = ${id}
      union select root_role from own_groups where root_role is not null
    ), project_roles as (
      select project, role_id as role from project_user_roles where user_id = ${id}
      union
      select r.project, r.role_id from project_group_roles r join own_groups g on g.id = r.group_id
    )
    select u.id, u.kind, coalesce(u.email, u.username, u.name) as name,
      (select coalesce(json_agg(role), '[]') from root_roles) as "rootRoles",
      (select coalesce(json_agg(p), '[]') from project_roles p) as "projectRoles",
      (select coalesce(json_agg(json_strip_nulls(json_build_object(
          'role', p.role_id, 'name', p.permission, 'environment', p.environment))), '[]')
        from role_permissions p
        where p.role_id in (select role from root_roles union select role from project_roles))
        as permissions,
      (select coalesce(json_agg(json_build_object('id', p.id, 'mode', p.mode)), '[]')
        from projects p
        where p.mode <> 'private' or p.id in (select project from project_roles)) as projects
    from users u
    where u.id = ${id} and u.deleted_at is null`;

/** In one statement, because it is read for requests. */
export async function findAccount(db: Db, id: number): Promise<Account | undefined> {
  const { rows } = await selectAccount(sql`${id}`).execute(db);
  return rows[0];
}

/** Without those that are gone. */
export async function listAccounts(db: Db, ids: readonly number[]): Promise<Account[]> {
  const { rows } = await sql<Account>`
    select account.* from unnest(${ids}::integer[]) as wanted (id)
    cross join lateral (${selectAccount(sql`wanted.id`)}) account`.execute(db);
  return rows;
}
