import type { Tx } from '../../../../platform/db/database.ts';
import {
  type Address,
  addDefaultStrategy,
  enableStrategies,
  getPlaces,
  type Place,
} from '../../strategies/index.ts';
import {
  getFeaturesInBulk,
  getLivingFeature,
  type LockedFeature,
  switchFeatures,
} from '../index.ts';

interface Switching {
  readonly enabled: boolean;
  /** Enables strategies that are disabled. */
  readonly activateDisabled?: boolean;
}

export async function switchOne(
  tx: Tx,
  { project, featureName, environment }: Address,
  switching: Switching,
): Promise<void> {
  const feature = await getLivingFeature(tx, project, featureName);
  await switchAll(tx, [feature], environment, switching);
}

/** All of them or none. */
export async function switchMany(
  tx: Tx,
  { project, environment }: Omit<Address, 'featureName'>,
  names: readonly string[],
  switching: Switching,
): Promise<void> {
  const features = await getFeaturesInBulk(tx, project, names);
  await switchAll(tx, features, environment, switching);
}

async function switchAll(
  tx: Tx,
  features: readonly LockedFeature[],
  environment: string,
  { enabled, activateDisabled = false }: Switching,
): Promise<void> {
  const places = await getPlaces(tx, features, environment);
  const turning = places.filter(({ state }) => state.enabled !== enabled);
  if (enabled) {
    const waking = activateDisabled ? places.filter(hasDisabled) : [];
    await enableStrategies(tx, waking);
    const awake = new Set(waking);
    const bare = turning.filter(
      (place) => place.state.enabledStrategies === 0 && !awake.has(place),
    );
    await addDefaultStrategy(tx, bare);
  }
  await switchFeatures(
    tx,
    turning.map(({ feature }) => feature),
    environment,
    enabled,
  );
}

const hasDisabled = ({ state }: Place) => state.strategies > state.enabledStrategies;
