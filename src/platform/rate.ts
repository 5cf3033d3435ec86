import type { Clock } from './clock.ts';

export interface Rate {
  /** How many may come at once. */
  readonly burst: number;
  /** How many may come in the long run. */
  readonly perMinute: number;
}

export interface RateLimit {
  /** Returns 0 if another one of the key may come now, otherwise the number of seconds until it may. */
  readonly take: (key: string) => number;
}

/** Keys that have not come for a while are dropped when there are this many. */
const maxKeys = 10_000;

/** Limits how often something of each key may happen. It counts in memory, on each instance for itself. */
export function createRateLimit({ burst, perMinute }: Rate, clock: Clock): RateLimit {
  const perMs = perMinute / 60_000;
  const left = new Map<string, { readonly count: number; readonly atMs: number }>();

  function leftOf(key: string, nowMs: number): number {
    const entry = left.get(key);
    if (!entry) return burst;
    // A clock that was set back adds nothing.
    return Math.min(burst, entry.count + Math.max(0, nowMs - entry.atMs) * perMs);
  }

  function dropFull(nowMs: number): void {
    for (const key of left.keys()) {
      if (leftOf(key, nowMs) === burst) left.delete(key);
    }
  }

  return {
    take(key) {
      const nowMs = clock().getTime();
      const count = leftOf(key, nowMs);
      if (count < 1) return Math.ceil((1 - count) / perMs / 1000);
      if (left.size >= maxKeys) dropFull(nowMs);
      left.set(key, { count: count - 1, atMs: nowMs });
      return 0;
    },
  };
}
