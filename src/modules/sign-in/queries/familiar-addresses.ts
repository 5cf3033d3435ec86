import type { Db, Tx } from '../../../platform/db/database.ts';

export async function isFamiliar(
  db: Db,
  { userId, address, since }: { userId: number; address: string; since: Date },
): Promise<boolean> {
  const found = await db
    .selectFrom('familiar_addresses')
    .where('user_id', '=', userId)
    .where('address', '=', address)
    .where('seen_at', '>', since)
    .select('user_id')
    .executeTakeFirst();
  return found !== undefined;
}

export const upsertFamiliar = (tx: Tx, { userId, address }: { userId: number; address: string }) =>
  tx.db
    .insertInto('familiar_addresses')
    .values({ user_id: userId, address, seen_at: tx.now })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'address']).doUpdateSet({ seen_at: tx.now }),
    )
    .execute();

export const deleteFamiliarOf = (tx: Tx, userId: number) =>
  tx.db.deleteFrom('familiar_addresses').where('user_id', '=', userId).execute();

export const deleteFamiliarBefore = (tx: Tx, instant: Date) =>
  tx.db.deleteFrom('familiar_addresses').where('seen_at', '<', instant).execute();
