import { sql } from 'kysely';
import type { Db, Tx } from '../../../../platform/db/database.ts';
import { builtInPermissions } from '../../../access/gate/index.ts';

export const insertComment = (tx: Tx, request: number, text: string) =>
  tx.db
    .insertInto('change_request_comments')
    .values({
      request_id: request,
      user_id: tx.actor.id,
      user_name: tx.actor.name,
      text,
      created_at: tx.now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();

export async function countComments(db: Db, request: number): Promise<number> {
  const { count } = await db
    .selectFrom('change_request_comments')
    .where('request_id', '=', request)
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

export const updateEmergencyReview = (tx: Tx, request: number) =>
  tx.db
    .updateTable('change_request_emergencies')
    .set({ reviewer_id: tx.actor.id, reviewer_name: tx.actor.name, reviewed_at: tx.now })
    .where('request_id', '=', request)
    .execute();

export async function listReviewerIds(db: Db, request: number): Promise<number[]> {
  const rows = await db
    .selectFrom('change_request_reviewers')
    .where('request_id', '=', request)
    .select('user_id as userId')
    .orderBy('user_id')
    .execute();
  return rows.map(({ userId }) => userId);
}

export async function replaceReviewers(tx: Tx, request: number, ids: readonly number[]) {
  await tx.db.deleteFrom('change_request_reviewers').where('request_id', '=', request).execute();
  if (ids.length === 0) return;
  await tx.db
    .insertInto('change_request_reviewers')
    .values(ids.map((id) => ({ request_id: request, user_id: id })))
    .execute();
}

export const listPeopleByIds = (db: Db, ids: readonly number[]) =>
  db
    .selectFrom('users')
    .where(sql<boolean>`id = any(${ids}::integer[])`)
    .where('deleted_at', 'is', null)
    .where('kind', '=', 'person')
    .select(['id', 'name', 'username', 'email'])
    .orderBy(sql`lower(coalesce(name, username, email))`)
    .orderBy('id')
    .execute();

/** The permissions of built-in roles are not stored. */
const builtInApprovers = [...builtInPermissions]
  .filter(([, held]) =>
    held.some(({ name }) => name === 'ADMIN' || name === 'APPROVE_CHANGE_REQUEST'),
  )
  .map(([role]) => role);

/** People whose roles contain the permission in the environment, and administrators. */
export async function listPossibleApprovers(
  db: Db,
  project: string,
  environment: string,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with approving as (
      select role_id from role_permissions
      where permission = 'APPROVE_CHANGE_REQUEST' and (environment is null or environment = ${environment})
      union select role_id from role_permissions where permission = 'ADMIN'
      union select unnest(${builtInApprovers}::int[]))
    select u.id from users u
    where u.kind = 'person' and u.deleted_at is null and (
      u.root_role in (select role_id from approving)
      or exists (select from project_user_roles r
        where r.user_id = u.id and r.project = ${project} and r.role_id in (select role_id from approving))
      or exists (select from group_users m join groups g on g.id = m.group_id
        where m.user_id = u.id and (g.root_role in (select role_id from approving) or exists (
          select from project_group_roles r
          where r.group_id = g.id and r.project = ${project} and r.role_id in (select role_id from approving)))))
    order by u.id limit 1000`.execute(db);
  return rows.map(({ id }) => id);
}
