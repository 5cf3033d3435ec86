import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testDatabase } from '../../../../test/support/database.ts';
import { fill, headOf } from '../../../../test/support/proof-log.ts';
import { transactOn } from '../../../app/transact.ts';
import { listStored } from './chain.ts';

test('a batch in the middle of the log does not read the texts of all earlier events', async () => {
  const { db } = await testDatabase();
  await fill(transactOn(db), 20);
  const { id } = await headOf(db);
  await db.transaction().execute(async (tx) => {
    // The plan that PostgreSQL chooses for a large log.
    for (const other of ['nestloop', 'hashjoin', 'seqscan', 'bitmapscan']) {
      await sql.raw(`set local enable_${other} = off`).execute(tx);
    }
    expect(await listStored(tx, { after: id - 2, limit: 10 })).toHaveLength(2);
    const { rows } = await sql<{ relname: string; read: number }>`
      select relname, seq_tup_read + idx_tup_fetch as read from pg_stat_xact_user_tables
      where relname in ('event_texts', 'event_side_texts') order by relname`.execute(tx);
    expect(rows).toEqual([
      { relname: 'event_side_texts', read: 4 },
      { relname: 'event_texts', read: 2 },
    ]);
  });
});
