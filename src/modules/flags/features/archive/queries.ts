import { sql } from 'kysely';
import type { Tx } from '../../../../platform/db/database.ts';

const named = (names: readonly string[], column = 'name') =>
  sql<boolean>`${sql.ref(column)} = any(${names}::text[])`;

/** `archived` is the last stage of the lifecycle. */
export const archiveAt = (tx: Tx, names: readonly string[], at: Date) =>
  tx.db
    .with('archived', (db) =>
      db.updateTable('features').set({ archived_at: at }).where(named(names)).returning('name'),
    )
    .insertInto('feature_lifecycles')
    .columns(['feature_name', 'stage', 'entered_at'])
    .expression((db) =>
      db
        .selectFrom('archived')
        .select([
          'name',
          sql<'archived'>`'archived'`.as('stage'),
          sql<Date>`${at}::timestamptz`.as('entered_at'),
        ]),
    )
    .onConflict((conflict) =>
      conflict.columns(['feature_name', 'stage']).doUpdateSet({ entered_at: at }),
    )
    .execute();

/** A revived feature is disabled in every environment, and its lifecycle restarts. */
export const reviveNow = (tx: Tx, names: readonly string[]) =>
  tx.db
    .with('revived', (db) =>
      db.updateTable('features').set({ archived_at: null }).where(named(names)).returning('name'),
    )
    .with('off', (db) =>
      db
        .updateTable('feature_environments')
        .set({ enabled: false })
        .where(named(names, 'feature_name'))
        .where('enabled', '=', true),
    )
    .with('left', (db) =>
      db
        .deleteFrom('feature_lifecycles')
        .where(named(names, 'feature_name'))
        .where('stage', '<>', 'initial'),
    )
    .insertInto('feature_lifecycles')
    .columns(['feature_name', 'stage', 'entered_at'])
    .expression((db) =>
      db
        .selectFrom('revived')
        .select([
          'name',
          sql<'initial'>`'initial'`.as('stage'),
          sql<Date>`${tx.now}::timestamptz`.as('entered_at'),
        ]),
    )
    .onConflict((conflict) =>
      conflict.columns(['feature_name', 'stage']).doUpdateSet({ entered_at: tx.now }),
    )
    .execute();
