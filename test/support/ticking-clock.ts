import type { Clock } from '../../src/platform/clock.ts';

/** Advances by a second each time it is read, so that later changes have later times. */
export function tickingClock(): Clock {
  let seconds = 0;
  return () => {
    seconds += 1;
    return new Date(Date.UTC(2026, 0, 1, 0, 0, seconds));
  };
}
