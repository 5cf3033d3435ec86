import type { Db, Tx } from '../../../../platform/db/database.ts';
import { notFound } from '../../../../platform/errors.ts';
import { getLivingFeature, type LockedFeature } from '../../features/index.ts';
import { findPlace, listStates, type State } from '../queries/place.ts';

/** Where strategies are: a feature in an environment of its project. */
export interface Address {
  readonly project: string;
  readonly featureName: string;
  readonly environment: string;
}

/** A locked feature in an environment, with how it stands there. */
export interface Place {
  readonly feature: LockedFeature;
  readonly environment: string;
  readonly state: State;
}

/** Throws when the address is of nothing; archived features can be read too. */
export async function getReadablePlace(db: Db, address: Address): Promise<void> {
  const place = await findPlace(db, address);
  if (!place) throw notFound('feature', address.featureName);
  if (place.environment === null) throw notFound('environment', address.environment);
}

/** The places of features that are locked already. */
export async function getPlaces(
  tx: Tx,
  features: readonly LockedFeature[],
  environment: string,
): Promise<Place[]> {
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

/** Locks the feature: whoever changes its strategies begins here. */
export async function getPlace(tx: Tx, { project, featureName, environment }: Address) {
  const feature = await getLivingFeature(tx, project, featureName);
  const [place] = await getPlaces(tx, [feature], environment);
  return place as Place;
}
