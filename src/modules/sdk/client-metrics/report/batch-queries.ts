import type { Tx } from '../../../../platform/db/database.ts';

/**
 * Returns false if a batch with this id was counted before. Waits for a transaction that is counting it, on whichever
 * instance.
 */
export async function claimBatch(tx: Tx, id: string): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await tx.db
    .insertInto('usage_batches')
    .values({ id, counted_at: tx.now })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows > 0n;
}
