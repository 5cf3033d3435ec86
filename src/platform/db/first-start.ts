import type { Tx } from './database.ts';

interface InstallationTable {
  only_row: boolean;
  first_started_at: Date;
}

declare module './database.ts' {
  interface Database {
    installation: InstallationTable;
  }
}

/**
 * Whether this transaction is the first start of the installation. Of several instances that start
 * at once on an empty database, the others wait here for the first one's commit.
 */
export async function isFirstStart(tx: Tx): Promise<boolean> {
  const inserted = await tx.db
    .insertInto('installation')
    .values({ only_row: true, first_started_at: tx.now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('first_started_at')
    .executeTakeFirst();
  return inserted !== undefined;
}
