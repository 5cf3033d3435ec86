import type { Actor } from '../../../../platform/actor.ts';
import type { Db } from '../../../../platform/db/database.ts';
import { accountIdentity, findAccount } from '../../../access/gate/index.ts';
import type { StoredRequest } from '../queries.ts';
import { listApproversOf } from './queries.ts';

/** Only people approve. Authors approve their own requests only if they are administrators. */
export const mayApprove = (
  { id, kind, may }: Pick<Actor, 'id' | 'kind' | 'may'>,
  { project, environment, createdByUserId }: StoredRequest,
): boolean =>
  kind === 'person' &&
  may('APPROVE_CHANGE_REQUEST', project, environment) &&
  (id !== createdByUserId || may('ADMIN'));

/** Those who approved exactly these changes and still may approve them. Others lost their role or their account. */
export async function listCountingApprovers(
  db: Db,
  request: StoredRequest,
  hash: Buffer,
): Promise<number[]> {
  const counting: number[] = [];
  for (const id of await listApproversOf(db, request.id, hash)) {
    const account = await findAccount(db, id);
    if (account && mayApprove(accountIdentity(account), request)) counting.push(id);
  }
  return counting;
}
