import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import { readLog } from '../log-state.ts';

/**
 * No other transaction commits an event until this one ends, so that it sees all events before its own. Every writer
 * waits for it: use it for rare changes only.
 */
export const lockEventLog = async (tx: Tx): Promise<void> => {
  await sql`select pg_advisory_xact_lock(4242002)`.execute(tx.db);
};

/**
 * The id of the first event that this transaction records, if the log already contains events of a project with this
 * name; otherwise 0. The id is certain, because the lock keeps others from recording events.
 */
export async function reserveFirstEventId(tx: Tx, project: string): Promise<number> {
  // The order makes PostgreSQL use the index of projects. With equality a plan may read the whole log to find nothing.
  const nearest = await tx.db
    .selectFrom('events')
    .where('project', '>=', project)
    .orderBy('project')
    .select('project')
    .limit(1)
    .executeTakeFirst();
  if (nearest?.project !== project) return 0;
  await lockEventLog(tx);
  return (await readLog(tx.db)).head + 1;
}
