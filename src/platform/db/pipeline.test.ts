import { Writable } from 'node:stream';
import { setImmediate as tick } from 'node:timers/promises';
import { type DatabaseConnection, sql } from 'kysely';
import type pg from 'pg';
import { describe, expect, test } from 'vitest';
import { testActor } from '../../../test/support/app.ts';
import { closeLater } from '../../../test/support/closing.ts';
import { testDatabase } from '../../../test/support/database.ts';
import { transactOn } from '../../transact.ts';
import { createLogger } from '../log.ts';
import { createSearchPool, createWritePool } from './connect.ts';
import { beginStatement, installPipelining, transactionOnConnection } from './pipeline.ts';

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
  // Within one transaction now() is constant.
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

test('a transaction sends a statement although the one before it is not answered yet', () => {
  const asked: string[] = [];
  const connection = {
    executeQuery: ({ sql: text }: { sql: string }) => {
      asked.push(text);
      return new Promise<never>(() => undefined);
    },
  } as unknown as DatabaseConnection;
  const db = createWritePool({}, createLogger('silent'), 1);
  closeLater(() => db.destroy());
  const bound = transactionOnConnection(db, connection);
  void sql`select 1`.execute(bound);
  void bound.selectFrom('projects').select('id').execute();
  expect(asked).toEqual(['select 1', 'select "id" from "projects"']);
});

test('what is asked of a connection at once leaves in one write, and what is asked later in another', async () => {
  const writes: string[] = [];
  const stream = new Writable({
    writev: (chunks, done) => {
      writes.push(chunks.map(({ chunk }) => String(chunk)).join(' '));
      done();
    },
    write: (chunk, _encoding, done) => {
      writes.push(String(chunk));
      done();
    },
  });
  const client = {
    connection: { stream },
    query: (text: string | { text: string }) => {
      stream.write(typeof text === 'string' ? text : text.text);
      return Promise.resolve({ rows: [] });
    },
  } as unknown as pg.PoolClient;
  installPipelining(client, new Map());
  await client.query(beginStatement);
  void client.query('one', [1]);
  void client.query('two');
  await tick();
  void client.query('three');
  await tick();
  expect(writes).toEqual([`${beginStatement} one two`, 'three']);
});
