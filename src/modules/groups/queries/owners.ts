import { sql } from 'kysely';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { roleIds } from '../../access/index.ts';

/** The living projects that a group owns, in which nobody else changes the owners meanwhile. */
export async function lockOwnedProjects(tx: Tx, group: number): Promise<string[]> {
  const rows = await tx.db
    .selectFrom('projects')
    .where('archived_at', 'is', null)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('project_group_roles as own')
          .whereRef('own.project', '=', 'projects.id')
          .where('own.group_id', '=', group)
          .where('own.role_id', '=', roleIds.owner)
          .select('own.group_id'),
      ),
    )
    .select('id')
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  return rows.map(({ id }) => id);
}

/** Those of these projects that no account owns which lives, by itself or through a group. */
export async function listOwnerless(db: Db, projects: readonly string[]): Promise<string[]> {
  if (projects.length === 0) return [];
  const { rows } = await sql<{ id: string }>`
    select project.id from unnest(${projects}::text[]) as project(id)
    where not exists (
      select from project_user_roles own join users account on account.id = own.user_id
      where own.project = project.id and own.role_id = ${roleIds.owner}
        and account.deleted_at is null)
    and not exists (
      select from project_group_roles own
      join group_users member on member.group_id = own.group_id
      join users account on account.id = member.user_id
      where own.project = project.id and own.role_id = ${roleIds.owner}
        and account.deleted_at is null)
    order by project.id`.execute(db as never);
  return rows.map(({ id }) => id);
}
