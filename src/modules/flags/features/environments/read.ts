import type { Db } from '../../../../platform/db/database.ts';
import type { EnvironmentAddress } from '../address-schema.ts';
import type { FeatureEnvironment } from '../feature-schema.ts';
import { listFeatureStrategies } from '../strategies/read/service.ts';
import { getEnvironmentState } from './state.ts';

/** Section 2.7 of the specification. */
export async function getFeatureEnvironment(
  db: Db,
  address: EnvironmentAddress,
): Promise<FeatureEnvironment> {
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
