import type { Tx } from '../../../../platform/db/database.ts';
import { record } from '../../../events/index.ts';
import { findConflicts } from '../conflicts/conflicts.ts';
import { readCurrentState } from '../conflicts/touched.ts';
import { scheduledApplied, scheduledFailed, scheduleSuspended } from '../events.ts';
import { listChanges, lockRequest, lockRequestUnlessBusy } from '../queries.ts';
import { tell } from '../recipients.ts';
import { expiryOf, rulesOf } from '../settings.ts';
import { applyRequest } from './apply.ts';
import { findPending, findScheduler, updateSchedule } from './queries.ts';
import { cancelRequest } from './service.ts';

/** Applies a request whose time has come. Returns false if another transaction holds it. */
export async function applyDue(tx: Tx, id: number): Promise<boolean> {
  const request = await lockRequestUnlessBusy(tx, id);
  if (!request) return false;
  const pending = request.state === 'Scheduled' && (await findPending(tx, id));
  // Another instance has applied it, or someone has changed the time.
  if (!pending || pending.scheduledAt > tx.now) return true;
  const scheduler = await findScheduler(tx, id);
  await applyRequest(tx, request);
  const { project, environment } = request;
  record(
    tx,
    scheduledApplied({
      project,
      environment,
      data: { changeRequestId: id },
      // It is applied in the name of the scheduler, who is not there.
      recipients: { userIds: scheduler === undefined ? [] : [scheduler] },
    }),
  );
  return true;
}

/** Ends the wait of a request that could not be applied, or should not be. It stays scheduled, with the reason. */
export async function endSchedule(
  tx: Tx,
  id: number,
  status: 'failed' | 'suspended',
  reason: string,
): Promise<void> {
  const request = await lockRequest(tx, id);
  if (request?.state !== 'Scheduled' || !(await findPending(tx, id))) return;
  await updateSchedule(tx, id, status, reason);
  const { project, environment, createdByUserId } = request;
  const define = status === 'failed' ? scheduledFailed : scheduleSuspended;
  const concerned = [createdByUserId, await findScheduler(tx, id)];
  record(
    tx,
    define({
      project,
      environment,
      data: { changeRequestId: id, reason },
      ...tell(tx, concerned, { byEmail: true }),
    }),
  );
}

export async function cancelExpired(tx: Tx, id: number): Promise<void> {
  const request = await lockRequest(tx, id);
  if (!request) return;
  const { expiresAfterDays } = await rulesOf(tx.db, request);
  const expiresAt = expiryOf(request, { expiresAfterDays });
  if (!expiresAt || expiresAt > tx.now) return;
  const days = expiresAfterDays === 1 ? '1 day' : `${expiresAfterDays} days`;
  await cancelRequest(tx, request, `not applied within ${days}`);
}

export async function suspendOutdated(tx: Tx, id: number): Promise<void> {
  const request = await lockRequest(tx, id);
  if (request?.state !== 'Scheduled') return;
  const changes = await listChanges(tx.db, [id]);
  const currentState = await readCurrentState(tx.db, request, changes);
  const [conflict] = findConflicts(request.project, changes, currentState);
  if (!conflict) return;
  const of = conflict.feature === undefined ? '' : `'${conflict.feature}': `;
  await endSchedule(tx, id, 'suspended', `${of}${conflict.reason}`);
}
