import type { Tx } from '../../../../platform/db/database.ts';
import type { Creator } from '../assemble/feature-spec.ts';

export const updateCreation = (
  tx: Tx,
  feature: string,
  { createdAt, createdBy }: { readonly createdAt: Date; readonly createdBy: Creator },
) =>
  tx.db
    .updateTable('features')
    .set({
      created_at: createdAt,
      created_by: createdBy.name,
      created_by_user_id: createdBy.id,
    })
    .where('name', '=', feature)
    .execute();

/** The first stage begins when the feature is created. */
export const updateFirstStage = (tx: Tx, feature: string, createdAt: Date) =>
  tx.db
    .updateTable('feature_lifecycles')
    .set({ entered_at: createdAt })
    .where('feature_name', '=', feature)
    .where('stage', '=', 'initial')
    .execute();
