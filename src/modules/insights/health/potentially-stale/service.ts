import type { Tx } from '../../../../platform/db/database.ts';
import { grouped } from '../../../../platform/grouped.ts';
import { record } from '../../../events/index.ts';
import {
  aboutFeature,
  type LockedFeature,
  lockFeatures,
  markStale,
} from '../../../flags/features/index.ts';
import { featurePotentiallyStaleOn } from './events.ts';
import {
  type DueFeature,
  deleteNoLongerDue,
  insertTold,
  listUntreated,
  listUntreatedOf,
} from './queries.ts';

/** The log's one lock is held while a transaction writes its events: so many keep nobody waiting. */
const batchSize = 200;

export const forgetNoLongerDue = async (tx: Tx): Promise<void> => {
  await deleteNoLongerDue(tx);
};

/**
 * Tells of features that became potentially stale, or marks them as stale where their project wishes it.
 * Once each, whoever else does the same: what is due is looked up again under the lock of the features.
 * Says whether there may be more.
 */
export async function tellSomeDue(tx: Tx): Promise<boolean> {
  const found = await listUntreated(tx.db, tx.now, batchSize);
  if (found.length === 0) return false;
  const names = found.map(({ name }) => name);
  const locked = new Map((await lockFeatures(tx, names)).map((each) => [each.name, each]));
  const due = await listUntreatedOf(tx, names);
  const left = due.filter(({ autoStale }) => !autoStale);
  if (left.length > 0) {
    await insertTold(
      tx,
      left.map(({ name }) => name),
    );
  }
  for (const feature of left) tell(tx, feature, locked.get(feature.name) as LockedFeature);
  const marking = grouped(
    due.filter(({ autoStale }) => autoStale),
    ({ project }) => project,
  );
  for (const [project, features] of marking) {
    await markStale(tx, project, { features: features.map(({ name }) => name), stale: true });
  }
  return found.length === batchSize;
}

const tell = (tx: Tx, { type, lifetimeDays, dueAt }: DueFeature, feature: LockedFeature) =>
  record(
    tx,
    featurePotentiallyStaleOn({
      ...aboutFeature(feature),
      data: { type, lifetimeDays, dueAt: dueAt.toISOString() },
    }),
  );
