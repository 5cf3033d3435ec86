import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from './database.ts';

/** So many rows at a time: nobody waits long for a lock. */
const atOnce = 5_000;

/** Deletes what a condition holds for, by statements that are transactions of their own. */
export async function deleteInBatches(
  db: Kysely<Database>,
  table: keyof Database & string,
  condition: RawBuilder<unknown>,
  most = atOnce,
): Promise<void> {
  for (;;) {
    const { numDeletedRows } = await db
      .deleteFrom(table)
      .where(
        sql<boolean>`ctid = any(array(select ctid from ${sql.table(table)} where ${condition} limit ${most}))`,
      )
      .executeTakeFirstOrThrow();
    if (numDeletedRows < BigInt(most)) return;
  }
}
