import { hourMs } from '../../../platform/clock.ts';

/** How far the clock of a client may be ahead. */
const aheadMs = 5 * 60_000;

/** Parses an instant of an SDK into milliseconds since 1970; undefined if it is invalid. */
export function parseInstant(written: string | number): number | undefined {
  const moment = typeof written === 'number' ? written : Date.parse(written);
  return Number.isFinite(moment) ? moment : undefined;
}

/**
 * The instant that is stored. An instant in the future, or older than the retention, comes from a wrong clock. It is
 * replaced by the time of arrival.
 */
export function plausibleInstant(
  written: string | number | undefined,
  nowMs: number,
  retentionMs: number,
): number {
  const moment = written === undefined ? undefined : parseInstant(written);
  const isPlausible =
    moment !== undefined && moment <= nowMs + aheadMs && moment > nowMs - retentionMs;
  return isPlausible ? Math.min(moment, nowMs) : nowMs;
}

/** The start of the hour. */
export const hourOf = (momentMs: number): number => momentMs - (momentMs % hourMs);
