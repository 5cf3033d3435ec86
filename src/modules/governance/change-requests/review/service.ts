import type { Actor } from '../../../../platform/actor.ts';
import type { Db, Tx } from '../../../../platform/db/database.ts';
import { badData, invalidOperation } from '../../../../platform/errors.ts';
import { imageUrlOf } from '../../../access/users/index.ts';
import { record } from '../../../events/index.ts';
import { demandAuthor, getRequest, lockVisibleRequest, type RequestAddress } from '../access.ts';
import { commentAdded, emergencyReviewed, reviewersSet, titleSet } from '../events.ts';
import { listEmergencies, type StoredRequest, updateTitle } from '../queries.ts';
import { tell } from '../recipients.ts';
import { isOpen, maxComments } from '../request-schema.ts';
import { rulesOf } from '../settings.ts';
import { findApprovalRefusal, listApprovers, listMayApprove } from '../state/approvals.ts';
import {
  countComments,
  insertComment,
  listPeopleByIds,
  listPossibleApprovers,
  listReviewerIds,
  replaceReviewers,
  updateEmergencyReview,
} from './queries.ts';

const about = ({ project, environment }: StoredRequest) => ({ project, environment });

/** Only its author sees a draft, so that the log says no more than that it was changed. */
function difference<Facts extends object>(
  { id, state }: StoredRequest,
  before: Facts,
  after: Facts,
) {
  const facts = { changeRequestId: id };
  if (state === 'Draft') return { data: facts };
  return { data: { ...facts, ...after }, preData: { ...facts, ...before } };
}

async function lockOwnOpen(tx: Tx, address: RequestAddress): Promise<StoredRequest> {
  const request = await lockVisibleRequest(tx, address);
  demandAuthor(tx.actor, request);
  if (isOpen(request.state)) return request;
  throw invalidOperation(`A change request in the state '${request.state}' cannot be edited`);
}

export async function setTitle(tx: Tx, address: RequestAddress, title: string): Promise<void> {
  const request = await lockOwnOpen(tx, address);
  if (request.title === title) return;
  await updateTitle(tx, request.id, title);
  const change = difference(request, { title: request.title }, { title });
  record(tx, titleSet({ ...about(request), ...change }));
}

/** The request is locked, so that all comments are counted. */
export async function addComment(tx: Tx, request: StoredRequest, text: string): Promise<void> {
  if ((await countComments(tx.db, request.id)) >= maxComments) {
    throw invalidOperation(`A change request can have up to ${maxComments} comments`);
  }
  const { id } = await insertComment(tx, request.id, text);
  // Others don't see a draft.
  const reviewers = request.state === 'Draft' ? [] : await listReviewerIds(tx.db, request.id);
  record(
    tx,
    commentAdded({
      ...about(request),
      data: { changeRequestId: request.id, commentId: id },
      ...tell(tx, [request.createdByUserId, ...reviewers]),
    }),
  );
}

export const comment = async (tx: Tx, address: RequestAddress, text: string): Promise<void> =>
  addComment(tx, await lockVisibleRequest(tx, address), text);

/** Someone else who could have approved the request looks at it afterwards. */
export async function reviewEmergency(
  tx: Tx,
  address: RequestAddress,
  text: string | undefined,
): Promise<void> {
  const request = await lockVisibleRequest(tx, address);
  const [emergency] = await listEmergencies(tx.db, [request.id]);
  if (!emergency) throw invalidOperation('The change request was not applied in an emergency');
  const rules = await rulesOf(tx.db, request);
  const refusal =
    emergency.userId === tx.actor.id
      ? 'You cannot review a change request that you applied in an emergency'
      : await findApprovalRefusal(tx.db, tx.actor, request, rules);
  if (refusal !== undefined) throw invalidOperation(refusal);
  if (emergency.reviewedAt !== null) return;
  await updateEmergencyReview(tx, request.id);
  const facts = { changeRequestId: request.id };
  const told = tell(tx, [emergency.userId, request.createdByUserId]);
  record(tx, emergencyReviewed({ ...about(request), data: { ...facts, reviewed: true }, ...told }));
  const comment = text?.trim();
  if (comment) await addComment(tx, request, comment);
}

export async function setReviewers(
  tx: Tx,
  address: RequestAddress,
  wanted: readonly number[],
): Promise<void> {
  const request = await lockOwnOpen(tx, address);
  const rules = await rulesOf(tx.db, request);
  const possible = await listMayApprove(tx.db, wanted, request, rules);
  const faults = wanted.flatMap((id, index) => {
    const path = `/body/reviewers/${index}`;
    if (possible.includes(id)) return [];
    return [{ path, message: `${path}: user ${id} cannot approve this change request` }];
  });
  if (faults.length > 0) throw badData(faults);
  const before = await listReviewerIds(tx.db, request.id);
  const reviewers = [...wanted].sort((a, b) => a - b);
  if (before.join() === reviewers.join()) return;
  await replaceReviewers(tx, request.id, reviewers);
  // Others don't see a draft. When it is sent to review, all its reviewers are told.
  const added = request.state === 'Draft' ? [] : reviewers.filter((id) => !before.includes(id));
  const change = difference(request, { reviewers: before }, { reviewers });
  record(tx, reviewersSet({ ...about(request), ...change, ...tell(tx, added, { byEmail: true }) }));
}

interface Viewer {
  readonly actor: Actor;
  readonly baseUrl: string;
}

async function describePeople(db: Db, baseUrl: string, ids: readonly number[]) {
  const people = await listPeopleByIds(db, ids);
  return {
    reviewers: people.map(({ id, name, username, email }) => ({
      id,
      ...(email !== null && { email }),
      ...(username !== null && { username }),
      ...(name !== null && { name }),
      imageUrl: imageUrlOf(id, baseUrl),
    })),
  };
}

export async function listReviewers(db: Db, { actor, baseUrl }: Viewer, address: RequestAddress) {
  const request = await getRequest(db, actor, address);
  return describePeople(db, baseUrl, await listReviewerIds(db, request.id));
}

/** In a protected or private project, a root role that permits it doesn't count. */
export async function listAvailableReviewers(
  db: Db,
  baseUrl: string,
  { project, environment }: { readonly project: string; readonly environment: string },
) {
  const rules = await rulesOf(db, { project, environment });
  const possible = await listPossibleApprovers(db, project, environment);
  const approvers = await listApprovers(db, possible, { rules, project }, ({ may }) =>
    may('APPROVE_CHANGE_REQUEST', project, environment),
  );
  return describePeople(db, baseUrl, approvers);
}
