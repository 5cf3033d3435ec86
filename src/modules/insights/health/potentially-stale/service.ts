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
  insertPotentiallyStale,
  listPending,
  listPendingOf,
} from './queries.ts';

/** A transaction holds the log's lock while it writes its events. With this many, no other writer waits long. */
const batchSize = 200;

export const forgetNoLongerDue = async (tx: Tx): Promise<void> => {
  await deleteNoLongerDue(tx);
};

/**
 * Records features that became potentially stale, or marks them as stale if their project is set to do so. Due features
 * are read again after locking, so that two instances record each of them once. Returns whether there may be more.
 */
export async function recordSomeDue(tx: Tx): Promise<boolean> {
  const found = await listPending(tx.db, tx.now, batchSize);
  if (found.length === 0) return false;
  const names = found.map(({ name }) => name);
  const locked = new Map((await lockFeatures(tx, names)).map((each) => [each.name, each]));
  const due = await listPendingOf(tx, names);
  const left = due.filter(({ autoStale }) => !autoStale);
  if (left.length > 0) {
    await insertPotentiallyStale(
      tx,
      left.map(({ name }) => name),
    );
  }
  for (const feature of left) recordDue(tx, feature, locked.get(feature.name) as LockedFeature);
  const marking = grouped(
    due.filter(({ autoStale }) => autoStale),
    ({ project }) => project,
  );
  for (const [project, features] of marking) {
    await markStale(tx, project, { features: features.map(({ name }) => name), stale: true });
  }
  return found.length === batchSize;
}

const recordDue = (tx: Tx, { type, lifetimeDays, dueAt }: DueFeature, feature: LockedFeature) =>
  record(
    tx,
    featurePotentiallyStaleOn({
      ...aboutFeature(feature),
      data: { type, lifetimeDays, dueAt: dueAt.toISOString() },
    }),
  );
