import type { Attempted } from './attempt-once.ts';
import type { Claimed } from './queries/claim.ts';
import type { Finished } from './queries/finish.ts';
import { nextAttemptAt } from './schedule.ts';
import { notToldAnyMore } from './visibility.ts';

/** What has to be known of a delivery to make an attempt, and to write down what became of it. */
export type Attemptable = Pick<
  Claimed,
  'id' | 'integrationId' | 'message' | 'tries' | 'fence' | 'failedBefore'
>;

/** What comes after an attempt: nothing more, another one, or the end of trying. */
export function outcomeOf(
  { id, integrationId, fence, tries: before, failedBefore }: Attemptable,
  { attempt, verdict, target, latencyMs }: Attempted,
  now: Date,
): Finished {
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

/** The end of a delivery of which the integration may not tell any more: nothing is sent, and its record says why. */
export function cancelled(
  { id, integrationId, fence, tries, failedBefore }: Attemptable,
  now: Date,
): Finished {
  return {
    id,
    integrationId,
    fence,
    tries,
    state: 'givenUp',
    nextAt: null,
    outcome: 'failed',
    stateDetails: notToldAnyMore,
    target: null,
    attempt: {
      at: now.toISOString(),
      state: 'failed',
      stateDetails: notToldAnyMore,
      latencyMs: 0,
      exchanges: [],
    },
    latencyMs: 0,
    attemptedAt: now,
    failedBefore,
  };
}
