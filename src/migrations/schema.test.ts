import { type Kysely, sql } from 'kysely';
import { expect, test } from 'vitest';
import { testDatabase } from '../../test/support/database.ts';
import { StartError } from '../platform/start-error.ts';
import { migrations } from './index.ts';
import { migrate, requireCurrentSchema } from './migrate.ts';

test('a connection lost during a migration is explained', async () => {
  const { db } = await testDatabase();
  const list = {
    ...migrations,
    '9999-breaks': {
      up: async (lost: Kysely<unknown>) => {
        await sql`select pg_terminate_backend(pg_backend_pid())`.execute(lost);
      },
    },
  };
  const failure = await migrate(db, list).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(StartError);
  expect((failure as Error).message).toMatch(/^Migration 9999-breaks failed/);
  expect(await migrate(db)).toEqual({ ran: [] });
});

test('a read-only command reports an older and a newer schema', async () => {
  const { db } = await testDatabase();
  await expect(requireCurrentSchema(db)).resolves.toBeUndefined();
  const newer = { ...migrations, '9999-new': { up: async () => undefined } };
  await expect(requireCurrentSchema(db, newer)).rejects.toThrow(/older than this command/);
  const [first = '', ...rest] = Object.keys(migrations);
  const older = Object.fromEntries(Object.entries(migrations).filter(([name]) => name !== first));
  expect(rest).not.toHaveLength(0);
  await expect(requireCurrentSchema(db, older)).rejects.toThrow(/migrated by a newer Burgee/);
  await sql`drop table migrations`.execute(db);
  await expect(requireCurrentSchema(db)).rejects.toThrow(/older than this command/);
});
