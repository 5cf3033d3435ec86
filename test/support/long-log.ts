import { type Kysely, sql } from 'kysely';
import { appendingRecorded, defineEvent, record } from '../../src/modules/events/index.ts';
import type { Database, Tx } from '../../src/platform/db/database.ts';
import { testActor } from './app.ts';

const noticed = defineEvent<{ nth: number }>({
  type: 'feature-updated',
  label: 'Noticed',
  summary: ({ user }) => user,
});

/** Records events on this connection, each about another feature. */
export async function appendEvents(connection: Kysely<Database>, events: number): Promise<void> {
  const tx = { db: connection, actor: testActor, now: new Date() } as unknown as Tx;
  for (let nth = 0; nth < events; nth += 1) {
    record(tx, noticed({ featureName: `f-${nth}`, project: 'default', data: { nth } }));
  }
  for (const statement of await appendingRecorded(tx)) await statement.execute(connection);
}

/** The number of events this connection has read in this transaction. */
export async function eventsRead(connection: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ read: number }>`
    select seq_tup_read + idx_tup_fetch as read from pg_stat_xact_user_tables where relname = 'events'`.execute(
    connection,
  );
  return rows[0]?.read ?? 0;
}
