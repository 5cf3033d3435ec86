import { sql } from 'kysely';
import type { Db, Tx } from '../../../../platform/db/database.ts';
import { lastEventId } from '../changes/queries.ts';

/** The event up to which a person has read; 0 at first. */
export const findReadUpTo = async (db: Db, userId: number): Promise<number> =>
  (
    await db
      .selectFrom('notification_reads')
      .where('user_id', '=', userId)
      .select('event_id')
      .executeTakeFirst()
  )?.event_id ?? 0;

/** Never moves back, and never past the last event. */
export const upsertReadUpTo = (tx: Tx, userId: number, upTo: number) =>
  tx.db
    .insertInto('notification_reads')
    .values({ user_id: userId, event_id: sql<number>`least(${upTo}::bigint, ${lastEventId})` })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet({
        event_id: sql<number>`greatest(notification_reads.event_id, excluded.event_id)`,
      }),
    )
    .execute();

export const deleteReadsOf = (tx: Tx, userId: number) =>
  tx.db.deleteFrom('notification_reads').where('user_id', '=', userId).execute();
