import { sql } from 'kysely';
import type { Db, Tx } from '../../../platform/db/database.ts';

/** Those of the ids that are accounts and not deleted. */
export async function listActiveAccounts(db: Db, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('users')
    .where(sql<boolean>`id = any(${ids}::int[])`)
    .where('deleted_at', 'is', null)
    .select('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** The ids of members who are not deleted. */
export async function listMembers(db: Db, group: number): Promise<number[]> {
  const rows = await db
    .selectFrom('group_users as membership')
    .innerJoin('users', 'users.id', 'membership.user_id')
    .where('membership.group_id', '=', group)
    .where('users.deleted_at', 'is', null)
    .select('users.id')
    .orderBy('users.id')
    .execute();
  return rows.map(({ id }) => id);
}

interface Member {
  readonly userId: number;
  readonly joinedAt: Date;
  readonly addedBy: string;
  readonly addedByUserId: number | null;
}

/** A member whom the actor adds now. */
export const newMember = ({ actor, now }: Tx, userId: number): Member => ({
  userId,
  joinedAt: now,
  addedBy: actor.name,
  addedByUserId: actor.id,
});

/** Returns those who were no members before. */
export async function insertMembers(
  tx: Tx,
  group: number,
  members: readonly Member[],
): Promise<number[]> {
  if (members.length === 0) return [];
  const rows = await tx.db
    .insertInto('group_users')
    .columns(['group_id', 'user_id', 'joined_at', 'added_by', 'added_by_user_id'])
    .expression(
      sql`select ${group}::int, member.* from unnest(
        ${members.map(({ userId }) => userId)}::int[],
        ${members.map(({ joinedAt }) => joinedAt)}::timestamptz[],
        ${members.map(({ addedBy }) => addedBy)}::text[],
        ${members.map(({ addedByUserId }) => addedByUserId)}::int[]
      ) as member(user_id, joined_at, added_by, added_by_user_id)`,
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_id as userId')
    .execute();
  return rows.map(({ userId }) => userId);
}

/** Deletes all other members, including deleted accounts. */
export const deleteMembersExcept = (tx: Tx, group: number, staying: readonly number[]) =>
  tx.db
    .deleteFrom('group_users')
    .where('group_id', '=', group)
    .where(sql<boolean>`user_id <> all(${staying}::int[])`)
    .execute();

/** Returns the former membership, if there was one. */
export const deleteMember = (tx: Tx, group: number, userId: number): Promise<Member | undefined> =>
  tx.db
    .deleteFrom('group_users')
    .where('group_id', '=', group)
    .where('user_id', '=', userId)
    .returning([
      'user_id as userId',
      'joined_at as joinedAt',
      'added_by as addedBy',
      'added_by_user_id as addedByUserId',
    ])
    .executeTakeFirst();
