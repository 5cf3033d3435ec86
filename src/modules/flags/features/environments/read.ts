import type { Db } from '../../../../platform/db/database.ts';
import { type Address, listFeatureStrategies } from '../../strategies/index.ts';
import { getEnvironmentState } from '../index.ts';
import type { FeatureEnvironment } from './contract.ts';

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
