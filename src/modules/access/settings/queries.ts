import { sql } from 'kysely';
import type { Db, Tx } from '../../../platform/db/database.ts';

export interface StoredSetting {
  readonly value: object;
  readonly secret: Buffer | null;
}

export const findSetting = (db: Db, id: string): Promise<StoredSetting | undefined> =>
  db.selectFrom('settings').where('id', '=', id).select(['value', 'secret']).executeTakeFirst();

/** Lock a setting before changing it. */
export const lockSetting = (tx: Tx, id: string): Promise<StoredSetting | undefined> =>
  tx.db
    .selectFrom('settings')
    .where('id', '=', id)
    .select(['value', 'secret'])
    .forUpdate()
    .executeTakeFirst();

export const lockSecretSettings = (tx: Tx) =>
  tx.db
    .selectFrom('settings')
    .where('secret', 'is not', null)
    .select(['id', 'value', 'secret'])
    .orderBy('id')
    .forUpdate()
    .$narrowType<{ secret: Buffer }>()
    .execute();

/** Returns false if someone else was faster. */
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

/** The id that the installation has had since its first start. */
export async function findInstanceId(db: Db): Promise<string> {
  const { id } = await db
    .selectFrom('installation')
    .select('instance_id as id')
    .executeTakeFirstOrThrow();
  return id;
}

/** The number of sessions of the user who has most of them. */
export async function findMaxSessionsPerUser(db: Db, now: Date): Promise<number> {
  const busiest = await db
    .selectFrom('sessions')
    .where('expires_at', '>', now)
    .select(sql<number>`count(*)::int`.as('count'))
    .groupBy('user_id')
    .orderBy('count', 'desc')
    .limit(1)
    .executeTakeFirst();
  return busiest?.count ?? 0;
}
