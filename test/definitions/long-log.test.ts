import { type Kysely, sql } from 'kysely';
import { expect, test } from 'vitest';
import { readDefinitions } from '../../src/modules/definitions/read.ts';
import { appendingRecorded, defineEvent, record } from '../../src/modules/events/index.ts';
import type { Database, Tx } from '../../src/platform/db/database.ts';
import { testActor } from '../support/app.ts';
import { testDatabase } from '../support/database.ts';

const changed = defineEvent<object>({
  type: 'feature-updated',
  label: 'Changed',
  summary: ({ user }) => user,
});

async function append(connection: Kysely<Database>, events: number): Promise<void> {
  const tx = { db: connection, actor: testActor, now: new Date() } as unknown as Tx;
  for (let nth = 0; nth < events; nth += 1) {
    record(tx, changed({ featureName: `f-${nth}`, project: 'default', data: {} }));
  }
  await appendingRecorded(tx).execute(connection);
}

test('what SDKs are told after a change takes the events since the last look, however long the log has become', async () => {
  const { db } = await testDatabase();
  const read = await db.connection().execute(async (one) => {
    // As PostgreSQL does by itself on a connection that has made its plans while there was hardly anything to read.
    await sql`set plan_cache_mode = force_generic_plan`.execute(one);
    const first = await readDefinitions(one);
    await append(one, 1);
    await readDefinitions(one, first);
    await append(one, 3_000);
    const known = await readDefinitions(one);
    await sql`begin`.execute(one);
    await append(one, 1);
    const eventsRead = async () => {
      const { rows } = await sql<{ read: number }>`
        select seq_tup_read + idx_tup_fetch as read
        from pg_stat_xact_user_tables where relname = 'events'`.execute(one);
      return rows[0]?.read ?? 0;
    };
    const before = await eventsRead();
    await readDefinitions(one, known);
    const after = await eventsRead();
    await sql`rollback`.execute(one);
    return after - before;
  });
  // The new one: for the head of the log, for tags, and for the features that it is about.
  expect(read).toBeLessThanOrEqual(3);
});
