import type { Fault } from './errors.ts';

/** The last instant that RFC 3339 can write. */
const lastInstant = Date.UTC(10_000, 0) - 1;

/** What is wrong with the moment at which something ends, or ended; null: never. */
export function endFaults(text: string | null | undefined, path: string): Fault[] {
  if (text === null || text === undefined) return [];
  // The schema's format knows leap seconds, a Date does not.
  return new Date(text).getTime() <= lastInstant
    ? []
    : [{ path, message: `${path} is outside the range of supported times` }];
}

/** What is wrong with the moment at which something new is to end. */
export function expiryFaults(text: string | null | undefined, now: Date, path: string): Fault[] {
  const faults = endFaults(text, path);
  if (faults.length > 0 || text === null || text === undefined) return faults;
  return new Date(text) > now ? [] : [{ path, message: `${path} must be in the future` }];
}

/** The moment that a text without faults names. */
export const expiryOf = (text: string | null | undefined): Date | null =>
  text === null || text === undefined ? null : new Date(text);
