import { sql } from 'kysely';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { erasedName } from '../../events/index.ts';

const columns = [
  'groups.id',
  'groups.name',
  'groups.description',
  'groups.mappings_sso as mappingsSSO',
  'groups.root_role as rootRole',
  'groups.created_by as createdBy',
  'groups.created_at as createdAt',
] as const;

/** A member in JSON, with dates as text. */
interface MemberRow {
  readonly joinedAt: string;
  readonly addedBy: string;
  readonly id: number;
  readonly kind: 'person' | 'service account';
  readonly name: string;
  readonly username: string | null;
  readonly email: string | null;
  readonly rootRole: number;
  readonly seenAt: string | null;
  readonly createdAt: string;
}

/** Groups with their members who are not deleted, and the projects in which they have a role. */
const selectGroupsWithMembers = (db: Db) =>
  db
    .selectFrom('groups')
    .select(columns)
    .select([
      sql<MemberRow[]>`(
        select coalesce(json_agg(json_build_object(
          'joinedAt', membership.joined_at, 'addedBy', membership.added_by, 'id', account.id,
          'kind', account.kind, 'name', account.name, 'username', account.username,
          'email', account.email, 'rootRole', account.root_role, 'seenAt', seen.seen_at,
          'createdAt', account.created_at) order by account.id), '[]')
        from group_users membership
        join users account on account.id = membership.user_id
        left join last_seen seen on seen.kind = 'account' and seen.id = account.id
        where membership.group_id = groups.id and account.deleted_at is null)`.as('members'),
      sql<string[]>`(
        select coalesce(json_agg(distinct group_role.project), '[]')
        from project_group_roles group_role where group_role.group_id = groups.id)`.as('projects'),
    ])
    .orderBy('groups.name');

export const listGroupsWithMembers = (db: Db) => selectGroupsWithMembers(db).execute();

export const findGroupWithMembers = (db: Db, id: number) =>
  selectGroupsWithMembers(db).where('groups.id', '=', id).executeTakeFirst();

export type GroupWithMembers = Awaited<ReturnType<typeof listGroupsWithMembers>>[number];

const locks = { change: 'forNoKeyUpdate', delete: 'forUpdate' } as const;

/** Lock a group before changing it or its members. Locks in the order of ids. */
export const lockGroups = (tx: Tx, ids: readonly number[], purpose: keyof typeof locks) =>
  tx.db
    .selectFrom('groups')
    .where(sql<boolean>`id = any(${ids}::int[])`)
    .select(columns)
    .orderBy('id')
    [locks[purpose]]()
    .execute();

interface Draft {
  readonly name: string;
  readonly description: string | null;
  readonly mappingsSSO: readonly string[];
  readonly rootRole: number | null;
}

const toColumns = ({ name, description, mappingsSSO, rootRole }: Draft) => ({
  name,
  description,
  mappings_sso: [...mappingsSSO],
  root_role: rootRole,
});

const insertAgain = (tx: Tx, { name, description, mappingsSSO, rootRole }: Draft, id: number) =>
  tx.db
    .insertInto('groups')
    .columns([
      ...(['id', 'name', 'description', 'mappings_sso', 'root_role'] as const),
      ...(['created_at', 'created_by', 'created_by_user_id'] as const),
    ])
    .expression(
      // The database generates IDs otherwise.
      sql`overriding system value values (${id}::integer, ${name}::text, ${description}::text,
        ${mappingsSSO}::text[], ${rootRole}::integer, ${tx.now}::timestamptz,
        ${tx.actor.name}::text, ${tx.actor.id}::integer)`,
    )
    .execute();

export async function insertGroup(tx: Tx, group: Draft, own?: number): Promise<number> {
  if (own !== undefined) {
    await insertAgain(tx, group, own);
    return own;
  }
  const { id } = await tx.db
    .insertInto('groups')
    .values({
      ...toColumns(group),
      created_at: tx.now,
      created_by: tx.actor.name,
      created_by_user_id: tx.actor.id,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export const updateGroup = (tx: Tx, { id, ...group }: Draft & { readonly id: number }) =>
  tx.db.updateTable('groups').set(toColumns(group)).where('id', '=', id).execute();

export const deleteGroup = (tx: Tx, id: number) =>
  tx.db.deleteFrom('groups').where('id', '=', id).execute();

/** The roles of a group by project. */
export const listProjectRoles = (db: Db, group: number) =>
  db
    .selectFrom('project_group_roles')
    .where('group_id', '=', group)
    .select(['project', sql<number[]>`array_agg(role_id order by role_id)`.as('roles')])
    .groupBy('project')
    .orderBy('project')
    .execute();

/** The groups whose members come from the OpenID Connect provider, and whether the user is a member. */
export const listMappedGroups = (db: Db, userId: number) =>
  db
    .selectFrom('groups')
    .where(sql<boolean>`cardinality(mappings_sso) > 0`)
    .select(['id', 'mappings_sso as mappingsSSO'])
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('group_users')
          .whereRef('group_users.group_id', '=', 'groups.id')
          .where('group_users.user_id', '=', userId)
          .select('group_users.user_id'),
      ).as('isMember'),
    )
    .execute();

export async function updateForgotten(tx: Tx, userId: number): Promise<void> {
  await tx.db
    .updateTable('groups')
    .set({ created_by: erasedName })
    .where('created_by_user_id', '=', userId)
    .execute();
  await tx.db
    .updateTable('group_users')
    .set({ added_by: erasedName })
    .where('added_by_user_id', '=', userId)
    .execute();
}
