import type { Tx } from '../../../../platform/db/database.ts';
import { record } from '../../../events/index.ts';
import { aboutFeature, getLivingFeature } from '../lock.ts';
import { featureFavorited, featureUnfavorited } from './events.ts';
import { deleteFavorite, insertFavorite } from './queries.ts';

/** A favorite of the actor. */
export async function addFavorite(tx: Tx, project: string, name: string): Promise<void> {
  const feature = await getLivingFeature(tx, project, name);
  if (await insertFavorite(tx, name)) {
    record(tx, featureFavorited({ ...aboutFeature(feature), data: { feature: name } }));
  }
}

export async function removeFavorite(tx: Tx, project: string, name: string): Promise<void> {
  const feature = await getLivingFeature(tx, project, name);
  if (await deleteFavorite(tx, name)) {
    record(tx, featureUnfavorited({ ...aboutFeature(feature), data: { feature: name } }));
  }
}
