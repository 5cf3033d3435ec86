import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { transactOn } from '../../src/installation.ts';
import { createSearchPool, createWritePool } from '../../src/platform/db/connect.ts';
import { createLogger } from '../../src/platform/log.ts';
import { testActor } from '../support/app.ts';
import { closeLater } from '../support/closing.ts';
import { testDatabase } from '../support/database.ts';

async function oneConnection(create: typeof createWritePool) {
  const { connection } = await testDatabase();
  const db = create(connection, createLogger('silent'), 1);
  closeLater(() => db.destroy());
  const prepared = async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from pg_prepared_statements`.execute(db);
    return rows[0]?.count;
  };
  return { db, prepared };
}

describe.each([
  ['for writes', createWritePool],
  ['for searches', createSearchPool],
] as const)('a connection %s', (_what, create) => {
  test('prepares a statement once', async () => {
    const { db, prepared } = await oneConnection(create);
    for (const value of [1, 2, 3]) {
      const { rows } = await sql<{ sum: number }>`select ${value}::int + 1 as sum`.execute(db);
      expect(rows).toEqual([{ sum: value + 1 }]);
    }
    expect(await prepared()).toBe(1);
  });

  test('prepares five hundred at most, and runs the others as they come', async () => {
    const { db, prepared } = await oneConnection(create);
    for (let number = 0; number < 520; number += 1) {
      const { rows } = await sql`
        select ${number}::int as ${sql.ref(`n${number}`)}`.execute(db);
      expect(rows).toEqual([{ [`n${number}`]: number }]);
    }
    expect(await prepared()).toBe(500);
  });
});

test('a transaction that failed before its first statement leaves a sound connection', async () => {
  const { db } = await oneConnection(createWritePool);
  const transact = transactOn(db);
  const refused = transact(testActor, async () => {
    throw new Error('refused');
  });
  await expect(refused).rejects.toThrow('refused');
  // Within one transaction the time stands still.
  const isOneTransaction = async (executor: typeof db) => {
    const now = sql<{ now: string }>`select now()::text as now, ${1}::int`;
    const [first] = (await now.execute(executor)).rows;
    const [second] = (await now.execute(executor)).rows;
    return first?.now === second?.now;
  };
  await transact(testActor, async (tx) => {
    expect(await isOneTransaction(tx.db)).toBe(true);
  });
  expect(await isOneTransaction(db)).toBe(false);
});
