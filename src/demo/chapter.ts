import type { Tx } from '../platform/db/database.ts';

/** A request to the API by the id of its operation, and where it is aimed. */
export interface NeededPermission {
  readonly operation: string;
  readonly project?: string;
  readonly environment?: string;
}

/** Something that happened in the past, told through the services that would have done it. */
export interface Chapter {
  readonly daysAgo: number;
  /** The address or user name of whoever did it; left out, the installation itself. */
  readonly by?: string;
  /** What they would have asked the API for: it has to be permitted to them by then. */
  readonly asks: readonly NeededPermission[];
  readonly tell: (tx: Tx) => Promise<unknown>;
}

/** A number that is always the same for the same thing: chance without surprises. */
export const numberOf = (thing: string): number =>
  [...thing].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 9973, 7);
