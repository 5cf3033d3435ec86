import type { Tx } from '../../../../platform/db/database.ts';
import {
  badData,
  type Fault,
  invalidOperation,
  maxFaults,
  notFound,
} from '../../../../platform/errors.ts';
import { pathId } from '../../../../platform/http/path-id.ts';
import { type Json, record } from '../../../events/index.ts';
import { demandAuthor, isContributor, lockVisibleRequest, type RequestAddress } from '../access.ts';
import { type PlannedChange, type ProposedChange, planChange } from '../actions/actions.ts';
import { refusalOf, tryChanges } from '../actions/trial.ts';
import { findConflicts, findFeatureConflicts } from '../conflicts/conflicts.ts';
import { mergeChange } from '../conflicts/merge.ts';
import { type CurrentState, readCurrentState } from '../conflicts/touched.ts';
import type { StoredChange } from '../content.ts';
import {
  changeAdded,
  changeDiscarded,
  changeEdited,
  requestCreated,
  requestDiscarded,
} from '../events.ts';
import {
  countOpenOf,
  deleteApprovals,
  deleteChange,
  deleteRequest,
  insertChanges,
  listChanges,
  lockDraft,
  type NewChange,
  replaceChange,
  type StoredRequest,
  updateApplyFailure,
  updateContributors,
  updateMinApprovals,
  updateState,
} from '../queries.ts';
import { tell } from '../recipients.ts';
import { isOpen, maxChanges, maxOpenRequests, type Resolution } from '../request-schema.ts';
import { settingsOf } from '../settings.ts';
import { closeSchedule, findPending } from '../state/queries.ts';

interface Placed {
  readonly change: ProposedChange;
  /** The path of the change in the body. */
  readonly at: string;
}

/** A change that follows the rules of its operation, and where the body has it. */
interface Placeable {
  readonly planned: PlannedChange;
  readonly at: string;
}

export function planAll(environment: string, changes: readonly Placed[]): Placeable[] {
  const faults: Fault[] = [];
  const planned = changes.flatMap(({ change, at }): Placeable[] => {
    if (faults.length >= maxFaults) return [];
    const reading = planChange(change, { environment, at });
    faults.push(...reading.faults);
    return reading.planned ? [{ planned: reading.planned, at }] : [];
  });
  if (faults.length > 0) throw badData(faults.slice(0, maxFaults));
  return planned;
}

/** Plans stored changes again. One whose operation has since become stricter is left out. */
const planStored = (environment: string, changes: readonly StoredChange[]): PlannedChange[] =>
  changes.flatMap((change) => {
    const { planned } = planChange(change, { environment, at: '/body' });
    return planned ? [planned] : [];
  });

/** Checks new changes by making the earlier ones and these, and undoing them. */
export async function refuseImpossible(
  tx: Tx,
  { project, environment }: StoredRequest,
  earlier: readonly StoredChange[],
  added: readonly Placeable[],
): Promise<void> {
  const before = planStored(environment, earlier);
  const refusals = await tryChanges(tx, project, [
    ...before,
    ...added.map(({ planned }) => planned),
  ]);
  for (const [index, refusal] of refusals.slice(before.length).entries()) {
    const { planned, at } = added[index] as Placeable;
    if (refusal) throw refusalOf(refusal, planned, at);
  }
}

/** The changes with the state that they replace. */
export async function withBase(
  tx: Tx,
  request: StoredRequest,
  earlier: readonly StoredChange[],
  changes: readonly Placeable[],
): Promise<NewChange[]> {
  const subjects = [...earlier, ...changes.map(({ planned }) => planned)];
  const currentState = await readCurrentState(tx.db, request, subjects);
  const { touchedBy, features, payloadsOf } = currentState;
  const touched = touchedBy(subjects).slice(earlier.length);
  const payloads = payloadsOf(subjects).slice(earlier.length);
  refuseUnchangeable(request, earlier, changes, currentState);
  return changes.map(({ planned, at }, index) => {
    const { feature, segmentId, action } = planned;
    const payload = payloads[index];
    const { state: base, usedSegments } = touched[index] as (typeof touched)[number];
    if (base === undefined) {
      const path = `${at}/payload/id`;
      const what = segmentId === null ? 'Strategy' : 'Segment';
      const id = (payload as { readonly id: unknown }).id;
      throw badData([{ path, message: `${what} '${id}' not found` }]);
    }
    const featureCreatedAt = features.get(feature ?? '')?.createdAt ?? null;
    return {
      ...{ feature, segmentId, action, payload, base, featureCreatedAt },
      usedSegments,
    };
  });
}

/**
 * Features that earlier changes import, move, or bring back can be changed after these were applied: before, the request
 * could not know whether someone else changes them.
 */
function refuseUnchangeable(
  { project }: StoredRequest,
  earlier: readonly StoredChange[],
  changes: readonly Placeable[],
  currentState: CurrentState,
): void {
  const added = changes.map(({ planned }) => ({ ...planned, featureCreatedAt: null }));
  const reasons = findFeatureConflicts(project, [...earlier, ...added], currentState);
  const refused = added.findIndex((change) => reasons.has(change));
  const { planned, at } = changes[refused] ?? {};
  if (!planned) return;
  const path = `${at}/feature`;
  const message = `${path} '${planned.feature}' is not in this project yet. Propose this after the earlier changes are applied`;
  throw badData([{ path, message }]);
}

export async function propose(
  tx: Tx,
  place: { readonly project: string; readonly environment: string },
  changes: readonly Placed[],
): Promise<StoredRequest> {
  const settings = await settingsOf(tx.db, place.project, place.environment);
  if (!settings) throw notFound('environment', place.environment);
  const planned = planAll(place.environment, changes);
  const { request, isNew } = await lockDraft(tx, place, settings.requiredApprovals);
  // The settings have changed since the draft was created.
  if (request.minApprovals !== settings.requiredApprovals) {
    await updateMinApprovals(tx, request.id, settings.requiredApprovals);
  }
  if (isNew && (await countOpenOf(tx.db, tx.actor.id)) > maxOpenRequests) {
    throw invalidOperation(`You can have up to ${maxOpenRequests} open change requests`);
  }
  const earlier = isNew ? [] : await listChanges(tx.db, [request.id]);
  if (earlier.length + planned.length > maxChanges) {
    throw invalidOperation(`A change request can have up to ${maxChanges} changes`);
  }
  await refuseImpossible(tx, request, earlier, planned);
  await insertChanges(tx, request.id, await withBase(tx, request, earlier, planned));
  const facts = { changeRequestId: request.id };
  if (isNew) record(tx, requestCreated({ ...place, data: facts }));
  for (const _ of planned) record(tx, changeAdded({ ...place, data: facts }));
  return request;
}

interface EditableChange {
  readonly request: StoredRequest;
  readonly change: StoredChange;
  readonly earlier: readonly StoredChange[];
  readonly isOnlyOne: boolean;
}

async function lockChange(
  tx: Tx,
  address: RequestAddress,
  changeId: string,
): Promise<EditableChange> {
  const request = await lockVisibleRequest(tx, address);
  demandAuthor(tx.actor, request);
  const { state } = request;
  // One that failed or is suspended could never be applied otherwise.
  const isPending = state === 'Scheduled' && (await findPending(tx, request.id));
  if (isPending || !isOpen(state)) {
    throw invalidOperation(`A change request in the state '${state}' cannot be edited`);
  }
  const changes = await listChanges(tx.db, [request.id]);
  const id = pathId('change', changeId);
  const index = changes.findIndex((each) => each.id === id);
  const change = changes[index];
  if (!change) throw notFound('change', changeId);
  return { request, change, earlier: changes.slice(0, index), isOnlyOne: changes.length === 1 };
}

/**
 * An approval counts for what was approved, so an edit leaves none. Who edits becomes a contributor. Returns what the
 * event of the edit says about it, and tells those who had approved.
 */
async function voidApprovals(tx: Tx, request: StoredRequest) {
  if (!isContributor(tx.actor, request)) {
    await updateContributors(tx, request.id, [...request.contributors, tx.actor.id]);
  }
  if (request.state === 'Draft') return { facts: {}, told: {} };
  const approvers = await deleteApprovals(tx, request.id);
  await updateApplyFailure(tx, request.id, null);
  await closeSchedule(tx, request.id, 'canceled');
  const state = request.minApprovals > 0 ? 'In review' : 'Approved';
  if (request.state !== state) await updateState(tx, request, state);
  return {
    facts: approvers.length === 0 ? {} : { voidedApprovals: approvers.length },
    told: tell(tx, approvers, { byEmail: true }),
  };
}

/** Only its author sees a draft, so that the log says no more than that it was changed. */
const factsOf = (
  { id, state }: StoredRequest,
  { action, payload }: Pick<NewChange, 'action' | 'payload'>,
) => ({
  changeRequestId: id,
  ...(state !== 'Draft' && { action, payload: payload as Json }),
});

const aboutChange = (
  { project, environment, state }: StoredRequest,
  { feature }: Pick<NewChange, 'feature'>,
) => ({ project, environment, ...(state !== 'Draft' && { featureName: feature }) });

async function replace(
  tx: Tx,
  { request, change }: EditableChange,
  by: NewChange,
): Promise<StoredRequest> {
  const newId = await replaceChange(tx, request.id, change.id, by);
  const { facts, told } = await voidApprovals(tx, request);
  record(
    tx,
    changeEdited({
      ...aboutChange(request, by),
      data: { ...factsOf(request, by), ...facts, changeId: newId },
      preData: { ...factsOf(request, change), changeId: change.id },
      ...told,
    }),
  );
  return request;
}

export async function editChange(
  tx: Tx,
  address: RequestAddress,
  changeId: string,
  proposed: ProposedChange,
): Promise<StoredRequest> {
  const found = await lockChange(tx, address, changeId);
  const { request, earlier } = found;
  const planned = planAll(request.environment, [{ change: proposed, at: '/body' }]);
  await refuseImpossible(tx, request, earlier, planned);
  const [by] = await withBase(tx, request, earlier, planned);
  return replace(tx, found, by as NewChange);
}

async function remove(tx: Tx, { request, change, isOnlyOne }: EditableChange): Promise<void> {
  if (isOnlyOne && request.state !== 'Draft') {
    throw invalidOperation('This is the only change. Cancel the change request instead');
  }
  await deleteChange(tx, change.id);
  const { facts, told } = isOnlyOne ? { facts: {}, told: {} } : await voidApprovals(tx, request);
  record(
    tx,
    changeDiscarded({
      ...aboutChange(request, change),
      data: { changeRequestId: request.id },
      preData: { ...factsOf(request, change), ...facts, changeId: change.id },
      ...told,
    }),
  );
  if (isOnlyOne) await discard(tx, request);
}

export const discardChange = async (
  tx: Tx,
  address: RequestAddress,
  changeId: string,
): Promise<void> => remove(tx, await lockChange(tx, address, changeId));

async function discard(tx: Tx, request: StoredRequest): Promise<void> {
  const { project, environment } = request;
  await deleteRequest(tx, request.id);
  record(tx, requestDiscarded({ project, environment, preData: { changeRequestId: request.id } }));
}

export async function discardRequest(tx: Tx, address: RequestAddress): Promise<void> {
  const request = await lockVisibleRequest(tx, address);
  demandAuthor(tx.actor, request);
  if (request.state !== 'Draft') {
    throw invalidOperation('Only a draft can be discarded. Cancel the change request instead');
  }
  await discard(tx, request);
}

/** Bases a change on the current state, with or without what others changed. */
export async function resolveChange(
  tx: Tx,
  address: RequestAddress,
  changeId: string,
  resolution: Resolution,
): Promise<StoredRequest> {
  const found = await lockChange(tx, address, changeId);
  const { request, change, earlier, isOnlyOne } = found;
  const changes = [...earlier, change];
  const currentState = await readCurrentState(tx.db, request, changes);
  const conflict = findConflicts(request.project, changes, currentState).find(
    ({ changeId: id }) => id === change.id,
  );
  if (!conflict?.resolutions.includes(resolution)) {
    const path = '/body/resolution';
    const possible = conflict?.resolutions.join(', ');
    const message = conflict
      ? `${path} must be one of: ${possible}`
      : `${path} is not possible: the change has no conflict`;
    throw badData([{ path, message }]);
  }
  if (resolution === 'drop') {
    if (isOnlyOne) {
      throw invalidOperation(
        'This is the only change. Discard or cancel the change request instead',
      );
    }
    await remove(tx, found);
    return request;
  }
  const payload =
    resolution === 'keep' ? change.payload : mergeChange(change, conflict.current as Json).merged;
  const planned = planAll(request.environment, [{ change: { ...change, payload }, at: '/body' }]);
  await refuseImpossible(tx, request, earlier, planned);
  const [by] = await withBase(tx, request, earlier, planned);
  return replace(tx, found, by as NewChange);
}
