import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database.ts';
import { createLogger } from '../log.ts';
import { createWritePool } from './connect.ts';

test('a statement with parameters is prepared once, and generated texts do not fill the server', async () => {
  const { connection } = await testDatabase();
  const db = createWritePool(connection, createLogger('silent'), 1);
  const countPrepared = async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*) from pg_prepared_statements`.execute(db);
    return rows[0]?.count;
  };
  try {
    for (const value of [1, 2, 3]) await sql`select ${value}::int`.execute(db);
    expect(await countPrepared()).toBe(1);
    for (let nth = 0; nth < 600; nth += 1) {
      await sql`select ${nth}::int as ${sql.ref(`column_${nth}`)}`.execute(db);
    }
    expect(await countPrepared()).toBe(500);
  } finally {
    await db.destroy();
  }
});
