import type { Tx } from '../platform/db/database.ts';

/** The operation id of a request, with its project and environment. */
export interface NeededPermission {
  readonly operation: string;
  readonly project?: string;
  readonly environment?: string;
}

/** Something that happened in the past, done through the services that would have done it. */
export interface Chapter {
  readonly daysAgo: number;
  /** The email or user name of the author; without it, the installation itself. */
  readonly by?: string;
  /** The requests they would have made. They must have the permissions by then. */
  readonly requests: readonly NeededPermission[];
  readonly run: (tx: Tx) => Promise<unknown>;
}

/** A number that is always the same for the same text: a random choice without surprises. */
export const numberOf = (thing: string): number =>
  [...thing].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 9973, 7);
