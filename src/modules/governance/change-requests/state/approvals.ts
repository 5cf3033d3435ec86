import type { Actor } from '../../../../platform/actor.ts';
import type { Db } from '../../../../platform/db/database.ts';
import { accountIdentity, findAccount } from '../../../access/gate/index.ts';
import type { ChangeRequestRules } from '../../../catalogue/projects/index.ts';
import { isContributor } from '../access.ts';
import type { StoredRequest } from '../queries.ts';
import { rulesOf } from '../settings.ts';
import { listApproversOf, listListed } from './queries.ts';

type Reviewer = Pick<Actor, 'id' | 'kind' | 'may'>;

/** Everyone is listed if no one is. */
export async function isListed(
  db: Db,
  { approvers }: Pick<ChangeRequestRules, 'approvers'>,
  project: string,
  userId: number,
): Promise<boolean> {
  const { users, groups, roles } = approvers;
  if (users.length + groups.length + roles.length === 0) return true;
  return (await listListed(db, approvers, project, [userId])).length > 0;
}

/** Who contributed to a request approves it only if they are an administrator, and the rules permit that. */
export const mayApproveOwn = (
  { may }: Pick<Actor, 'may'>,
  { selfApproval }: Pick<ChangeRequestRules, 'selfApproval'>,
): boolean => selfApproval === 'admins' && may('ADMIN');

/** Why someone can't approve a request; undefined if they can. */
export async function findApprovalRefusal(
  db: Db,
  reviewer: Reviewer,
  request: StoredRequest,
  rules: ChangeRequestRules,
): Promise<string | undefined> {
  const { project, environment } = request;
  if (reviewer.kind !== 'person') return 'Only users can review change requests';
  if (!reviewer.may('APPROVE_CHANGE_REQUEST', project, environment)) {
    return `You need the permission APPROVE_CHANGE_REQUEST in ${environment}`;
  }
  if (isContributor(reviewer, request) && !mayApproveOwn(reviewer, rules)) {
    return 'You cannot review a change request that you contributed to';
  }
  if (!(await isListed(db, rules, project, reviewer.id))) {
    return `The rules for ${environment} limit reviews to other users, groups, or roles`;
  }
  return undefined;
}

/** Whether an account may approve a request now. */
export async function mayApprove(
  db: Db,
  userId: number,
  request: StoredRequest,
  rules: ChangeRequestRules,
): Promise<boolean> {
  const account = await findAccount(db, userId);
  if (!account) return false;
  return (await findApprovalRefusal(db, accountIdentity(account), request, rules)) === undefined;
}

/**
 * Those who approved exactly these changes and still may approve them. Others lost their role or their account, or are
 * no longer among the approvers.
 */
export async function listCountingApprovers(
  db: Db,
  request: StoredRequest,
  hash: Buffer,
): Promise<number[]> {
  const rules = await rulesOf(db, request);
  const counting: number[] = [];
  for (const id of await listApproversOf(db, request.id, hash)) {
    if (await mayApprove(db, id, request, rules)) counting.push(id);
  }
  return counting;
}
