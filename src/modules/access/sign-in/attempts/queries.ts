import { type Kysely, sql } from 'kysely';
import type { Database, Tx } from '../../../../platform/db/database.ts';
import { deleteInBatches } from '../../../../platform/db/in-batches.ts';
import type { AttemptCounter } from './throttle.ts';

/** Counts one more. Undefined if the limit is reached. Concurrent attempts all count. */
export const insertAttempt = (tx: Tx, { key, windowStart, most }: AttemptCounter) =>
  tx.db
    .insertInto('sign_in_attempts')
    .values({ key, window_start: windowStart, count: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['key', 'window_start'])
        .doUpdateSet(({ eb, ref }) => ({ count: eb(ref('sign_in_attempts.count'), '+', 1) }))
        .where('sign_in_attempts.count', '<', most),
    )
    .returning('count')
    .executeTakeFirst();

/** Takes back one attempt. */
export const updateAttemptsBack = (tx: Tx, { key, windowStart }: AttemptCounter) =>
  tx.db
    .updateTable('sign_in_attempts')
    .set(({ eb }) => ({ count: eb('count', '-', 1) }))
    .where('key', '=', key)
    .where('window_start', '=', windowStart)
    .where('count', '>', 0)
    .execute();

export const deleteAttempts = (tx: Tx, { key }: AttemptCounter) =>
  tx.db.deleteFrom('sign_in_attempts').where('key', '=', key).execute();

export const deleteAttemptsBefore = (db: Kysely<Database>, instant: Date) =>
  deleteInBatches(db, 'sign_in_attempts', sql`window_start < ${instant}`);
