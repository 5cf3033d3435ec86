import type { Tx } from '../../../../platform/db/database.ts';
import { invalidOperation, notFound } from '../../../../platform/errors.ts';
import { pathId } from '../../../../platform/http/path-id.ts';
import { sees } from '../../../../platform/permission.ts';
import type { Snapshot } from '../../../sdk/snapshot/index.ts';
import { isVisible } from '../access.ts';
import { readDefinitionsAfter } from '../actions/definitions-after.ts';
import { findRequest, type StoredRequest } from '../queries.ts';

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
  return { request, after: await readDefinitionsAfter(tx, request, snapshot) };
}
