import { type Kysely, sql } from 'kysely';
import type { Database, Db, Tx } from '../../../../platform/db/database.ts';
import { deleteInBatches } from '../../../../platform/db/in-batches.ts';

/** Those of the addresses from which the person has signed in. */
export async function listFamiliar(
  db: Db,
  { userId, addresses, since }: { userId: number; addresses: readonly string[]; since: Date },
): Promise<string[]> {
  const found = await db
    .selectFrom('familiar_addresses')
    .where('user_id', '=', userId)
    .where('address', 'in', addresses)
    .where('seen_at', '>', since)
    .select('address')
    .execute();
  return found.map(({ address }) => address);
}

export const upsertFamiliar = (tx: Tx, { userId, address }: { userId: number; address: string }) =>
  tx.db
    .insertInto('familiar_addresses')
    .values({ user_id: userId, address, seen_at: tx.now })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'address']).doUpdateSet({ seen_at: tx.now }),
    )
    .execute();

/** Deletes all but the newest addresses, because a script may have a new device each time. */
export const deleteOldFamiliar = (tx: Tx, userId: number, count: number) =>
  tx.db
    .deleteFrom('familiar_addresses')
    .where('user_id', '=', userId)
    .where('address', 'not in', (own) =>
      own
        .selectFrom('familiar_addresses')
        .where('user_id', '=', userId)
        .select('address')
        .orderBy('seen_at', 'desc')
        .orderBy('address')
        .limit(count),
    )
    .execute();

export const deleteFamiliarOf = (tx: Tx, userId: number) =>
  tx.db.deleteFrom('familiar_addresses').where('user_id', '=', userId).execute();

export const deleteFamiliarBefore = (db: Kysely<Database>, instant: Date) =>
  deleteInBatches(db, 'familiar_addresses', sql`seen_at < ${instant}`);
