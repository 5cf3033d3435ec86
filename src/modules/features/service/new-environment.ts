import type { Tx } from '../../../platform/db/database.ts';
import { record } from '../../events/index.ts';
import { featureEnvironmentDisabled, featureEnvironmentEnabled } from '../part-events.ts';
import type { LockedFeature } from '../queries/lock.ts';
import { upsertAllEnabled } from '../queries/reorganisation.ts';
import { placeOf } from './locked.ts';

/** Switches locked features that are known not to be so yet: one statement for any number of them. */
export async function switchFeatures(
  tx: Tx,
  features: readonly LockedFeature[],
  environment: string,
  enabled: boolean,
): Promise<void> {
  if (features.length === 0) return;
  await upsertAllEnabled(
    tx,
    features.map(({ name }) => name),
    environment,
    enabled,
  );
  const event = enabled ? featureEnvironmentEnabled : featureEnvironmentDisabled;
  for (const feature of features) record(tx, event({ ...placeOf(feature), environment }));
}

/** Switches locked features on in an environment that their projects have just got: none is on there yet. */
export const switchOnInNew = (
  tx: Tx,
  features: readonly LockedFeature[],
  environment: string,
): Promise<void> => switchFeatures(tx, features, environment, true);
