import { describe, expect, test } from 'vitest';
import { maxAttempts, nextAttemptAt } from './retry-schedule.ts';

const now = new Date('2026-03-01T00:00:00.000Z');
const waitAfter = (tries: number, options = {}) => {
  const next = nextAttemptAt(tries, now, { random: () => 0, ...options });
  return next && (next.getTime() - now.getTime()) / 1000;
};

describe('the next attempt after a failure', () => {
  test('waits 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h, up to 8 attempts', () => {
    const waits = [1, 2, 3, 4, 5, 6, 7].map((tries) => waitAfter(tries));

    expect(waits).toEqual([5, 300, 1800, 7200, 18_000, 36_000, 36_000]);
    expect(waitAfter(maxAttempts)).toBeUndefined();
    expect(maxAttempts).toBe(8);
  });

  test('is delayed randomly by at most a tenth and never early', () => {
    expect(waitAfter(2, { random: () => 0.999_999 })).toBeCloseTo(330, 0);
    expect(waitAfter(2, { random: () => 0.5 })).toBe(315);
  });

  test('waits for a longer Retry-After, but not less than usual for a shorter one', () => {
    expect(waitAfter(1, { retryAfterMs: 60_000 })).toBe(60);
    expect(waitAfter(2, { retryAfterMs: 60_000 })).toBe(300);
  });
});
