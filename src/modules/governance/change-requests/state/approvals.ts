import type { Actor } from '../../../../platform/actor.ts';
import type { Db } from '../../../../platform/db/database.ts';
import { accountIdentity, listAccounts } from '../../../access/gate/index.ts';
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

/** Why someone can't approve a request, unless the rules list other approvers; undefined if they can. */
function refusalOf(
  reviewer: Reviewer,
  request: StoredRequest,
  rules: ChangeRequestRules,
): string | undefined {
  const { project, environment } = request;
  if (reviewer.kind !== 'person') return 'Only users can review change requests';
  if (!reviewer.may('APPROVE_CHANGE_REQUEST', project, environment)) {
    return `You need the permission APPROVE_CHANGE_REQUEST in ${environment}`;
  }
  if (isContributor(reviewer, request) && !mayApproveOwn(reviewer, rules)) {
    return 'You cannot review a change request that you contributed to';
  }
  return undefined;
}

/** Why someone can't approve a request; undefined if they can. */
export async function findApprovalRefusal(
  db: Db,
  reviewer: Reviewer,
  request: StoredRequest,
  rules: ChangeRequestRules,
): Promise<string | undefined> {
  const refusal = refusalOf(reviewer, request, rules);
  if (refusal !== undefined) return refusal;
  const { project, environment } = request;
  return (await isListed(db, rules, project, reviewer.id))
    ? undefined
    : `Only the approvers for ${environment} can review this change request`;
}

/** Which of these accounts may approve now, in their order: permitted by `may`, and among the approvers of the rules. */
export async function listApprovers(
  db: Db,
  ids: readonly number[],
  { rules, project }: { readonly rules: ChangeRequestRules; readonly project: string },
  may: (account: Reviewer) => boolean,
): Promise<number[]> {
  if (ids.length === 0) return [];
  const accounts = (await listAccounts(db, ids))
    .map((account) => accountIdentity(account))
    .filter(may);
  const permitted = new Set(accounts.map(({ id }) => id));
  const isAnyone = Object.values(rules.approvers).every((listed) => listed.length === 0);
  const listed = isAnyone
    ? permitted
    : new Set(await listListed(db, rules.approvers, project, [...permitted]));
  return ids.filter((id) => permitted.has(id) && listed.has(id));
}

/** Which of these accounts may approve a request now. */
export const listMayApprove = (
  db: Db,
  ids: readonly number[],
  request: StoredRequest,
  rules: ChangeRequestRules,
): Promise<number[]> =>
  listApprovers(
    db,
    ids,
    { rules, project: request.project },
    (account) => refusalOf(account, request, rules) === undefined,
  );

/**
 * Those who approved exactly these changes and still may approve them. Others lost their role or their account, or are
 * no longer among the approvers.
 */
export async function listCountingApprovers(
  db: Db,
  request: StoredRequest,
  hash: Buffer,
): Promise<number[]> {
  const approvers = await listApproversOf(db, request.id, hash);
  return listMayApprove(db, approvers, request, await rulesOf(db, request));
}
