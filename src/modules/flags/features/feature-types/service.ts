import type { Tx } from '../../../../platform/db/database.ts';
import { notFound } from '../../../../platform/errors.ts';
import { record } from '../../../events/index.ts';
import type { FeatureType } from './contract.ts';
import { featureTypeUpdated } from './events.ts';
import { insertFeatureTypes, lockFeatureType, updateLifetime } from './queries.ts';

export { listFeatureTypes } from './queries.ts';

/** A lifetime of 0 days means that features of the type never expire. */
export async function setLifetime(
  tx: Tx,
  id: string,
  lifetimeDays: number | null,
): Promise<FeatureType> {
  const before = await lockFeatureType(tx, id);
  if (!before) throw notFound('feature type', id);
  const after = { ...before, lifetimeDays: lifetimeDays || null };
  if (after.lifetimeDays === before.lifetimeDays) return before;
  await updateLifetime(tx, after);
  record(tx, featureTypeUpdated({ data: after, preData: before }));
  return after;
}

/** Adds a type of another installation. The import records the event. */
export const importFeatureType = (tx: Tx, type: FeatureType) => insertFeatureTypes(tx, [type], 100);

/** The types come with the product. Nobody creates them, so that no event is recorded. */
export async function createFeatureTypes(tx: Tx): Promise<void> {
  await insertFeatureTypes(tx, [
    {
      id: 'release',
      name: 'Release',
      description: 'Keeps unfinished work from users until it is released to all of them',
      lifetimeDays: 40,
    },
    {
      id: 'experiment',
      name: 'Experiment',
      description: 'Compares variants with each other until one of them has won',
      lifetimeDays: 40,
    },
    {
      id: 'operational',
      name: 'Operational',
      description: 'Accompanies a technical change, and goes when the change has proved itself',
      lifetimeDays: 7,
    },
    {
      id: 'kill-switch',
      name: 'Kill switch',
      description: 'Takes a part of the system out of use when it does harm',
      lifetimeDays: null,
    },
    {
      id: 'permission',
      name: 'Permission',
      description: 'Decides who gets a part of the product at all',
      lifetimeDays: null,
    },
  ]);
}
