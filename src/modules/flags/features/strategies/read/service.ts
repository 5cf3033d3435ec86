import type { Db } from '../../../../../platform/db/database.ts';
import { notFound } from '../../../../../platform/errors.ts';
import type { EnvironmentAddress } from '../../address-schema.ts';
import { refuseUnknownAddress } from '../../environments/feature-in-environment.ts';
import type { Strategy } from '../../feature-schema.ts';
import { listStrategiesIn } from './queries.ts';

export async function listFeatureStrategies(
  db: Db,
  address: EnvironmentAddress,
): Promise<Strategy[]> {
  await refuseUnknownAddress(db, address);
  return listStrategiesIn(db, [address.featureName], address.environment);
}

export async function getFeatureStrategy(
  db: Db,
  address: EnvironmentAddress,
  id: string,
): Promise<Strategy> {
  const strategies = await listFeatureStrategies(db, address);
  const strategy = strategies.find((each) => each.id === id);
  if (!strategy) throw notFound('strategy', id);
  return strategy;
}
