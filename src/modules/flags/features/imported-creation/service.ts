import type { Tx } from '../../../../platform/db/database.ts';
import type { Creator } from '../assemble/feature-spec.ts';
import type { LockedFeature } from '../lock.ts';
import { updateCreation, updateFirstStage } from './queries.ts';

/**
 * Gives a feature the creation that it has in another installation, where one of this name may have been deleted and
 * created again. The import records the event.
 */
export async function importCreation(
  tx: Tx,
  { name }: LockedFeature,
  creation: { readonly createdAt: Date; readonly createdBy: Creator },
): Promise<void> {
  await updateCreation(tx, name, creation);
  await updateFirstStage(tx, name, creation.createdAt);
}
