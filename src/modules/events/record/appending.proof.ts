import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testApp } from '../../../../test/support/app.ts';
import { appendEvents, eventsRead } from '../../../../test/support/long-log.ts';

test('appending an event reads one event, however long the log is', async () => {
  const { db } = await testApp();
  const read = await db.connection().execute(async (one) => {
    // PostgreSQL uses this plan on a connection that planned while the tables were almost empty.
    await sql`set plan_cache_mode = force_generic_plan`.execute(one);
    await appendEvents(one, 1);
    await appendEvents(one, 3_000);
    // In a transaction, because statistics may be reset between two transactions.
    await sql`begin`.execute(one);
    const before = await eventsRead(one);
    await appendEvents(one, 1);
    const after = await eventsRead(one);
    await sql`rollback`.execute(one);
    return after - before;
  });
  // The last event, whose hash is needed for the next link of the chain.
  expect(read).toBe(1);
});
