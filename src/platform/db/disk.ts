import type { Actor, Transact } from './database.ts';
import { touchInstallation } from './first-start.ts';
import { errorCodeOf } from './outage.ts';

/** What PostgreSQL says when its disk is full. */
export const isDiskFull = (error: unknown): boolean => errorCodeOf(error) === '53100';

/** Notices that the disk of the database is full, by changes that fail for it. */
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
    /** After a change that found no room it is tried whether there is some again. */
    async hasRoom(): Promise<boolean> {
      if (!isFull) return true;
      try {
        await transact(system, touchInstallation);
        isFull = false;
      } catch {
        // Full still, or away: whoever asks learns of that, too.
      }
      return !isFull;
    },
  };
}
