import type { Actor } from '../actor.ts';
import type { Transact } from './database.ts';
import { touchInstallation } from './first-start.ts';
import { errorCodeOf } from './outage.ts';

/** Returns whether PostgreSQL reported a full disk. */
export const isDiskFull = (error: unknown): boolean => errorCodeOf(error) === '53100';

/** Detects a full database disk by changes that fail because of it. */
export function watchDisk(transact: Transact, system: Actor) {
  let isFull = false;
  const watched: Transact = async (actor, work) => {
    try {
      return await transact(actor, work);
    } catch (error) {
      if (isDiskFull(error)) isFull = true;
      throw error;
    }
  };
  return {
    transact: watched,
    /** Tests whether writing works again after a change that failed. */
    async hasDiskSpace(): Promise<boolean> {
      if (!isFull) return true;
      try {
        await transact(system, touchInstallation);
        isFull = false;
      } catch {
        // Still full, or unavailable: `isFull` stays set.
      }
      return !isFull;
    },
  };
}
