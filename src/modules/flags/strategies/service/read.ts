import type { Db } from '../../../../platform/db/database.ts';
import { notFound } from '../../../../platform/errors.ts';
import { getEnvironmentState, type Strategy } from '../../features/index.ts';
import type { FeatureEnvironment } from '../contract/switches.ts';
import { listStrategiesIn } from '../queries/strategies.ts';
import { type Address, getReadablePlace } from './place.ts';

export async function listFeatureStrategies(db: Db, address: Address): Promise<Strategy[]> {
  await getReadablePlace(db, address);
  return listStrategiesIn(db, [address.featureName], address.environment);
}

export async function getFeatureStrategy(db: Db, address: Address, id: string): Promise<Strategy> {
  const strategies = await listFeatureStrategies(db, address);
  const strategy = strategies.find((each) => each.id === id);
  if (!strategy) throw notFound('strategy', id);
  return strategy;
}

/** 2.7 */
export async function getFeatureEnvironment(db: Db, address: Address): Promise<FeatureEnvironment> {
  const { project, featureName, environment } = address;
  const strategies = await listFeatureStrategies(db, address);
  const state = await getEnvironmentState(db, { name: featureName, project }, environment);
  return {
    name: environment,
    featureName,
    environment,
    type: state.type,
    enabled: state.enabled,
    sortOrder: state.sortOrder,
    variantCount: state.variants.length,
    strategies,
    variants: state.variants,
    ...(state.lastSeenAt && { lastSeenAt: state.lastSeenAt.toISOString() }),
    hasStrategies: strategies.length > 0,
    hasEnabledStrategies: strategies.some(({ disabled }) => !disabled),
  };
}
