import type { Db, Tx } from '../../../../platform/db/database.ts';
import { notFound } from '../../../../platform/errors.ts';
import type { EnvironmentAddress } from '../address-schema.ts';
import { type LockedFeature, lockActiveFeature } from '../lock.ts';
import { findProjectEnvironmentOf, listStates, type State } from './queries.ts';

/** A locked feature in an environment of its project, with its state there. */
export interface FeatureInEnvironment {
  readonly feature: LockedFeature;
  readonly environment: string;
  readonly state: State;
}

/** Throws unless the project has the feature, archived or not, and the environment. */
export async function refuseUnknownAddress(db: Db, address: EnvironmentAddress): Promise<void> {
  const found = await findProjectEnvironmentOf(db, address);
  if (!found) throw notFound('feature', address.featureName);
  if (found.environment === null) throw notFound('environment', address.environment);
}

/** The features are locked already. */
export async function getFeaturesInEnvironment(
  tx: Tx,
  features: readonly LockedFeature[],
  environment: string,
): Promise<FeatureInEnvironment[]> {
  const states = await listStates(
    tx,
    features.map(({ name }) => name),
    environment,
  );
  const byName = new Map(states.map((state) => [state.featureName, state]));
  return features.map((feature) => {
    const state = byName.get(feature.name);
    if (!state) throw notFound('environment', environment);
    return { feature, environment, state };
  });
}

/** Locks the feature. Every change of its strategies begins here. */
export async function getFeatureInEnvironment(
  tx: Tx,
  { project, featureName, environment }: EnvironmentAddress,
): Promise<FeatureInEnvironment> {
  const feature = await lockActiveFeature(tx, project, featureName);
  const [found] = await getFeaturesInEnvironment(tx, [feature], environment);
  return found as FeatureInEnvironment;
}
