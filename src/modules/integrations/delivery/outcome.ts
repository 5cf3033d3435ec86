import type { Attempted } from './attempt-once.ts';
import type { Claimed } from './queries/claim.ts';
import type { Finished } from './queries/finish.ts';
import { nextAttemptAt } from './schedule.ts';

/** What comes after an attempt: nothing more, another one, or the end of trying. */
export function outcomeOf(
  { id, integrationId, fence, tries: before, failedBefore }: Claimed,
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
