import { performance } from 'node:perf_hooks';

/** The share of its thread that sending may use. On two cores the database and requests need the rest. */
const busyShare = 0.45;

/** At least 100 attempts a second start, however busy the thread is. */
const longestGapMs = 10;
const shortestGapMs = 0.5;
const adaptEveryMs = 100;
const tickMs = 5;

/**
 * Starts attempts evenly, the integrations by turns, so that a backlog does not delay the single event of another
 * integration. At full speed (1,200 a second on two cores) writes through the API took three times as long.
 */
export interface Pace {
  readonly start: (integrationId: number, work: () => void) => void;
  /** Starts all waiting attempts now. */
  readonly startAll: () => void;
}

export function createPace(): Pace {
  /** By integration, in the order of their turns. */
  const waiting = new Map<number, (() => void)[]>();
  let gapMs = 1;
  let nextAt = 0;
  let adaptedAt = 0;
  let lastUtilization = performance.eventLoopUtilization();
  let timer: NodeJS.Timeout | undefined;

  function adapt(now: number): void {
    if (now - adaptedAt < adaptEveryMs) return;
    const { utilization } = performance.eventLoopUtilization(lastUtilization);
    lastUtilization = performance.eventLoopUtilization();
    adaptedAt = now;
    const factor = utilization > busyShare ? 1.2 : 0.9;
    gapMs = Math.min(longestGapMs, Math.max(shortestGapMs, gapMs * factor));
  }

  function startOne(): void {
    for (const [integrationId, works] of waiting) {
      waiting.delete(integrationId);
      works.shift()?.();
      // At the end of the queue.
      if (works.length > 0) waiting.set(integrationId, works);
      return;
    }
  }

  function pump(): void {
    const now = performance.now();
    adapt(now);
    // Starts that were missed while nothing waited, or while the thread was busy, are not made up for.
    nextAt = Math.max(nextAt, now - tickMs);
    while (waiting.size > 0 && nextAt <= now) {
      nextAt += gapMs;
      startOne();
    }
    timer = waiting.size > 0 ? setTimeout(pump, tickMs) : undefined;
  }

  return {
    start(whose, work) {
      const works = waiting.get(whose);
      if (works) works.push(work);
      else waiting.set(whose, [work]);
      if (timer === undefined) pump();
    },
    startAll() {
      while (waiting.size > 0) startOne();
    },
  };
}
