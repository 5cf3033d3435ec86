import type { Actor, Db, Tx } from '../../../../platform/db/database.ts';
import { record } from '../../../events/index.ts';
import { getFeatureIn } from '../find-feature.ts';
import { aboutFeature, getLivingFeature } from '../lock.ts';
import type { Completion, EnteredStage, Stage, StageCounts } from './contract.ts';
import { featureCompleted, featureUncompleted } from './events.ts';
import {
  countStages,
  deleteStage,
  type Entry,
  findCompletion,
  insertStage,
  listEnteredStages,
  upsertCompletion,
} from './queries.ts';

interface Address {
  readonly project: string;
  readonly feature: string;
}

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
  { status, statusValue }: Completion,
): Promise<void> {
  const feature = await getLivingFeature(tx, project, name);
  const before = await findCompletion(tx.db, name);
  if (before?.status === status && before.statusValue === (statusValue ?? null)) return;
  const outcome = { status, ...(statusValue !== undefined && { statusValue }) };
  await upsertCompletion(tx, name, outcome);
  const data = { ...outcome, kept: status === 'kept' };
  record(tx, featureCompleted({ ...aboutFeature(feature), data }));
}

export async function uncompleteFeature(
  tx: Tx,
  { project, feature: name }: Address,
): Promise<void> {
  const feature = await getLivingFeature(tx, project, name);
  if (await deleteStage(tx, name, 'completed'))
    record(tx, featureUncompleted(aboutFeature(feature)));
}

/** Moves features forward to a stage. Features at this stage or a later one stay there. */
export async function enterStage(tx: Tx, entries: readonly Entry[], stage: Stage): Promise<void> {
  if (entries.length > 0) await insertStage(tx, entries, stage);
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
