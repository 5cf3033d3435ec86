import { hourMs } from '../../../platform/clock.ts';

/** Clocks of clients may be ahead by so much. */
const aheadMs = 5 * 60_000;

/** Milliseconds since 1970 of what an SDK wrote for an instant; undefined for what is none. */
export function momentOf(written: string | number): number | undefined {
  const moment = typeof written === 'number' ? written : Date.parse(written);
  return Number.isFinite(moment) ? moment : undefined;
}

/**
 * The instant at which something counts. What cannot be true, because it has yet to come or is older than all that
 * is kept, was written by a wrong clock: it counts when it arrives.
 */
export function plausible(
  written: string | number | undefined,
  nowMs: number,
  retentionMs: number,
): number {
  const moment = written === undefined ? undefined : momentOf(written);
  const isPlausible =
    moment !== undefined && moment <= nowMs + aheadMs && moment > nowMs - retentionMs;
  return isPlausible ? Math.min(moment, nowMs) : nowMs;
}

/** The beginning of its hour. */
export const hourOf = (momentMs: number): number => momentMs - (momentMs % hourMs);
