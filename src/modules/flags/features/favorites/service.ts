import type { Tx } from '../../../../platform/db/database.ts';
import { record } from '../../../events/index.ts';
import { aboutFeature, lockActiveFeature, lockFeatures } from '../lock.ts';
import {
  favoriteImported,
  favoriteWithdrawn,
  featureFavorited,
  featureUnfavorited,
} from './events.ts';
import { deleteFavorite, insertFavorite } from './queries.ts';

/** A favorite of the actor. */
export async function addFavorite(tx: Tx, project: string, name: string): Promise<void> {
  const feature = await lockActiveFeature(tx, project, name);
  if (await insertFavorite(tx, name)) {
    record(tx, featureFavorited({ ...aboutFeature(feature), data: { feature: name } }));
  }
}

/** Whether it is a favorite of someone else, as another installation has it. Returns whether that is new. */
export async function importFavorite(
  tx: Tx,
  name: string,
  user: number,
  isFavorite: boolean,
): Promise<boolean> {
  const [feature] = await lockFeatures(tx, [name]);
  const change = isFavorite ? insertFavorite : deleteFavorite;
  if (!feature || feature.archivedAt || !(await change(tx, name, user))) return false;
  const event = isFavorite ? favoriteImported : favoriteWithdrawn;
  record(tx, event({ ...aboutFeature(feature), data: { feature: name, userId: user } }));
  return true;
}

export async function removeFavorite(tx: Tx, project: string, name: string): Promise<void> {
  const feature = await lockActiveFeature(tx, project, name);
  if (await deleteFavorite(tx, name)) {
    record(tx, featureUnfavorited({ ...aboutFeature(feature), data: { feature: name } }));
  }
}
