import type { Fault } from './errors.ts';

/** The last instant that RFC 3339 can write. */
const lastInstant = Date.UTC(10_000, 0) - 1;

/** What is wrong with the moment at which something is to end; null: never. */
export function expiryFaults(text: string | null | undefined, now: Date, path: string): Fault[] {
  if (text === null || text === undefined) return [];
  const at = new Date(text).getTime();
  // The schema's format knows leap seconds, a Date does not.
  if (!(at <= lastInstant)) return [{ path, message: `${path} is no moment that can be kept` }];
  return at > now.getTime() ? [] : [{ path, message: `${path} must lie in the future` }];
}

/** The moment that a text without faults names. */
export const expiryOf = (text: string | null | undefined): Date | null =>
  text === null || text === undefined ? null : new Date(text);
