import { sql } from 'kysely';
import type { Db, Tx } from '../../../platform/db/database.ts';
import type { RoleAssignment } from './assignments.ts';

/** Locks a project that is not archived, so that changes of its access wait for each other. */
export const lockActiveProject = (tx: Tx, project: string) =>
  tx.db
    .selectFrom('projects')
    .where('id', '=', project)
    .where('archived_at', 'is', null)
    .select('id')
    .forNoKeyUpdate()
    .executeTakeFirst();

/** The roles of groups and of accounts that are not deleted. */
export async function listAssignments(
  db: Db,
  project: string,
): Promise<(RoleAssignment & { readonly roleName: string })[]> {
  const { rows } = await sql<RoleAssignment & { roleName: string }>`
    select held.kind, held.id, held.role, roles.name as "roleName"
    from (
      select 'user' as kind, user_role.user_id as id, user_role.role_id as role
      from project_user_roles user_role join users on users.id = user_role.user_id
      where user_role.project = ${project} and users.deleted_at is null
      union all
      select 'group', group_id, role_id from project_group_roles where project = ${project}
    ) held
    join roles on roles.id = held.role
    order by held.role, held.kind, held.id`.execute(db);
  return rows;
}

/** As arrays, because a large request has more values than a statement takes parameters. */
const listOf = (assignments: readonly RoleAssignment[]) => sql`unnest(
  ${assignments.map(({ id }) => id)}::int[],
  ${assignments.map(({ role }) => role)}::int[])`;

/** A user who already has a role in the project keeps the date of the first one. */
const newRows = (
  tx: Tx,
  project: string,
  assignments: readonly RoleAssignment[],
  { table, key }: { readonly table: string; readonly key: string },
) => sql`
  select ${project}::text, added.id, added.role, coalesce((
    select min(held.granted_at) from ${sql.table(table)} held
    where held.project = ${project} and held.${sql.ref(key)} = added.id
  ), ${tx.now}::timestamptz)
  from ${listOf(assignments)} added(id, role)`;

const userRolesTable = { table: 'project_user_roles', key: 'user_id' };
const groupRolesTable = { table: 'project_group_roles', key: 'group_id' };

/** Call it before deleting roles, because it reads `granted_at` of the existing ones. */
export async function insertAssignments(
  tx: Tx,
  project: string,
  assignments: readonly RoleAssignment[],
) {
  const users = assignments.filter(({ kind }) => kind === 'user');
  const groups = assignments.filter(({ kind }) => kind === 'group');
  if (users.length > 0) {
    await tx.db
      .insertInto('project_user_roles')
      .columns(['project', 'user_id', 'role_id', 'granted_at'])
      .expression(newRows(tx, project, users, userRolesTable))
      .execute();
  }
  if (groups.length > 0) {
    await tx.db
      .insertInto('project_group_roles')
      .columns(['project', 'group_id', 'role_id', 'granted_at'])
      .expression(newRows(tx, project, groups, groupRolesTable))
      .execute();
  }
}

export async function deleteAssignments(
  tx: Tx,
  project: string,
  assignments: readonly RoleAssignment[],
) {
  const users = assignments.filter(({ kind }) => kind === 'user');
  const groups = assignments.filter(({ kind }) => kind === 'group');
  if (users.length > 0) {
    await tx.db
      .deleteFrom('project_user_roles')
      .where('project', '=', project)
      .where(sql<boolean>`(user_id, role_id) in (select * from ${listOf(users)})`)
      .execute();
  }
  if (groups.length > 0) {
    await tx.db
      .deleteFrom('project_group_roles')
      .where('project', '=', project)
      .where(sql<boolean>`(group_id, role_id) in (select * from ${listOf(groups)})`)
      .execute();
  }
}

export const upsertAccessChange = (tx: Tx, project: string) =>
  tx.db
    .insertInto('project_access_changes')
    .values({ project, changed_at: tx.now })
    .onConflict((conflict) => conflict.column('project').doUpdateSet({ changed_at: tx.now }))
    .execute();
