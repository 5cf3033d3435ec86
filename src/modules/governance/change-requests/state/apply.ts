import { sql } from 'kysely';
import type { Actor } from '../../../../platform/actor.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import {
  AppError,
  badData,
  conflict,
  invalidOperation,
  noAccess,
} from '../../../../platform/errors.ts';
import { demand } from '../../../../platform/permission.ts';
import { refuseLargeTransaction } from '../../../../platform/volume.ts';
import { findVisibleProjects, referenceTo } from '../../../access/gate/index.ts';
import type { ChangeRequestRules } from '../../../catalogue/projects/index.ts';
import { lockSegmentsForUse } from '../../../catalogue/segments/index.ts';
import {
  actAs,
  attributeEvents,
  listRecorded,
  measureRecorded,
  record,
  replaceRecorded,
} from '../../../events/index.ts';
import { applyWithApproval, guardRecorded } from '../../guard/index.ts';
import { type PlannedChange, planChange } from '../actions/actions.ts';
import { lockAll, refusalOf } from '../actions/trial.ts';
import { findConflicts } from '../conflicts/conflicts.ts';
import { readCurrentState } from '../conflicts/touched.ts';
import { storedSegmentsOf } from '../conflicts/used-segments.ts';
import { hashOf, type StoredChange } from '../content.ts';
import { requestApplied } from '../events.ts';
import { listChanges, type StoredRequest, updateApplyFailure, updateState } from '../queries.ts';
import { tellAuthor } from '../recipients.ts';
import { expiryOf, rulesOf, settingsOf } from '../settings.ts';
import { listCountingApprovers } from './approvals.ts';
import { closeSchedule, insertEmergency, listProtectedEnvironments } from './queries.ts';

/** The changes of a request that can be made now, and who approved them. */
export interface ApprovedChanges {
  readonly changes: readonly StoredChange[];
  readonly planned: readonly PlannedChange[];
  readonly hash: Buffer;
  readonly approvers: readonly number[];
}

const placeOf = (index: number) => `/changes/${index}`;

function planStored({ environment }: StoredRequest, changes: readonly StoredChange[]) {
  const read = changes.map((change, index) => {
    const at = placeOf(index);
    // Validation fills in defaults, and the hash covers the payload as it is.
    return planChange(structuredClone(change), { environment, at });
  });
  const faults = read.flatMap((each) => each.faults);
  if (faults.length > 0) throw badData(faults);
  return read.map(({ planned }) => planned as PlannedChange);
}

export function refuseExpired(tx: Tx, request: StoredRequest, rules: ChangeRequestRules): void {
  const expiresAt = expiryOf(request, rules);
  if (expiresAt && expiresAt <= tx.now) throw invalidOperation('The change request has expired');
}

/** How a request is applied. */
export interface Application {
  /** Without approval, as the actor could also change everything directly. */
  readonly emergency?: { readonly reason: string } | undefined;
  /** By the approval that completes it, which is enough if the rules say so. */
  readonly isAutomatic?: boolean;
}

/**
 * Whether a request may be applied now: enough people who still may approve have approved exactly its changes. A
 * request that needs no approvals needs what its changes need without it, and an environment that is still unprotected.
 */
export async function requireApproval(
  tx: Tx,
  actor: Actor,
  request: StoredRequest,
  { isAutomatic = false, emergency }: Application = {},
): Promise<ApprovedChanges> {
  const { project, environment, minApprovals } = request;
  const changes = await listChanges(tx.db, [request.id]);
  if (changes.length === 0) throw invalidOperation('The change request has no changes');
  const hash = hashOf(changes);
  const planned = planStored(request, changes);
  if (minApprovals === 0 || emergency) {
    const settings = await settingsOf(tx.db, project, environment);
    const mayChange =
      !settings?.isProtected || actor.may('SKIP_CHANGE_REQUEST', project, environment);
    if (!mayChange) throw noAccess('SKIP_CHANGE_REQUEST', environment);
    for (const change of planned) {
      if (change.isDemandedByService) continue;
      demand(actor, change.permission, project, change.environment);
    }
    return { changes, planned, hash, approvers: [] };
  }
  refuseExpired(tx, request, await rulesOf(tx.db, request));
  if (!isAutomatic) demand(actor, 'APPLY_CHANGE_REQUEST', project, environment);
  const approvers = await listCountingApprovers(tx.db, request, hash);
  if (approvers.length < minApprovals) {
    throw invalidOperation(
      `The change request needs ${minApprovals} ${minApprovals === 1 ? 'approval' : 'approvals'} and has ${approvers.length}. Approvals of users who can no longer approve don't count`,
    );
  }
  return { changes, planned, hash, approvers };
}

/** Call it with the features locked if the changes follow. */
export async function refuseConflicts(
  tx: Tx,
  request: StoredRequest,
  changes: readonly StoredChange[],
): Promise<void> {
  const currentState = await readCurrentState(tx.db, request, changes);
  const conflicts = findConflicts(request.project, changes, currentState);
  const [first] = conflicts;
  if (!first) return;
  const of = first.feature === undefined ? '' : `'${first.feature}': `;
  throw conflict(`${of}${first.reason}`, { conflicts });
}

/**
 * Approved changes are made with the authority of the request, within its project: who applies it needs no other
 * permission. What belongs to all projects, such as a segment, still needs theirs, and so does an environment without
 * approvals: approvers of development don't decide about production. Of other projects, a change reads what its author
 * can see now: an approval must not copy a feature that the author has lost sight of.
 */
const withAuthority = (
  tx: Tx,
  { project }: StoredRequest,
  guarded: readonly string[],
  seen: Actor['sees'] | undefined = new Set(),
): Tx =>
  actAs(tx, {
    ...tx.actor,
    may: (permission, scope, environment) =>
      (scope === project && (environment === undefined || guarded.includes(environment))) ||
      tx.actor.may(permission, scope, environment),
    sees: seen === 'all' ? seen : new Set([...seen, project]),
  });

/** What the authors of changes can see now; undefined for those that are gone. */
async function seenByAuthors(tx: Tx, changes: readonly StoredChange[]) {
  const seen = new Map<number, Actor['sees'] | undefined>();
  for (const id of new Set(changes.map(({ createdByUserId }) => createdByUserId))) {
    const author = referenceTo({ kind: id < 0 ? 'token' : 'person', id });
    seen.set(id, await findVisibleProjects(tx.db, author, tx.now));
  }
  return seen;
}

/** Whether enough people who may approve in another environment have approved these changes, too. */
async function isApprovedIn(
  tx: Tx,
  request: StoredRequest,
  hash: Buffer,
  environment: string,
): Promise<boolean> {
  const settings = await settingsOf(tx.db, request.project, environment);
  const approvers = await listCountingApprovers(tx.db, { ...request, environment }, hash);
  return settings !== undefined && approvers.length >= settings.requiredApprovals;
}

/** Makes all changes or none, in their order, with the usual events, which name the request. */
export async function applyRequest(
  tx: Tx,
  request: StoredRequest,
  application: Application = {},
): Promise<void> {
  const { id, project, environment, minApprovals } = request;
  const { changes, planned, hash, approvers } = await requireApproval(
    tx,
    tx.actor,
    request,
    application,
  );
  const { emergency } = application;
  const isApproved = minApprovals > 0 && !emergency;
  const guarded = [environment, ...(await listProtectedEnvironments(tx.db, project))];
  await lockAll(tx, planned);
  await lockSegmentsForUse(
    tx,
    changes.flatMap((change) => [
      ...(change.segmentId === null ? [] : [change.segmentId]),
      ...storedSegmentsOf(change),
    ]),
  );
  await refuseConflicts(tx, request, changes);
  if (isApproved) {
    applyWithApproval(tx, request, (other) => isApprovedIn(tx, request, hash, other));
  }
  attributeEvents(tx, id);
  const seen = await seenByAuthors(tx, changes);
  let recorded = { events: 0, characters: 0 };
  for (const [index, change] of planned.entries()) {
    const { createdByUserId: author } = changes[index] as StoredChange;
    const acting = isApproved ? withAuthority(tx, request, guarded, seen.get(author)) : tx;
    try {
      await change.run(acting, project);
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error;
      throw refusalOf(error, change, placeOf(index));
    }
    recorded = measureRecorded(tx, recorded);
    refuseLargeTransaction(recorded.characters);
  }
  await updateState(tx, request, 'Applied');
  if (emergency) await insertEmergency(tx, id, emergency.reason);
  await updateApplyFailure(tx, id, null);
  await closeSchedule(tx, id, 'applied');
  record(
    tx,
    requestApplied({
      project,
      environment,
      data: {
        changeRequestId: id,
        hash: hash.toString('hex'),
        approvedBy: approvers,
        ...(emergency && { emergency: { reason: emergency.reason } }),
      },
      ...tellAuthor(tx, request),
    }),
  );
}

/**
 * Applies a request that was just approved. If that fails, the approval stays, with the reason. The guard is asked
 * here, because its refusal at the end of the transaction would undo the approval, too.
 */
export async function applyAutomatically(tx: Tx, request: StoredRequest): Promise<void> {
  const recorded = [...listRecorded(tx)];
  await sql`savepoint applying`.execute(tx.db);
  try {
    await applyRequest(tx, request, { isAutomatic: true });
    await guardRecorded(tx);
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    await sql`rollback to savepoint applying`.execute(tx.db);
    replaceRecorded(tx, recorded);
    await updateApplyFailure(tx, request.id, error.message);
  }
}
