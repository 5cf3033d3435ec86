import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/db/database.ts';

/** Held in a session while an import reads and writes, so that it ends with the process. */
const importLock = 4242020;
const pauseMs = 500;

/**
 * Waits until no other import is under way, then does the work. Two at once would bring the same events twice, and the one
 * that has read earlier would undo what the other has written. `--cut-over` runs beside a `--follow`.
 */
export const oneImportAtATime = <Result>(
  db: Kysely<Database>,
  sayWaiting: () => void,
  work: () => Promise<Result>,
): Promise<Result> =>
  db.connection().execute(async (session) => {
    for (let tries = 0; ; tries += 1) {
      const { rows } = await sql<{ isHeld: boolean }>`
        select pg_try_advisory_lock(${importLock}) as "isHeld"`.execute(session);
      if (rows[0]?.isHeld) break;
      if (tries === 0) sayWaiting();
      await sleep(pauseMs);
    }
    try {
      return await work();
    } finally {
      // If the session is lost, so is its lock.
      await sql`select pg_advisory_unlock(${importLock})`.execute(session).catch(() => undefined);
    }
  });
