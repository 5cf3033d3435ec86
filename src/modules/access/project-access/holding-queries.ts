import { sql } from 'kysely';
import type { Db, Tx } from '../../../platform/db/database.ts';
import type { Holding } from './holding.ts';

/** A living project; whoever changes who has access to it waits here for whoever came first. */
export const lockLivingProject = (tx: Tx, project: string) =>
  tx.db
    .selectFrom('projects')
    .where('id', '=', project)
    .where('archived_at', 'is', null)
    .select('id')
    .forNoKeyUpdate()
    .executeTakeFirst();

/** Every role that a group or a living account has in a project. */
export async function listHoldings(
  db: Db,
  project: string,
): Promise<(Holding & { readonly roleName: string })[]> {
  const { rows } = await sql<Holding & { roleName: string }>`
    select held.kind, held.id, held.role, roles.name as "roleName"
    from (
      select 'user' as kind, own.user_id as id, own.role_id as role
      from project_user_roles own join users on users.id = own.user_id
      where own.project = ${project} and users.deleted_at is null
      union all
      select 'group', group_id, role_id from project_group_roles where project = ${project}
    ) held
    join roles on roles.id = held.role
    order by held.role, held.kind, held.id`.execute(db);
  return rows;
}

/** As arrays: as single values, those of a large request are more than a statement can have. */
const listOf = (holdings: readonly Holding[]) => sql`unnest(
  ${holdings.map(({ id }) => id)}::int[],
  ${holdings.map(({ role }) => role)}::int[])`;

/** Whoever holds something in the project already has been there since then, whatever they hold next. */
const newRows = (
  tx: Tx,
  project: string,
  holdings: readonly Holding[],
  { table, key }: { readonly table: string; readonly key: string },
) => sql`
  select ${project}::text, added.id, added.role, coalesce((
    select min(held.granted_at) from ${sql.table(table)} held
    where held.project = ${project} and held.${sql.ref(key)} = added.id
  ), ${tx.now}::timestamptz)
  from ${listOf(holdings)} added(id, role)`;

const usersTable = { table: 'project_user_roles', key: 'user_id' };
const groupsTable = { table: 'project_group_roles', key: 'group_id' };

/** To be called before the holders lose what they have: since when they have it is looked up there. */
export async function insertHoldings(tx: Tx, project: string, holdings: readonly Holding[]) {
  const users = holdings.filter(({ kind }) => kind === 'user');
  const groups = holdings.filter(({ kind }) => kind === 'group');
  if (users.length > 0) {
    await tx.db
      .insertInto('project_user_roles')
      .columns(['project', 'user_id', 'role_id', 'granted_at'])
      .expression(newRows(tx, project, users, usersTable))
      .execute();
  }
  if (groups.length > 0) {
    await tx.db
      .insertInto('project_group_roles')
      .columns(['project', 'group_id', 'role_id', 'granted_at'])
      .expression(newRows(tx, project, groups, groupsTable))
      .execute();
  }
}

export async function deleteHoldings(tx: Tx, project: string, holdings: readonly Holding[]) {
  const users = holdings.filter(({ kind }) => kind === 'user');
  const groups = holdings.filter(({ kind }) => kind === 'group');
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

export const upsertChange = (tx: Tx, project: string) =>
  tx.db
    .insertInto('project_access_changes')
    .values({ project, changed_at: tx.now })
    .onConflict((conflict) => conflict.column('project').doUpdateSet({ changed_at: tx.now }))
    .execute();
