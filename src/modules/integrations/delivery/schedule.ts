const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** How long after the attempt before each attempt is made: 8 over some 28 hours. */
const delaysMs = [0, 5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 10 * hour];

export const maxAttempts = delaysMs.length;

/** So that a thousand deliveries that failed together do not come back together. */
const jitter = 0.1;

/** What a receiver asked for, within reason: nobody is waited for longer than a day. */
export const patience = (retryAfterMs = 0): number =>
  retryAfterMs > 0 ? Math.min(retryAfterMs, 24 * hour) : 0;

/**
 * When it is tried again after so many attempts; undefined: that was the last. Never before the receiver
 * asked for, and never before the schedule says.
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
    now.getTime() + Math.max(delayMs * (1 + jitter * random()), patience(retryAfterMs)),
  );
}
