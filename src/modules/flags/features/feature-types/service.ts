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

/** The types come with the product. No one creates them, so that no event is recorded. */
export async function createFeatureTypes(tx: Tx): Promise<void> {
  await insertFeatureTypes(tx, [
    {
      id: 'release',
      name: 'Release',
      description: 'Hide unfinished work until it is released to everyone',
      lifetimeDays: 40,
    },
    {
      id: 'experiment',
      name: 'Experiment',
      description: 'Compare variants to find the best one',
      lifetimeDays: 40,
    },
    {
      id: 'operational',
      name: 'Operational',
      description: 'Support a technical change, such as a migration',
      lifetimeDays: 7,
    },
    {
      id: 'kill-switch',
      name: 'Kill switch',
      description: 'Disable part of the system when it causes problems',
      lifetimeDays: null,
    },
    {
      id: 'permission',
      name: 'Permission',
      description: 'Control who can use part of the product',
      lifetimeDays: null,
    },
  ]);
}
