import type { Tx } from '../../../../platform/db/database.ts';
import { AppError, conflict, invalidOperation } from '../../../../platform/errors.ts';
import { combinations, type FlatContext, readContext } from '../../../sdk/playground/index.ts';
import type { Snapshot } from '../../../sdk/snapshot/index.ts';
import { getRequest, type RequestAddress } from '../access.ts';
import { readDefinitionsAfter } from '../actions/definitions-after.ts';
import { listChanges, type StoredRequest } from '../queries.ts';
import { isOpen } from '../request-schema.ts';
import { refuseConflicts } from '../state/apply.ts';

/** The definitions after a request, or why it cannot be applied. */
export async function readPreviewed(
  tx: Tx,
  address: RequestAddress,
  before: Snapshot,
): Promise<{ readonly request: StoredRequest; readonly after: Snapshot }> {
  const request = await getRequest(tx.db, tx.actor, address);
  if (!isOpen(request.state)) {
    throw invalidOperation(`A change request in the state '${request.state}' has no preview`);
  }
  await refuseConflicts(tx, request, await listChanges(tx.db, [request.id]));
  try {
    return { request, after: await readDefinitionsAfter(tx, request, before) };
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    throw conflict(`The change request cannot be applied: ${error.message}`, { conflicts: [] });
  }
}

/** As many combinations of the values that the user tried are evaluated. */
const maxTried = 100;

/** The contexts that the user tried, and whether there are more. */
export function triedContexts(contexts: readonly Readonly<Record<string, unknown>>[]): {
  readonly tried: readonly FlatContext[];
  readonly isCut: boolean;
} {
  const tried: FlatContext[] = [];
  for (const context of contexts) {
    for (const each of combinations(readContext(context, 'several values').fields)) {
      if (tried.length === maxTried) return { tried, isCut: true };
      tried.push(each);
    }
  }
  return { tried, isCut: false };
}
