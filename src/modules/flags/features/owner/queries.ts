import { type RawBuilder, sql } from 'kysely';
import type { Db, Tx } from '../../../../platform/db/database.ts';
import { roleIds } from '../../../access/gate/index.ts';
import type { SetOwner } from './owner-schema.ts';

/** The owner of a feature with the name that the user or group has now. */
export interface Owner extends SetOwner {
  readonly name: string;
}

/** How the view feature_owners names a user `u`. */
export const shownName = sql`coalesce(nullif(u.name, ''), u.email, u.username, u.id::text)`;

interface FoundOwner {
  readonly name: string;
  readonly seesProject: boolean;
}

/** A user who is not deleted. Admins and users with a role see a private project. */
export async function findUser(
  db: Db,
  id: number,
  project: string,
): Promise<FoundOwner | undefined> {
  const { rows } = await sql<FoundOwner>`
    with own_groups as (
      select g.id, g.root_role from groups g join group_users m on m.group_id = g.id
      where m.user_id = ${id}
    )
    select ${shownName} as name,
      u.root_role = ${roleIds.admin}
      or exists (select from own_groups where root_role = ${roleIds.admin})
      or exists (select from projects p where p.id = ${project} and p.mode <> 'private')
      or exists (
        select from project_user_roles r where r.user_id = u.id and r.project = ${project})
      or exists (
        select from project_group_roles r join own_groups g on g.id = r.group_id
        where r.project = ${project}) as "seesProject"
    from users u
    where u.id = ${id} and u.kind = 'person' and u.deleted_at is null`.execute(db);
  return rows[0];
}

const groupIn = (id: number, project: string) => sql<FoundOwner>`
  select g.name,
    coalesce(g.root_role = ${roleIds.admin}, false)
    or exists (select from projects p where p.id = ${project} and p.mode <> 'private')
    or exists (
      select from project_group_roles r where r.group_id = g.id and r.project = ${project}
    ) as "seesProject"
  from groups g where g.id = ${id}`;

export async function findGroup(
  db: Db,
  id: number,
  project: string,
): Promise<FoundOwner | undefined> {
  const { rows } = await groupIn(id, project).execute(db);
  return rows[0];
}

/** Locks the group, so that no one deletes it before it is an owner. */
export async function holdGroup(
  tx: Tx,
  id: number,
  project: string,
): Promise<FoundOwner | undefined> {
  const { rows } = await sql<FoundOwner>`${groupIn(id, project)} for key share of g`.execute(tx.db);
  return rows[0];
}

/** Users by email address or username in lower case, and groups by name. */
export async function listNamed(
  db: Db,
  { logins, groups }: { readonly logins: readonly string[]; readonly groups: readonly string[] },
): Promise<
  readonly { readonly type: SetOwner['type']; readonly id: number; readonly name: string }[]
> {
  const { rows } = await sql<{ type: SetOwner['type']; id: number; name: string }>`
    select 'user' as type, u.id, login.name
    from users u cross join lateral (values (lower(u.email)), (lower(u.username))) login(name)
    where login.name = any(${logins}::text[]) and u.kind = 'person' and u.deleted_at is null
    union all
    select 'group', g.id, g.name from groups g where g.name = any(${groups}::text[])`.execute(db);
  return rows;
}

/** Names of users by ID; null for none. */
export type OwnerNames = Readonly<Record<string, string>> | null;

/** The names of the users whom the sentence of the event `e` identifies by ID: former and new owners. */
export const ownerNamesOfEvent: RawBuilder<OwnerNames> = sql`
  case when e.type = 'feature-metadata-updated' then (
    select json_object_agg(u.id, u.name) from users u
    where u.id::text in (e.data->'owner'->>'id', e.pre_data->'owner'->>'id') and u.name <> ''
  ) end`;

/** The owner of the feature that a column names; null for none. */
export const ownerOf = (column: string): RawBuilder<Owner | null> => sql`(
  select json_build_object('type', o.type, 'id', o.id, 'name', o.name)
  from feature_owners o where o.feature_name = ${sql.raw(column)})`;

/** Those of the accounts that are users. */
export async function listUsers(db: Db, ids: readonly number[]): Promise<readonly Owner[]> {
  const { rows } = await sql<Owner>`
    select 'user' as type, u.id, ${shownName} as name
    from users u
    where u.id = any(${ids}::int[]) and u.kind = 'person' and u.deleted_at is null`.execute(db);
  return rows;
}
