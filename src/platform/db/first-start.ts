import { type Generated, sql } from 'kysely';
import type { Tx } from './database.ts';

interface InstallationTable {
  only_row: boolean;
  first_started_at: Date;
  /** Made by the database. */
  instance_id: Generated<string>;
}

interface ModuleStartsTable {
  module: string;
  started_at: Date;
}

declare module './database.ts' {
  interface Database {
    installation: InstallationTable;
    module_starts: ModuleStartsTable;
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

/** Writes what is there already: tells whether anything can be written. */
export const touchInstallation = (tx: Tx) =>
  tx.db
    .updateTable('installation')
    .set(({ ref }) => ({ first_started_at: ref('first_started_at') }))
    .execute();

/**
 * Which of these modules the installation has never had before: all of them at the first start, the
 * new ones after an upgrade. What they begin with is made in this transaction, and never again.
 */
export async function listNewModules(
  tx: Tx,
  modules: readonly string[],
): Promise<ReadonlySet<string>> {
  const started = await tx.db
    .insertInto('module_starts')
    .columns(['module', 'started_at'])
    .expression(({ selectFrom }) =>
      selectFrom(sql<{ module: string }>`unnest(${modules}::text[])`.as<'own'>(sql`own(module)`))
        .select(['own.module', sql<Date>`${tx.now}::timestamptz`.as('started_at')])
        .orderBy('own.module'),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning('module')
    .execute();
  return new Set(started.map(({ module }) => module));
}
