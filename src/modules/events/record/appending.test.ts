import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testApp } from '../../../../test/support/app.ts';
import { appendEvents, eventsRead } from '../../../../test/support/long-log.ts';

test('what is added to the log costs the same however long the log has become', async () => {
  const { db } = await testApp();
  const read = await db.connection().execute(async (one) => {
    // PostgreSQL chooses such a plan on a connection that made its plans while the tables were almost empty.
    await sql`set plan_cache_mode = force_generic_plan`.execute(one);
    await appendEvents(one, 1);
    await appendEvents(one, 3_000);
    // In a transaction, because the statistics may be reset between two transactions.
    await sql`begin`.execute(one);
    const before = await eventsRead(one);
    await appendEvents(one, 1);
    const after = await eventsRead(one);
    await sql`rollback`.execute(one);
    return after - before;
  });
  // The last event, whose hash is the next link of the chain.
  expect(read).toBe(1);
});
