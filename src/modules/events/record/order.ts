import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import { readLog } from '../search/log.ts';

/**
 * Until this transaction ends, no other commits an event: what it finds in the log is all that lies before
 * what it records itself. For rare changes; every writer waits for them.
 */
export const holdOrder = async (tx: Tx): Promise<void> => {
  await sql`select pg_advisory_xact_lock(4242002)`.execute(tx.db);
};

/**
 * The id of the first event that this transaction records, if the log already tells of a project of this name; 0
 * otherwise. The id is certain because nobody else records anything until this transaction ends.
 */
export async function firstEventOf(tx: Tx, project: string): Promise<number> {
  // The order leads through the index of projects: with equality a plan may read the whole log to find nothing.
  const nearest = await tx.db
    .selectFrom('events')
    .where('project', '>=', project)
    .orderBy('project')
    .select('project')
    .limit(1)
    .executeTakeFirst();
  if (nearest?.project !== project) return 0;
  await holdOrder(tx);
  return (await readLog(tx.db)).head + 1;
}
