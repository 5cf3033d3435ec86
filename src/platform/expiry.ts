import type { Fault } from './errors.ts';

/** The last instant that RFC 3339 can express. */
const lastInstant = Date.UTC(10_000, 0) - 1;

/** Returns the faults of an expiry date, which may be in the past. Null means never. */
export function endFaults(text: string | null | undefined, path: string): Fault[] {
  if (text === null || text === undefined) return [];
  // The schema's format accepts leap seconds, a Date does not.
  return new Date(text).getTime() <= lastInstant
    ? []
    : [{ path, message: `${path} is outside the range of supported times` }];
}

/** Returns the faults of the expiry date of something new. */
export function expiryFaults(text: string | null | undefined, now: Date, path: string): Fault[] {
  const faults = endFaults(text, path);
  if (faults.length > 0 || text === null || text === undefined) return faults;
  return new Date(text) > now ? [] : [{ path, message: `${path} must be in the future` }];
}

/** Converts a validated expiry date. */
export const expiryOf = (text: string | null | undefined): Date | null =>
  text === null || text === undefined ? null : new Date(text);
