import type { Db, Tx } from '../../../../platform/db/database.ts';
import { notFound } from '../../../../platform/errors.ts';
import { record, recordEach } from '../../../events/index.ts';
import type { LockedFeature } from '../lock.ts';
import { placeOf } from '../lock.ts';
import { featureEnvironmentDisabled, featureEnvironmentEnabled } from './events.ts';
import { type EnvironmentState, findEnvironmentState, upsertEnabled } from './queries.ts';

/** What a feature is in an environment that its project has. */
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
 * Switches locked features that are known not to be so yet, by one statement. What being on demands, a
 * strategy, is the caller's affair.
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

export function recordSwitch(
  tx: Tx,
  feature: LockedFeature,
  environment: string,
  enabled: boolean,
): void {
  record(tx, switchEvent(feature, environment, enabled));
}

function switchEvent(feature: LockedFeature, environment: string, enabled: boolean) {
  const event = enabled ? featureEnvironmentEnabled : featureEnvironmentDisabled;
  return event({ ...placeOf(feature), environment });
}
