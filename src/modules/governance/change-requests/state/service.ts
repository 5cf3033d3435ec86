import type { Tx } from '../../../../platform/db/database.ts';
import { badData, conflict, invalidOperation } from '../../../../platform/errors.ts';
import { demand } from '../../../../platform/permission.ts';
import { referenceTo } from '../../../access/gate/index.ts';
import { record } from '../../../events/index.ts';
import { demandAuthor, lockVisibleRequest, type RequestAddress } from '../access.ts';
import { hashOf } from '../content.ts';
import {
  approvalAdded,
  requestApproved,
  requestCancelled,
  requestRejected,
  requestScheduled,
  sentToReview,
} from '../events.ts';
import {
  listChanges,
  lockOpenIn,
  type StoredRequest,
  updateMinApprovals,
  updateState,
} from '../queries.ts';
import { tell, tellAuthor } from '../recipients.ts';
import type { RequestState } from '../request-schema.ts';
import { listReviewerIds } from '../review/queries.ts';
import { addComment } from '../review/service.ts';
import { expiryOf, rulesOf, settingsOf } from '../settings.ts';
import {
  applyAutomatically,
  applyRequest,
  refuseConflicts,
  refuseExpired,
  requireApproval,
} from './apply.ts';
import { findApprovalRefusal, listCountingApprovers } from './approvals.ts';
import type { SetState } from './contract.ts';
import {
  announceSchedule,
  closeSchedule,
  findScheduler,
  insertRejection,
  listApproversOf,
  upsertApproval,
  upsertSchedule,
} from './queries.ts';
import { instantOf, isTimeZone } from './time.ts';
import { isPossible } from './transitions.ts';

type Step = (tx: Tx, request: StoredRequest, input: SetState) => Promise<void>;

const about = ({ project, environment }: StoredRequest) => ({ project, environment });

const changesOf = async (tx: Tx, { id }: StoredRequest) => {
  const changes = await listChanges(tx.db, [id]);
  return { changes, hash: hashOf(changes) };
};

async function approve(tx: Tx, request: StoredRequest, hash: Buffer): Promise<void> {
  const data = { changeRequestId: request.id, hash: hash.toString('hex') };
  await updateState(tx, request, 'Approved');
  record(
    tx,
    requestApproved({ ...about(request), data, ...tellAuthor(tx, request, { byEmail: true }) }),
  );
}

/** With its changes, so that the log proves what was reviewed. From now on the required number stays. */
const sendToReview: Step = async (tx, request) => {
  const { id, project, environment } = request;
  const settings = await settingsOf(tx.db, project, environment);
  const minApprovals = settings?.requiredApprovals ?? request.minApprovals;
  if (minApprovals !== request.minApprovals) await updateMinApprovals(tx, id, minApprovals);
  const { changes, hash } = await changesOf(tx, request);
  await updateState(tx, request, 'In review');
  record(
    tx,
    sentToReview({
      ...about(request),
      data: {
        changeRequestId: id,
        hash: hash.toString('hex'),
        minApprovals,
        changes: changes.map(({ feature, action, payload }) => ({ feature, action, payload })),
      },
      ...tell(tx, await listReviewerIds(tx.db, id), { byEmail: true }),
    }),
  );
  if (minApprovals === 0) await approve(tx, request, hash);
  else if (settings?.rules.expiresAfterDays != null) await announceSchedule(tx);
};

async function demandReviewer(tx: Tx, request: StoredRequest): Promise<void> {
  demand(tx.actor, 'APPROVE_CHANGE_REQUEST', request.project, request.environment);
  const rules = await rulesOf(tx.db, request);
  refuseExpired(tx, request, rules);
  const refusal = await findApprovalRefusal(tx.db, tx.actor, request, rules);
  if (refusal !== undefined) throw invalidOperation(refusal);
}

const addApproval: Step = async (tx, request) => {
  const { id, state, minApprovals } = request;
  const { hash } = await changesOf(tx, request);
  if ((await listApproversOf(tx.db, id, hash)).includes(tx.actor.id)) return;
  await upsertApproval(tx, id, hash);
  const data = { changeRequestId: id, hash: hash.toString('hex') };
  const approvers = await listCountingApprovers(tx.db, request, hash);
  const isEnough = state !== 'Scheduled' && approvers.length >= minApprovals;
  const completes = isEnough && state === 'In review';
  // The approval that completes it is told once.
  const told = completes ? {} : tellAuthor(tx, request);
  record(tx, approvalAdded({ ...about(request), data, ...told }));
  if (completes) await approve(tx, request, hash);
  if (isEnough && (await rulesOf(tx.db, request)).applyAutomatically) {
    await applyAutomatically(tx, request);
  }
};

const reject: Step = async (tx, request) => {
  const { hash } = await changesOf(tx, request);
  const concerned = [request.createdByUserId, await findScheduler(tx, request.id)];
  await insertRejection(tx, request.id);
  await closeSchedule(tx, request.id, 'canceled');
  await updateState(tx, request, 'Rejected');
  const data = { changeRequestId: request.id, hash: hash.toString('hex') };
  record(
    tx,
    requestRejected({ ...about(request), data, ...tell(tx, concerned, { byEmail: true }) }),
  );
};

/** With the reason if no one asked for it. */
export async function cancelRequest(
  tx: Tx,
  request: StoredRequest,
  reason?: string,
): Promise<void> {
  const { id, createdByUserId } = request;
  const concerned = [createdByUserId, await findScheduler(tx, id)];
  await closeSchedule(tx, id, 'canceled');
  await updateState(tx, request, 'Cancelled');
  const data = { changeRequestId: id, ...(reason !== undefined && { reason }) };
  record(tx, requestCancelled({ ...about(request), data, ...tell(tx, concerned) }));
}

/** Requests for an environment that the project loses. */
export async function cancelAllIn(
  tx: Tx,
  { project, environment }: { readonly project: string; readonly environment: string },
): Promise<void> {
  for (const request of await lockOpenIn(tx, project, environment)) {
    await cancelRequest(tx, request);
  }
}

/** Schedules are for people, who plan a few months ahead. */
const furthestMs = 5 * 366 * 86_400_000;

function timeOf(tx: Tx, { scheduledAt, timeZone }: SetState): Date {
  const refuse = (path: string, problem: string) =>
    badData([{ path, message: `${path} ${problem}` }]);
  const path = '/body/scheduledAt';
  if (timeZone !== undefined && !isTimeZone(timeZone)) {
    throw refuse('/body/timeZone', 'must be an IANA time zone, such as Europe/Oslo');
  }
  if (scheduledAt === undefined) throw refuse(path, 'is missing');
  const instant = instantOf(scheduledAt, timeZone);
  if (!instant) throw refuse(path, 'must be a time in ISO 8601, with an offset or a time zone');
  const inMs = instant.getTime() - tx.now.getTime();
  if (inMs <= 0) throw refuse(path, 'must be in the future');
  if (inMs > furthestMs) throw refuse(path, 'must be within five years');
  return instant;
}

const schedule: Step = async (tx, request, input) => {
  const scheduledAt = timeOf(tx, input);
  const { changes } = await requireApproval(tx, tx.actor, request);
  const expiresAt = expiryOf(request, await rulesOf(tx.db, request));
  if (expiresAt && scheduledAt > expiresAt) {
    const path = '/body/scheduledAt';
    const message = `${path} must be before the change request expires on ${expiresAt.toISOString()}`;
    throw badData([{ path, message }]);
  }
  await refuseConflicts(tx, request, changes);
  await upsertSchedule(tx, request.id, {
    scheduledAt,
    timeZone: input.timeZone ?? null,
    whenOverdue: input.whenOverdue,
    scheduledBy: { ...referenceTo(tx.actor), name: tx.actor.name },
  });
  await updateState(tx, request, 'Scheduled');
  await announceSchedule(tx);
  record(
    tx,
    requestScheduled({
      ...about(request),
      data: {
        changeRequestId: request.id,
        scheduledDate: scheduledAt.toISOString(),
        ...(input.timeZone !== undefined && { timeZone: input.timeZone }),
      },
      ...tellAuthor(tx, request),
    }),
  );
};

const steps: Readonly<Record<Exclude<RequestState, 'Draft'>, Step>> = {
  'In review': sendToReview,
  Approved: addApproval,
  Rejected: reject,
  Cancelled: (tx, request) => cancelRequest(tx, request),
  Scheduled: schedule,
  Applied: (tx, request, { emergency }) => applyRequest(tx, request, { emergency }),
};

/** It is for people, as approvals are, because someone asks them about it afterwards. */
async function demandEmergency(tx: Tx, request: StoredRequest): Promise<void> {
  const { project, environment, minApprovals } = request;
  demand(tx.actor, 'SKIP_CHANGE_REQUEST', project, environment);
  const rules = await rulesOf(tx.db, request);
  refuseExpired(tx, request, rules);
  if (tx.actor.kind !== 'person') {
    throw invalidOperation('Only users can apply a change request in an emergency');
  }
  if (minApprovals === 0) {
    throw invalidOperation('The change request needs no approval. Apply it without `emergency`');
  }
  if (!rules.emergencyApply) {
    throw invalidOperation(`The rules for ${environment} don't allow emergencies`);
  }
}

/** Who may take a step at all. Scheduling and applying check the approvals, too. */
async function demandFor(
  tx: Tx,
  request: StoredRequest,
  { state: wanted, emergency }: SetState,
): Promise<void> {
  const { project, environment, minApprovals } = request;
  if (wanted === 'Approved' || wanted === 'Rejected') await demandReviewer(tx, request);
  else if (wanted === 'Cancelled') demandAuthor(tx.actor, request);
  else if (wanted === 'Applied' && emergency) await demandEmergency(tx, request);
  else if (wanted === 'Scheduled' || wanted === 'Applied') {
    if (minApprovals > 0) demand(tx.actor, 'APPLY_CHANGE_REQUEST', project, environment);
  } else demandAuthor(tx.actor, request);
}

/** No one approves or applies an edit that was made after they looked at the request. */
async function refuseUnseen(tx: Tx, request: StoredRequest, seen: string | undefined) {
  if (seen === undefined) return;
  const hash = (await changesOf(tx, request)).hash.toString('hex');
  if (hash === seen) return;
  throw conflict('The change request was edited after you opened it. Review its changes again', {
    hash,
  });
}

export async function changeState(
  tx: Tx,
  address: RequestAddress,
  input: SetState,
): Promise<StoredRequest> {
  const request = await lockVisibleRequest(tx, address);
  const { state: wanted } = input;
  await demandFor(tx, request, input);
  const isEmergency = wanted === 'Applied' && input.emergency !== undefined;
  if (wanted === 'Draft' || !isPossible(request, wanted, isEmergency)) {
    const path = '/body/state';
    const message = `${path}: a change request in the state '${request.state}' cannot become '${wanted}'`;
    throw badData([{ path, message }]);
  }
  await refuseUnseen(tx, request, input.hash);
  await steps[wanted](tx, request, input);
  const comment = input.comment?.trim();
  if (comment) await addComment(tx, request, comment);
  return request;
}
