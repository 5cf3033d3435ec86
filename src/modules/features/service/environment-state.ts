import { explained } from '../../../platform/db/constraint.ts';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { notFound } from '../../../platform/errors.ts';
import { record } from '../../events/index.ts';
import { featureEnvironmentDisabled, featureEnvironmentEnabled } from '../part-events.ts';
import {
  type EnvironmentState,
  findEnvironmentState,
  upsertEnabled,
} from '../queries/environment-state.ts';
import type { LockedFeature } from '../queries/lock.ts';
import { placeOf } from './locked.ts';

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

/** Switches the state alone; says whether that changed anything. What being on demands is the caller's. */
export async function switchFeature(
  tx: Tx,
  feature: LockedFeature,
  environment: string,
  enabled: boolean,
): Promise<boolean> {
  const state = await getEnvironmentState(tx.db, feature, environment);
  if (state.enabled === enabled) return false;
  await explained(upsertEnabled(tx, feature.name, environment, enabled), {
    feature_environments_environment_fkey: () => notFound('environment', environment),
  });
  const event = enabled ? featureEnvironmentEnabled : featureEnvironmentDisabled;
  record(tx, event({ ...placeOf(feature), environment }));
  return true;
}
