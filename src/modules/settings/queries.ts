import type { Db, Tx } from '../../platform/db/database.ts';

export interface StoredSetting {
  readonly value: object;
  readonly secret: Buffer | null;
}

export const findSetting = (db: Db, id: string): Promise<StoredSetting | undefined> =>
  db.selectFrom('settings').where('id', '=', id).select(['value', 'secret']).executeTakeFirst();

/** Whoever changes a setting locks it first. */
export const lockSetting = (tx: Tx, id: string): Promise<StoredSetting | undefined> =>
  tx.db
    .selectFrom('settings')
    .where('id', '=', id)
    .select(['value', 'secret'])
    .forUpdate()
    .executeTakeFirst();

/** Those with a secret part. */
export const lockSecretSettings = (tx: Tx) =>
  tx.db
    .selectFrom('settings')
    .where('secret', 'is not', null)
    .select(['id', 'value', 'secret'])
    .orderBy('id')
    .forUpdate()
    .$narrowType<{ secret: Buffer }>()
    .execute();

/** False when somebody else was faster. */
export async function insertSetting(
  tx: Tx,
  id: string,
  { value, secret }: StoredSetting,
): Promise<boolean> {
  const inserted = await tx.db
    .insertInto('settings')
    .values({
      id,
      value: JSON.stringify(value),
      secret,
      created_at: tx.now,
      updated_at: tx.now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

export const updateSetting = (tx: Tx, id: string, { value, secret }: StoredSetting) =>
  tx.db
    .updateTable('settings')
    .set({ value: JSON.stringify(value), secret, updated_at: tx.now })
    .where('id', '=', id)
    .execute();

export async function deleteSetting(tx: Tx, id: string): Promise<boolean> {
  const deleted = await tx.db
    .deleteFrom('settings')
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst();
  return deleted !== undefined;
}
