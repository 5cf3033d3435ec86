import type { Tx } from '../../../../platform/db/database.ts';
import { AppError, invalidOperation, notFound } from '../../../../platform/errors.ts';
import { pathId } from '../../../../platform/http/path-id.ts';
import { sees } from '../../../../platform/permission.ts';
import { readWithin, type Snapshot } from '../../../sdk/snapshot/index.ts';
import { isVisible } from '../access.ts';
import { planChange } from '../actions.ts';
import { findRequest, listChanges, type StoredRequest } from '../queries.ts';
import { lockAll, refusalOf } from '../trial.ts';

const evaluatedStates = ['In review', 'Approved', 'Scheduled'];

/** The definitions after a request, read within a transaction that is rolled back. */
export async function readAfter(
  tx: Tx,
  id: string,
  snapshot: Snapshot,
): Promise<{ readonly request: StoredRequest; readonly after: Snapshot }> {
  const request = await findRequest(tx.db, pathId('change request', id));
  if (!request || !sees(tx.actor, request.project) || !isVisible(tx.actor, request)) {
    throw notFound('change request', id);
  }
  if (!evaluatedStates.includes(request.state)) {
    throw invalidOperation(`A change request in the state '${request.state}' cannot be evaluated`);
  }
  const { project, environment } = request;
  const planned = (await listChanges(tx.db, [request.id])).flatMap(
    (change) => planChange(change, { environment, at: '/changes' }).planned ?? [],
  );
  const acting: Tx = { ...tx, actor: { ...tx.actor, may: () => true } };
  await lockAll(acting, planned);
  for (const change of planned) {
    try {
      await change.run(acting, project);
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error;
      throw refusalOf(error, change, '/changes');
    }
  }
  const names = [...new Set(planned.flatMap(({ feature }) => feature ?? []))];
  const segments = planned.some(({ segmentId }) => segmentId !== null);
  return { request, after: await readWithin(tx.db, snapshot, { names, segments }) };
}
