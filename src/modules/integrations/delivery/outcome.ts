import type { AttemptResult } from './attempt-once.ts';
import type { ClaimedDelivery } from './queries/claim.ts';
import type { AttemptOutcome } from './queries/finish.ts';
import { nextAttemptAt } from './retry-schedule.ts';
import { noLongerVisible } from './visibility.ts';

export type DeliveryToAttempt = Pick<
  ClaimedDelivery,
  'id' | 'integrationId' | 'message' | 'tries' | 'fence' | 'failedBefore'
>;

/** The outcome of an attempt: delivered, to be tried again, or given up. */
export function outcomeOf(
  { id, integrationId, fence, tries: before, failedBefore }: DeliveryToAttempt,
  { attempt, verdict, target, latencyMs }: AttemptResult,
  now: Date,
): AttemptOutcome {
  const tries = before + 1;
  const isDone = verdict.state !== 'failed';
  const nextAt =
    isDone || verdict.gone
      ? undefined
      : nextAttemptAt(tries, now, { retryAfterMs: verdict.retryAfterMs });
  return {
    id,
    integrationId,
    fence,
    tries,
    state: isDone ? 'delivered' : nextAt ? 'pending' : 'givenUp',
    nextAt: nextAt ?? null,
    outcome: verdict.state,
    stateDetails: verdict.details,
    target,
    attempt: { ...attempt, ...(nextAt && { nextAttemptAt: nextAt.toISOString() }) },
    latencyMs,
    attemptedAt: new Date(attempt.at),
    failedBefore,
  };
}

/** The outcome of a delivery that the integration may no longer report. Nothing is sent, and its record says why. */
export function cancelledOutcome(
  { id, integrationId, fence, tries, failedBefore }: DeliveryToAttempt,
  now: Date,
): AttemptOutcome {
  return {
    id,
    integrationId,
    fence,
    tries,
    state: 'givenUp',
    nextAt: null,
    outcome: 'failed',
    stateDetails: noLongerVisible,
    target: null,
    attempt: {
      at: now.toISOString(),
      state: 'failed',
      stateDetails: noLongerVisible,
      latencyMs: 0,
      exchanges: [],
    },
    latencyMs: 0,
    attemptedAt: now,
    failedBefore,
  };
}
