import type { Tx } from '../../../../platform/db/database.ts';
import type { EnvironmentAddress } from '../address-schema.ts';
import { type LockedFeature, lockActiveFeature, lockActiveFeatures } from '../lock.ts';
import { addDefaultStrategy, enableStrategies } from '../strategies/default-strategy/service.ts';
import { type FeatureInEnvironment, getFeaturesInEnvironment } from './feature-in-environment.ts';
import { switchFeatures } from './state.ts';

interface SwitchOptions {
  readonly enabled: boolean;
  /** Enables disabled strategies. */
  readonly activateDisabled?: boolean;
}

export async function switchOne(
  tx: Tx,
  { project, featureName, environment }: EnvironmentAddress,
  options: SwitchOptions,
): Promise<void> {
  const feature = await lockActiveFeature(tx, project, featureName);
  await switchAll(tx, [feature], environment, options);
}

/** Switches all of them or none. */
export async function switchMany(
  tx: Tx,
  { project, environment }: Omit<EnvironmentAddress, 'featureName'>,
  names: readonly string[],
  options: SwitchOptions,
): Promise<void> {
  const features = await lockActiveFeatures(tx, project, names);
  await switchAll(tx, features, environment, options);
}

async function switchAll(
  tx: Tx,
  features: readonly LockedFeature[],
  environment: string,
  { enabled, activateDisabled = false }: SwitchOptions,
): Promise<void> {
  const found = await getFeaturesInEnvironment(tx, features, environment);
  const switched = found.filter(({ state }) => state.enabled !== enabled);
  if (enabled) {
    const activated = activateDisabled ? found.filter(hasDisabledStrategy) : [];
    await enableStrategies(tx, activated);
    const withEnabledStrategy = new Set([
      ...activated,
      ...found.filter(({ state }) => state.enabledStrategies > 0),
    ]);
    await addDefaultStrategy(
      tx,
      switched.filter((feature) => !withEnabledStrategy.has(feature)),
    );
  }
  await switchFeatures(
    tx,
    switched.map(({ feature }) => feature),
    environment,
    enabled,
  );
}

const hasDisabledStrategy = ({ state }: FeatureInEnvironment) =>
  state.strategies > state.enabledStrategies;
