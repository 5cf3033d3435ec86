import type { Db } from '../../../../platform/db/database.ts';
import { notFound } from '../../../../platform/errors.ts';
import type { Strategy } from '../../features/index.ts';
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
