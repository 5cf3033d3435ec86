import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';

/**
 * Until this transaction ends, no other commits an event: what it finds in the log is all that lies before
 * what it records itself. For rare changes; every writer waits for them.
 */
export const holdOrder = async (tx: Tx): Promise<void> => {
  await sql`select pg_advisory_xact_lock(4242002)`.execute(tx.db);
};
