import { setTimeout as sleep } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import pg from 'pg';
import { inject } from 'vitest';
import { type Connection, createWritePool } from '../../src/platform/db/connect.ts';
import type { Database } from '../../src/platform/db/database.ts';
import { createLogger } from '../../src/platform/log.ts';
import { closeLater } from './closing.ts';
import { databaseNamed } from './database-named.ts';

let made = 0;

let administrator: pg.Pool | undefined;

/** One connection for everything a worker creates and drops: opening one takes as long as copying a database. */
async function asAdministrator(statement: string): Promise<pg.QueryResult> {
  if (!administrator) {
    administrator = new pg.Pool({ ...inject('server'), max: 1, allowExitOnIdle: true });
    // The server stops before the workers do.
    administrator.on('error', () => undefined);
  }
  return await administrator.query(statement);
}

/**
 * A closed pool does not wait until PostgreSQL has noticed. Dropping the database at once would end such connections
 * with an unhandled error.
 */
async function everybodyLeft(name: string): Promise<void> {
  const deadline = performance.now() + 60_000;
  while (performance.now() < deadline) {
    const { rowCount } = await asAdministrator(
      `select from pg_stat_activity where datname = '${name}'`,
    );
    if (rowCount === 0) return;
    await sleep(5);
  }
}

/**
 * A separate database, dropped after the test file: as after the first start, with all tables before the first start,
 * or empty.
 */
export async function testDatabase(
  from: 'prepared' | 'migrated' | 'empty' = 'prepared',
): Promise<{ connection: Connection; db: Kysely<Database>; name: string }> {
  made += 1;
  const name = `burgee_test_${process.pid}_${Date.now().toString(36)}_${made}`;
  const template = from === 'empty' ? 'template0' : inject('templates')[from];
  // Copying files takes half as long as copying through the write-ahead log. PostgreSQL 14, if external, lacks the
  // option.
  const strategy = inject('server').connectionString === undefined ? 'strategy file_copy' : '';
  await asAdministrator(`create database ${name} template ${template} ${strategy}`);
  // No test may fail because the machine is busy.
  const connection = { ...databaseNamed(inject('server'), name), connectionTimeoutMillis: 120_000 };
  const db = createWritePool(connection, createLogger('silent'), 4);
  closeLater(async () => {
    await db.destroy();
    await everybodyLeft(name);
    await asAdministrator(`drop database if exists ${name} with (force)`);
  });
  return { connection, db, name };
}
