import type { Clock } from '../../src/platform/clock.ts';

/** A second passes with every look, so that what was touched later says so. */
export function tickingClock(): Clock {
  let seconds = 0;
  return () => {
    seconds += 1;
    return new Date(Date.UTC(2026, 0, 1, 0, 0, seconds));
  };
}
