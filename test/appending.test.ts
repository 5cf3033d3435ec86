import { type Kysely, sql } from 'kysely';
import { expect, test } from 'vitest';
import { appendingRecorded, defineEvent, record } from '../src/modules/events/index.ts';
import type { Database, Tx } from '../src/platform/db/database.ts';
import { testActor, testApp } from './support/app.ts';

const noticed = defineEvent<{ nth: number }>({
  type: 'project-updated',
  label: 'Noticed',
  summary: ({ user }) => user,
});

async function append(connection: Kysely<Database>, events: number): Promise<void> {
  const tx = { db: connection, actor: testActor, now: new Date() } as unknown as Tx;
  for (let nth = 0; nth < events; nth += 1) record(tx, noticed({ data: { nth } }));
  await appendingRecorded(tx).execute(connection);
}

/** How many events this connection has read since it last reported to the statistics. */
async function eventsRead(connection: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ read: number }>`
    select seq_tup_read + idx_tup_fetch as read from pg_stat_xact_user_tables where relname = 'events'`.execute(
    connection,
  );
  return rows[0]?.read ?? 0;
}

test('what is added to the log costs the same however long the log has become', async () => {
  const { db } = await testApp();
  const read = await db.connection().execute(async (one) => {
    // As PostgreSQL does by itself on a connection that has made its plans while there was hardly anything to read.
    await sql`set plan_cache_mode = force_generic_plan`.execute(one);
    await append(one, 1);
    await append(one, 3_000);
    // In a transaction: between two of them the figures may begin anew.
    await sql`begin`.execute(one);
    const before = await eventsRead(one);
    await append(one, 1);
    const after = await eventsRead(one);
    await sql`rollback`.execute(one);
    return after - before;
  });
  // The last event, whose hash is the next link of the chain.
  expect(read).toBe(1);
});
