import { sql } from 'kysely';
import type { Tx } from '../../../../../platform/db/database.ts';

export const updateEnabled = (tx: Tx, ids: readonly string[]) =>
  tx.db
    .updateTable('feature_strategies')
    .set({ disabled: false })
    .where(sql<boolean>`id = any(${ids}::text[])`)
    .execute();
