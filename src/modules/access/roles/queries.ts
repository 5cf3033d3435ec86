import { sql } from 'kysely';
import type { Actor } from '../../../platform/actor.ts';
import type { Db, Tx } from '../../../platform/db/database.ts';
import type { RolePermission } from '../gate/index.ts';
import type { Role, RoleUsage } from './contract.ts';

const columns = ['roles.id', 'roles.type', 'roles.name', 'roles.description'] as const;

const selectRoles = (db: Db) => db.selectFrom('roles').select(columns).orderBy('roles.id');

export const listRoles = (db: Db): Promise<Role[]> => selectRoles(db).execute();

const rootTypes = ['root', 'root-custom'] as const;

/** The roles for the installation, built-in ones first. */
export const listRootRoles = (db: Db): Promise<Role[]> =>
  selectRoles(db).where('type', 'in', rootTypes).execute();

export const findRole = (db: Db, id: number): Promise<Role | undefined> =>
  selectRoles(db).where('id', '=', id).executeTakeFirst();

export const findRootRole = (db: Db, idOrName: number | string): Promise<Role | undefined> =>
  selectRoles(db)
    .where('type', 'in', rootTypes)
    .where((by) =>
      typeof idOrName === 'number' ? by('id', '=', idOrName) : by('name', '=', idOrName),
    )
    .executeTakeFirst();

export const isNameTaken = async (db: Db, name: string): Promise<boolean> =>
  (await db.selectFrom('roles').where('name', '=', name).select('id').executeTakeFirst()) !==
  undefined;

const locks = { change: 'forNoKeyUpdate', delete: 'forUpdate' } as const;

/** The lock for deletion conflicts with assigning the role to someone. */
export const lockRole = (
  tx: Tx,
  id: number,
  purpose: keyof typeof locks,
): Promise<Role | undefined> =>
  selectRoles(tx.db).where('id', '=', id)[locks[purpose]]().executeTakeFirst();

/** Built-in roles have no rows. */
export async function listStoredPermissions(
  db: Db,
  roles: readonly number[],
): Promise<(RolePermission & { readonly role: number })[]> {
  const rows = await db
    .selectFrom('role_permissions')
    .where(sql<boolean>`role_id = any(${roles}::int[])`)
    .select(['role_id as role', 'permission as name', 'environment'])
    .execute();
  return rows.map(({ environment, ...row }) => ({
    ...row,
    ...(environment !== null && { environment }),
  }));
}

export const insertRole = (
  tx: Tx,
  { name, description, type }: Omit<Role, 'id'>,
  id?: number,
): Promise<Role> =>
  tx.db
    .insertInto('roles')
    .values({
      ...(id !== undefined && { id }),
      ...{ name, description, type, created_at: tx.now, updated_at: tx.now },
    })
    .returning(columns)
    .executeTakeFirstOrThrow();

export const updateRole = (tx: Tx, { id, name, description }: Role) =>
  tx.db
    .updateTable('roles')
    .set({ name, description, updated_at: tx.now })
    .where('id', '=', id)
    .execute();

export const deleteRole = (tx: Tx, id: number) =>
  tx.db.deleteFrom('roles').where('id', '=', id).execute();

/** As arrays, because two thousand permissions would be six thousand single parameters. */
export async function replacePermissions(
  tx: Tx,
  role: number,
  permissions: readonly RolePermission[],
): Promise<void> {
  await tx.db.deleteFrom('role_permissions').where('role_id', '=', role).execute();
  if (permissions.length === 0) return;
  await tx.db
    .insertInto('role_permissions')
    .columns(['role_id', 'permission', 'environment'])
    .expression(
      sql`select ${role}::int, held.permission, held.environment from unnest(
        ${permissions.map(({ name }) => name)}::text[],
        ${permissions.map(({ environment }) => environment ?? null)}::text[]
      ) as held(permission, environment)`,
    )
    .execute();
}

export const copyPermissions = (
  tx: Tx,
  { roles, from, to }: { roles: readonly number[]; from: string; to: string },
) =>
  tx.db
    .insertInto('role_permissions')
    .columns(['role_id', 'permission', 'environment'])
    .expression((by) =>
      by
        .selectFrom('role_permissions')
        .where('environment', '=', from)
        .where(sql<boolean>`role_id = any(${roles}::int[])`)
        .select(['role_id', 'permission', sql<string>`${to}::text`.as('environment')]),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();

export const deletePermissionsIn = (tx: Tx, environment: string) =>
  tx.db.deleteFrom('role_permissions').where('environment', '=', environment).execute();

export async function listEnvironmentNames(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('environments')
    .select('name')
    .orderBy('sort_order')
    .orderBy('name')
    .execute();
  return rows.map(({ name }) => name);
}

/** Those of the environments that exist. They cannot be deleted before the transaction ends. */
export async function lockEnvironments(tx: Tx, names: readonly string[]): Promise<string[]> {
  if (names.length === 0) return [];
  const rows = await tx.db
    .selectFrom('environments')
    .where(sql<boolean>`name = any(${names}::text[])`)
    .select('name')
    .orderBy('name')
    .forKeyShare()
    .execute();
  return rows.map(({ name }) => name);
}

/** The roles with permissions in this environment alone, locked in the order of their ids. */
export const lockRolesInEnvironment = (tx: Tx, environment: string): Promise<Role[]> =>
  selectRoles(tx.db)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('role_permissions')
          .whereRef('role_permissions.role_id', '=', 'roles.id')
          .where('role_permissions.environment', '=', environment)
          .select('role_permissions.role_id'),
      ),
    )
    .forNoKeyUpdate()
    .execute();

/** Where the role is assigned, directly or to a group. Deleted accounts do not count. */
export const listRoleUsage = (db: Db, role: number, sees: Actor['sees']): Promise<RoleUsage[]> =>
  db
    .selectFrom(
      sql<{ project: string; kind: string }>`(
        select user_role.project, account.kind
        from project_user_roles user_role join users account on account.id = user_role.user_id
        where user_role.role_id = ${role} and account.deleted_at is null
        union all
        select group_role.project, 'group' from project_group_roles group_role where group_role.role_id = ${role}
      )`.as('held'),
    )
    .$if(sees !== 'all', (query) =>
      query.where(sql<boolean>`held.project = any(${[...sees]}::text[])`),
    )
    .select([
      'held.project',
      sql<number>`${role}::int`.as('role'),
      sql<number>`count(*) filter (where held.kind = 'person')::int`.as('userCount'),
      sql<number>`count(*) filter (where held.kind = 'service account')::int`.as(
        'serviceAccountCount',
      ),
      sql<number>`count(*) filter (where held.kind = 'group')::int`.as('groupCount'),
    ])
    .groupBy('held.project')
    .orderBy('held.project')
    .execute();

export interface RootHolderCounts {
  readonly people: number;
  readonly serviceAccounts: number;
  readonly groups: number;
  readonly inviteLinks: number;
}

export async function countRootHolders(db: Db, role: number): Promise<RootHolderCounts> {
  const { rows } = await sql<RootHolderCounts>`
    select
      (select count(*) from users
        where root_role = ${role} and kind = 'person' and deleted_at is null) as people,
      (select count(*) from users
        where root_role = ${role} and kind = 'service account' and deleted_at is null)
        as "serviceAccounts",
      (select count(*) from groups where root_role = ${role}) as groups,
      (select count(*) from invite_links where role_id = ${role}) as "inviteLinks"`.execute(db);
  return rows[0] as RootHolderCounts;
}
