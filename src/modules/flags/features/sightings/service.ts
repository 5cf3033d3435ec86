import type { Tx } from '../../../../platform/db/database.ts';
import {
  holdFeatures,
  holdNewlySeen,
  insertLastSeen,
  type Sighting,
  updateLastSeen,
} from './queries.ts';

/**
 * Notes when features, archived ones too, were asked for; each of them once in an environment. Features are locked
 * before what they have in environments, as by everybody; where all are known already, which is nearly always, nobody
 * waits but for a deletion.
 */
export async function markSeen(tx: Tx, sightings: readonly Sighting[]): Promise<void> {
  if (sightings.length === 0) return;
  await holdFeatures(tx, sightings);
  const hasNew = await holdNewlySeen(tx, sightings);
  await updateLastSeen(tx, sightings);
  if (hasNew) await insertLastSeen(tx, sightings);
}
