import { sql } from 'kysely';
import { Client } from 'pg';
import { expect, test } from 'vitest';
import { testDatabase } from '../../../../test/support/database.ts';
import { isConnectionLost } from './presence.ts';

test('a connection that the server ended between two queries counts as lost, so that a start is repeated', async () => {
  const { connection, db } = await testDatabase();
  const client = new Client(connection);
  client.on('error', () => {});
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const ended = new Promise<void>((resolve) => client.once('end', resolve));
  await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(db);
  await ended;
  const error = await client.query('select 1').catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(Error);
  expect(isConnectionLost(error)).toBe(true);
});
