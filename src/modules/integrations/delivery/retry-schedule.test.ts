import { describe, expect, test } from 'vitest';
import { maxAttempts, nextAttemptAt } from './retry-schedule.ts';

const now = new Date('2026-03-01T00:00:00.000Z');
const waitAfter = (tries: number, options = {}) => {
  const next = nextAttemptAt(tries, now, { random: () => 0, ...options });
  return next && (next.getTime() - now.getTime()) / 1000;
};

describe('after a failed attempt', () => {
  test('the next one waits 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 10 h, and there are 8', () => {
    const waits = [1, 2, 3, 4, 5, 6, 7].map((tries) => waitAfter(tries));

    expect(waits).toEqual([5, 300, 1800, 7200, 18_000, 36_000, 36_000]);
    expect(waitAfter(maxAttempts)).toBeUndefined();
    expect(maxAttempts).toBe(8);
  });

  test('it comes a little later by chance, never earlier and at most a tenth', () => {
    expect(waitAfter(2, { random: () => 0.999_999 })).toBeCloseTo(330, 0);
    expect(waitAfter(2, { random: () => 0.5 })).toBe(315);
  });

  test('a receiver that asks for more patience gets it; one that asks for less waits as usual', () => {
    expect(waitAfter(1, { retryAfterMs: 60_000 })).toBe(60);
    expect(waitAfter(2, { retryAfterMs: 60_000 })).toBe(300);
  });
});
