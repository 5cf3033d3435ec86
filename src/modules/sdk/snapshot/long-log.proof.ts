import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testDatabase } from '../../../../test/support/database.ts';
import { appendEvents, eventsRead } from '../../../../test/support/long-log.ts';
import { readDefinitions } from './read.ts';

test('an update of the snapshot reads only the events since the last one', async () => {
  const { db } = await testDatabase();
  const read = await db.connection().execute(async (one) => {
    // As PostgreSQL does on a connection that planned its statements while the log was nearly empty.
    await sql`set plan_cache_mode = force_generic_plan`.execute(one);
    const first = await readDefinitions(one);
    await appendEvents(one, 1);
    await readDefinitions(one, first);
    await appendEvents(one, 3_000);
    const known = await readDefinitions(one);
    await sql`begin`.execute(one);
    await appendEvents(one, 1);
    const before = await eventsRead(one);
    await readDefinitions(one, known);
    const after = await eventsRead(one);
    await sql`rollback`.execute(one);
    return after - before;
  });
  // Three reads: the head of the log, tags, and the features of the event.
  expect(read).toBeLessThanOrEqual(3);
});
