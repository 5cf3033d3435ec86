import { performance } from 'node:perf_hooks';

/** Of the time of its thread: on two cores the database and requests need the rest. */
const busyShare = 0.45;

/** However busy it is, 100 a second begin. */
const longestGapMs = 10;
const shortestGapMs = 0.5;
const adaptEveryMs = 100;
const tickMs = 5;

/**
 * Lets work begin evenly, and by turns: nobody's backlog keeps another's single event waiting. At full speed
 * (1,200 a second on two cores) the API's own writes took three times as long.
 */
export interface Pace {
  readonly begin: (whose: number, work: () => void) => void;
  /** All that waits begins now. */
  readonly hurry: () => void;
}

export function createPace(): Pace {
  /** In the order of their turns. */
  const waiting = new Map<number, (() => void)[]>();
  let gapMs = 1;
  let nextAt = 0;
  let adaptedAt = 0;
  let measured = performance.eventLoopUtilization();
  let timer: NodeJS.Timeout | undefined;

  function adapt(now: number): void {
    if (now - adaptedAt < adaptEveryMs) return;
    const { utilization } = performance.eventLoopUtilization(measured);
    measured = performance.eventLoopUtilization();
    adaptedAt = now;
    const factor = utilization > busyShare ? 1.2 : 0.9;
    gapMs = Math.min(longestGapMs, Math.max(shortestGapMs, gapMs * factor));
  }

  function beginOne(): void {
    for (const [whose, works] of waiting) {
      waiting.delete(whose);
      works.shift()?.();
      // Behind all others.
      if (works.length > 0) waiting.set(whose, works);
      return;
    }
  }

  function pump(): void {
    const now = performance.now();
    adapt(now);
    // What was not begun while nothing waited, or while the thread was busy, is not made up for.
    nextAt = Math.max(nextAt, now - tickMs);
    while (waiting.size > 0 && nextAt <= now) {
      nextAt += gapMs;
      beginOne();
    }
    timer = waiting.size > 0 ? setTimeout(pump, tickMs) : undefined;
  }

  return {
    begin(whose, work) {
      const works = waiting.get(whose);
      if (works) works.push(work);
      else waiting.set(whose, [work]);
      if (timer === undefined) pump();
    },
    hurry() {
      while (waiting.size > 0) beginOne();
    },
  };
}
