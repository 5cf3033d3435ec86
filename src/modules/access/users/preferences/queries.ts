import { sql } from 'kysely';
import type { Db, Tx } from '../../../../platform/db/database.ts';

export const listSplashes = (db: Db, userId: number) =>
  db
    .selectFrom('user_splashes')
    .where('user_id', '=', userId)
    .select('splash_id as splashId')
    .orderBy('splash_id')
    .execute();

export const listFeedback = (db: Db, userId: number) =>
  db
    .selectFrom('user_feedback')
    .where('user_id', '=', userId)
    .select(['feedback_id as feedbackId', 'never_show as neverShow', 'given_at as givenAt'])
    .orderBy('feedback_id')
    .execute();

export const countPreferences = async (db: Db, userId: number): Promise<number> => {
  const { count } = await db
    .selectNoFrom(
      sql<number>`(
        (select count(*) from user_splashes where user_id = ${userId})
        + (select count(*) from user_feedback where user_id = ${userId})
      )::int`.as('count'),
    )
    .executeTakeFirstOrThrow();
  return count;
};

/** Returns false if the person has seen it already. */
export async function insertSplash(tx: Tx, userId: number, splashId: string): Promise<boolean> {
  const inserted = await tx.db
    .insertInto('user_splashes')
    .values({ user_id: userId, splash_id: splashId, seen_at: tx.now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('splash_id')
    .executeTakeFirst();
  return inserted !== undefined;
}

export const findFeedback = (db: Db, userId: number, feedbackId: string) =>
  db
    .selectFrom('user_feedback')
    .where('user_id', '=', userId)
    .where('feedback_id', '=', feedbackId)
    .select(['never_show as neverShow', 'given_at as givenAt'])
    .executeTakeFirst();

export const upsertFeedback = (
  tx: Tx,
  { userId, feedbackId, neverShow }: { userId: number; feedbackId: string; neverShow: boolean },
) =>
  tx.db
    .insertInto('user_feedback')
    .values({
      user_id: userId,
      feedback_id: feedbackId,
      never_show: neverShow,
      given_at: tx.now,
    })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'feedback_id']).doUpdateSet({ never_show: neverShow }),
    )
    .execute();
