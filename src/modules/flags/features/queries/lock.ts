import { sql } from 'kysely';
import type { Tx } from '../../../../platform/db/database.ts';
import type { EventTag } from '../../../events/index.ts';

/** A feature that somebody is about to change: nobody else does until the transaction ends. */
export interface LockedFeature {
  readonly name: string;
  readonly project: string;
  readonly type: string;
  readonly description: string | null;
  readonly impressionData: boolean;
  readonly stale: boolean;
  readonly createdAt: Date;
  readonly archivedAt: Date | null;
  readonly tags: readonly EventTag[];
}

/** Locks features in the order of their names, and reads them as they are once the lock is there. */
export async function lockFeatures(
  tx: Tx,
  names: readonly string[],
  purpose: 'change' | 'delete' = 'change',
): Promise<LockedFeature[]> {
  const { rows } = await sql<LockedFeature>`
    select name, project, type, description, "impressionData", stale, "createdAt", "archivedAt", tags
    from lock_features(${names}::text[], ${purpose === 'delete'})`.execute(tx.db);
  return rows;
}
