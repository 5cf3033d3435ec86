import { sql } from 'kysely';
import type { Tx } from '../../../../../platform/db/database.ts';

export const deleteStrategies = (tx: Tx, ids: readonly string[]) =>
  tx.db.deleteFrom('feature_strategies').where(sql<boolean>`id = any(${ids}::text[])`).execute();
