import type { Tx } from '../../../../platform/db/database.ts';
import {
  holdFeatures,
  holdNewlySeen,
  insertLastSeen,
  type Sighting,
  updateLastSeen,
} from './queries.ts';

/**
 * Stores when features, also archived ones, were last evaluated. Each feature and environment comes once. Features are
 * locked before their states, as everywhere. Where all states exist, which is nearly always, this waits only for
 * deletions.
 */
export async function markSeen(tx: Tx, sightings: readonly Sighting[]): Promise<void> {
  if (sightings.length === 0) return;
  await holdFeatures(tx, sightings);
  const hasNew = await holdNewlySeen(tx, sightings);
  await updateLastSeen(tx, sightings);
  if (hasNew) await insertLastSeen(tx, sightings);
}
