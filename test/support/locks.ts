import type { LightMyRequestResponse } from 'fastify';
import { sql } from 'kysely';
import type { Tx } from '../../src/platform/db/database.ts';
import { type TestApp, testActor } from './app.ts';

/** Whether a connection waits for a lock held by this one. */
async function isWaitingFor(db: TestApp['db'], holder: number): Promise<boolean> {
  const { rows } = await sql`
    select from pg_stat_activity
    where datname = current_database() and ${holder}::int = any(pg_blocking_pids(pid))`.execute(db);
  return rows.length > 0;
}

export type Race = [
  first: (tx: Tx) => Promise<unknown>,
  second: () => Promise<LightMyRequestResponse>,
  goOn?: (tx: Tx) => Promise<unknown>,
];

/**
 * Runs `first`, and before its commit sends `second` and waits until it is answered or blocked. Then commits. Returns
 * whether `second` was blocked, and its response.
 */
export async function askedDuring(
  { db, transact }: Pick<TestApp, 'db' | 'transact'>,
  ...[first, second, goOn = async () => undefined]: Race
): Promise<{ waited: boolean; response: LightMyRequestResponse }> {
  let waited = false;
  let ended = false;
  const under: Promise<LightMyRequestResponse>[] = [];
  await transact(testActor, async (tx) => {
    await first(tx);
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx.db);
    const holder = rows[0]?.pid as number;
    under.push(
      second().finally(() => {
        ended = true;
      }),
    );
    while (!ended && !waited) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      waited = await isWaitingFor(db, holder);
    }
    await goOn(tx);
  });
  return { waited, response: (await under[0]) as LightMyRequestResponse };
}
