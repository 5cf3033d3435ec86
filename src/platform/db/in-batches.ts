import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from './database.ts';

/** Rows per statement. Small enough that no other transaction waits long for a lock. */
const atOnce = 5_000;

/** Deletes the rows that match a condition, in batches. Each batch is its own transaction. */
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
