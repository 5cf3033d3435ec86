import type { Actor } from '../../../../platform/actor.ts';
import type { Db, Tx } from '../../../../platform/db/database.ts';
import { recordEach } from '../../../events/index.ts';
import { getFeatureIn } from '../find-feature.ts';
import { aboutFeature, type LockedFeature, lockActiveFeature } from '../lock.ts';
import {
  type Completion,
  type EnteredStage,
  type Stage,
  type StageCounts,
  stages,
} from './contract.ts';
import { featureCompleted, featureUncompleted } from './events.ts';
import {
  countStages,
  deleteStages,
  type Entry,
  insertStage,
  listCompletions,
  listEnteredStages,
  upsertCompletions,
} from './queries.ts';

interface Address {
  readonly project: string;
  readonly feature: string;
}

const namesOf = (features: readonly LockedFeature[]) => features.map(({ name }) => name);

export async function getLifecycle(db: Db, { project, feature }: Address): Promise<EnteredStage[]> {
  const { name } = await getFeatureIn(db, project, feature);
  const entered = await listEnteredStages(db, name);
  return entered.map(({ stage, enteredAt, status, statusValue }) => ({
    stage,
    enteredStageAt: enteredAt.toISOString(),
    ...(status !== null && { status }),
    ...(statusValue !== null && { statusValue }),
  }));
}

/** A completed feature can be completed again, with another outcome. */
export async function completeFeature(
  tx: Tx,
  { project, feature: name }: Address,
  completion: Completion,
): Promise<void> {
  await completeLockedFeatures(tx, [await lockActiveFeature(tx, project, name)], completion);
}

/** Returns the names of those that did not have this outcome yet. */
export async function completeLockedFeatures(
  tx: Tx,
  features: readonly LockedFeature[],
  { status, statusValue }: Completion,
): Promise<readonly string[]> {
  const before = await listCompletions(tx.db, namesOf(features));
  const same = before.filter(
    (each) => each.status === status && each.statusValue === (statusValue ?? null),
  );
  const had = new Set(same.map(({ featureName }) => featureName));
  const changing = features.filter(({ name }) => !had.has(name));
  if (changing.length === 0) return [];
  const outcome = { status, ...(statusValue !== undefined && { statusValue }) };
  await upsertCompletions(tx, namesOf(changing), outcome);
  const data = { ...outcome, kept: status === 'kept' };
  await recordEach(tx, changing, (feature) => featureCompleted({ ...aboutFeature(feature), data }));
  return namesOf(changing);
}

export async function uncompleteFeature(
  tx: Tx,
  { project, feature: name }: Address,
): Promise<void> {
  await uncompleteLockedFeatures(tx, [await lockActiveFeature(tx, project, name)]);
}

/** Returns the names of those that were completed. */
export async function uncompleteLockedFeatures(
  tx: Tx,
  features: readonly LockedFeature[],
): Promise<readonly string[]> {
  const removed = await deleteStages(tx, namesOf(features), 'completed');
  const had = new Set(removed.map(({ featureName }) => featureName));
  const changed = features.filter(({ name }) => had.has(name));
  await recordEach(tx, changed, (feature) => featureUncompleted(aboutFeature(feature)));
  return namesOf(changed);
}

/** Moves features forward to a stage. Features at this stage or a later one stay there. */
export async function enterStage(tx: Tx, entries: readonly Entry[], stage: Stage): Promise<void> {
  if (entries.length > 0) await insertStage(tx, entries, stage);
}

/**
 * Puts a feature at the stage that it has in another installation, also back to an earlier one. The import records the
 * event.
 */
export async function importStage(
  tx: Tx,
  { name }: LockedFeature,
  { stage, at, status }: { stage: Stage; at: Date; status?: Completion['status'] | null },
): Promise<void> {
  for (const later of stages.slice(stages.indexOf(stage) + 1)) {
    await deleteStages(tx, [name], later);
  }
  await enterStage(tx, [{ feature: name, at }], stage);
  if (stage === 'completed') await upsertCompletions(tx, [name], { status: status ?? 'kept' });
}

const countedAs = {
  initial: 'initial',
  'pre-live': 'preLive',
  live: 'live',
  completed: 'completed',
  archived: 'archived',
} as const;

export async function countStagesFor(db: Db, { sees }: Actor): Promise<StageCounts> {
  const counts = { initial: 0, preLive: 0, live: 0, completed: 0, archived: 0 };
  for (const { stage, count } of await countStages(db, sees)) counts[countedAs[stage]] = count;
  return counts;
}
