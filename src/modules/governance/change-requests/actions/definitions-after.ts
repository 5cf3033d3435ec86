import type { Tx } from '../../../../platform/db/database.ts';
import { AppError, badData } from '../../../../platform/errors.ts';
import { listRecorded, withoutRecording } from '../../../events/index.ts';
import { readWithin, type Snapshot } from '../../../sdk/snapshot/index.ts';
import { listChanges, type StoredRequest } from '../queries.ts';
import { type PlannedChange, planChange } from './actions.ts';
import { lockAll, refusalOf } from './trial.ts';

/**
 * Makes the changes of a request in a transaction that is going to be rolled back, and returns the definitions
 * afterwards. The events that it would record tell which features and segments it changes.
 */
export async function readDefinitionsAfter(
  tx: Tx,
  { id, project, environment }: StoredRequest,
  before: Snapshot,
): Promise<Snapshot> {
  const read = (await listChanges(tx.db, [id])).map((change) =>
    planChange(change, { environment, at: '/changes' }),
  );
  const faults = read.flatMap((each) => each.faults);
  if (faults.length > 0) throw badData(faults);
  const planned = read.map((each) => each.planned as PlannedChange);
  const acting = withoutRecording(tx, { ...tx.actor, may: () => true });
  await lockAll(acting, planned);
  for (const change of planned) {
    try {
      await change.run(acting, project);
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error;
      throw refusalOf(error, change, '/changes');
    }
  }
  const recorded = listRecorded(acting);
  const names = [...new Set(recorded.flatMap(({ featureName }) => featureName ?? []))];
  const segments = recorded.some(({ definition }) => definition.type.startsWith('segment-'));
  return readWithin(tx.db, before, { names, segments });
}
