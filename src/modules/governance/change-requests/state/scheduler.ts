import { eventsChannel } from '../../../../platform/db/channels.ts';
import type { Db } from '../../../../platform/db/database.ts';
import { findRestoredAt } from '../../../../platform/db/first-start.ts';
import { isOutage, logRetry } from '../../../../platform/db/outage.ts';
import { AppError } from '../../../../platform/errors.ts';
import type { Services } from '../../../../platform/module.ts';
import { findActor } from '../../../access/gate/index.ts';
import { isInMaintenance } from '../../../access/settings/index.ts';
import { getHead } from '../../../events/index.ts';
import {
  findNextDue,
  findNextExpiry,
  listDue,
  listExpired,
  listPending,
  listTouchedSince,
  schedulesChannel,
} from './queries.ts';
import { applyDue, cancelExpired, endSchedule, suspendOutdated } from './scheduled.ts';

/** setTimeout takes at most 24.8 days. */
const longestWaitMs = 86_400_000;
/** After a failure of the database, and if another transaction holds a request. */
const retryMs = 500;
/** So long a due request waits while no one may change anything. */
const maintenanceMs = 2_000;
/** Later than this, no server was running at the time. */
const overdueMs = 60_000;
const atOnce = 100;

/**
 * Why an overdue request is not applied. After a restore, no one expects what the backup had planned, and it may have
 * been applied before.
 */
async function reasonToSkip(
  db: Db,
  { scheduledAt, whenOverdue }: Pick<Due, 'scheduledAt' | 'whenOverdue'>,
  isOverdue: boolean,
): Promise<string | undefined> {
  const restoredAt = await findRestoredAt(db);
  if (restoredAt && scheduledAt < restoredAt) {
    return 'A backup was restored after the scheduled time';
  }
  return isOverdue && whenOverdue === 'suspend'
    ? 'At the scheduled time, no server was running, or maintenance mode was enabled'
    : undefined;
}

/**
 * Applies scheduled requests at their time, and cancels those that expire. Every instance waits for the next one; the
 * first to lock it applies it. Without schedules and expiries, nothing runs: a new one wakes all instances.
 */
export function startScheduler(
  services: Pick<Services, 'db' | 'transact' | 'listener' | 'clock' | 'log' | 'system'>,
): () => Promise<void> {
  const { db, transact, listener, clock, log, system } = services;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let isCalledAgain = false;
  /** The last event that was compared with the schedules; undefined if there are none. */
  let lastEvent: number | undefined;
  /** Whether events may have been ignored because there were no schedules when they arrived. */
  let hasIgnored = false;

  async function apply({
    requestId,
    scheduledAt,
    whenOverdue,
    scheduledBy,
  }: Due): Promise<boolean> {
    const now = clock();
    const end = (status: 'failed' | 'suspended', reason: string) =>
      transact(system, (tx) => endSchedule(tx, requestId, status, reason));
    const actor = await findActor(db, scheduledBy, now);
    if (!actor) {
      await end('suspended', `${scheduledBy.name}, who scheduled it, no longer has an account`);
      return true;
    }
    const isOverdue = now.getTime() - scheduledAt.getTime() > overdueMs;
    const skipped = await reasonToSkip(db, { scheduledAt, whenOverdue }, isOverdue);
    if (skipped !== undefined) {
      await end('suspended', skipped);
      return true;
    }
    try {
      return await transact(actor, (tx) => applyDue(tx, requestId));
    } catch (error) {
      const isRefusal = error instanceof AppError && error.status < 500;
      if (!isRefusal && (error instanceof AppError || isOutage(error))) throw error;
      // Others must not wait for one that fails again and again.
      if (!isRefusal) log.error({ err: error, requestId }, 'a scheduled change request failed');
      const reason = isRefusal ? error.message : 'Unexpected error. See the server log';
      await end(isRefusal && error.status === 409 ? 'suspended' : 'failed', reason);
      return true;
    }
  }

  async function suspendIfOutdated(requestId: number): Promise<void> {
    try {
      await transact(system, (tx) => suspendOutdated(tx, requestId));
    } catch (error) {
      if (isOutage(error) || (error instanceof AppError && error.status >= 500)) throw error;
      // Others must not wait for one that fails again and again.
      log.error({ err: error, requestId }, 'a schedule could not be compared with changes');
    }
  }

  /** Returns when to look again. */
  async function pass(): Promise<number | undefined> {
    let isBusy = false;
    const { lastId } = await getHead(db);
    const expired = await listExpired(db, clock(), atOnce);
    const due = await listDue(db, clock(), atOnce);
    if (expired.length + due.length > 0 && (await isInMaintenance(db))) return maintenanceMs;
    for (const id of expired) {
      if (stopped) return undefined;
      await transact(system, (tx) => cancelExpired(tx, id));
    }
    for (const each of due) {
      if (stopped) return undefined;
      if (!(await apply(each))) isBusy = true;
    }
    const next = await findNextDue(db);
    lastEvent = next && (lastEvent ?? lastId);
    if (next === undefined) {
      hasIgnored = true;
    } else if (hasIgnored) {
      for (const id of await listPending(db)) {
        if (stopped) return undefined;
        await suspendIfOutdated(id);
      }
      hasIgnored = false;
    }
    const times = [next, await findNextExpiry(db)].flatMap((at) => at?.getTime() ?? []);
    if (times.length === 0) return undefined;
    return Math.max(Math.min(...times) - clock().getTime(), isBusy ? retryMs : 0);
  }

  function wake(): void {
    if (stopped) return;
    clearTimeout(timer);
    if (running) {
      isCalledAgain = true;
      return;
    }
    running = pass()
      .catch((error: unknown) => {
        if (!stopped) logRetry(log, error, 'scheduled change requests could not be applied', {});
        return retryMs;
      })
      .then((waitMs) => {
        running = undefined;
        if (stopped) return;
        if (isCalledAgain) {
          isCalledAgain = false;
          wake();
        } else if (waitMs !== undefined) {
          timer = setTimeout(wake, Math.min(waitMs, longestWaitMs));
          timer.unref();
        }
      });
  }

  let checking: Promise<void> | undefined;
  let isCheckedAgain = false;

  /** Suspends schedules whose subject was changed, as soon as that happens. */
  async function check(since: number): Promise<void> {
    const { last, requests } = await listTouchedSince(db, since);
    for (const id of requests) await suspendIfOutdated(id);
    if (lastEvent !== undefined) lastEvent = last;
  }

  function onEvents(): void {
    if (stopped || lastEvent === undefined) return;
    if (checking) {
      isCheckedAgain = true;
      return;
    }
    checking = check(lastEvent)
      .catch((error: unknown) => {
        if (!stopped) logRetry(log, error, 'schedules could not be compared with changes', {});
      })
      .then(() => {
        checking = undefined;
        if (!isCheckedAgain) return;
        isCheckedAgain = false;
        onEvents();
      });
  }

  const unsubscribe = [listener.on(schedulesChannel, wake), listener.on(eventsChannel, onEvents)];
  wake();
  return async () => {
    stopped = true;
    clearTimeout(timer);
    for (const off of unsubscribe) off();
    await Promise.allSettled([running, checking]);
  };
}

type Due = Awaited<ReturnType<typeof listDue>>[number];
