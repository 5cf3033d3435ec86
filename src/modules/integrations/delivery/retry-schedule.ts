const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** The delay before each attempt, counted from the one before: 8 attempts in some 28 hours. */
const delaysMs = [0, 5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 10 * hour];

export const maxAttempts = delaysMs.length;

/** Spreads the retries of a thousand deliveries that failed together. */
const jitter = 0.1;

/** The delay that a receiver asked for, at most a day. */
export const boundedRetryAfter = (retryAfterMs = 0): number =>
  retryAfterMs > 0 ? Math.min(retryAfterMs, 24 * hour) : 0;

/**
 * The time of the next attempt, never before the schedule or the receiver allow it; undefined after the last attempt.
 */
export function nextAttemptAt(
  tries: number,
  now: Date,
  {
    retryAfterMs = 0,
    random = Math.random,
  }: { retryAfterMs?: number | undefined; random?: () => number } = {},
): Date | undefined {
  const delayMs = delaysMs[tries];
  if (delayMs === undefined) return undefined;
  return new Date(
    now.getTime() + Math.max(delayMs * (1 + jitter * random()), boundedRetryAfter(retryAfterMs)),
  );
}
