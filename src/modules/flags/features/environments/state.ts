import type { Db, Tx } from '../../../../platform/db/database.ts';
import { notFound } from '../../../../platform/errors.ts';
import { recordEach } from '../../../events/index.ts';
import { aboutFeature, type LockedFeature } from '../lock.ts';
import { featureEnvironmentDisabled, featureEnvironmentEnabled } from './events.ts';
import { type EnvironmentState, findEnvironmentState, upsertEnabled } from './queries.ts';

/** The state of a feature in an environment that its project has. */
export async function getEnvironmentState(
  db: Db,
  feature: { readonly name: string; readonly project: string },
  environment: string,
): Promise<EnvironmentState> {
  const state = await findEnvironmentState(db, feature.name, environment);
  if (!state) throw notFound('environment', environment);
  return state;
}

/**
 * Switches locked features with one statement. None of them may have the state already, and a feature
 * that is switched on must have an enabled strategy: the caller sees to both.
 */
export async function switchFeatures(
  tx: Tx,
  features: readonly LockedFeature[],
  environment: string,
  enabled: boolean,
): Promise<void> {
  if (features.length === 0) return;
  await upsertEnabled(
    tx,
    features.map(({ name }) => name),
    environment,
    enabled,
  );
  await recordEach(tx, features, (feature) => switchEvent(feature, environment, enabled));
}

export function switchEvent(feature: LockedFeature, environment: string, enabled: boolean) {
  const event = enabled ? featureEnvironmentEnabled : featureEnvironmentDisabled;
  return event({ ...aboutFeature(feature), environment });
}
