import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { transactOn } from '../../src/app/transact.ts';
import { commandLine } from '../support/command-line.ts';
import { dataDir } from '../support/data-dir.ts';
import { testDatabase } from '../support/database.ts';
import { urlOf } from '../support/database-url.ts';
import { fill } from '../support/proof-log.ts';
import { startServer } from '../support/server-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'burgee-embedded-backup-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a backup moves from an external to the embedded database and back, and a running server can be backed up but not replaced', async () => {
  const source = await testDatabase();
  await fill(transactOn(source.db), 20);
  const file = join(folder, 'flags.backup');
  const external = { DATABASE_URL: urlOf(source.connection), LOG_LEVEL: 'error' };
  expect(await commandLine(['backup', file], external)).toMatchObject({ code: 0, stderr: '' });
  const folderOf = dataDir();
  const key = Buffer.alloc(32, 1).toString('base64');
  const embedded = { DATA_DIR: folderOf, LOG_LEVEL: 'error', ENCRYPTION_KEY: key };
  expect(await commandLine(['restore', file], embedded)).toMatchObject({ code: 0, stderr: '' });
  const server = await startServer(embedded);
  const made = await server.ask('POST /api/admin/projects', {
    body: { id: 'moved', name: 'Moved' },
  });
  expect(made.status).toBe(201);
  const back = join(folder, 'back.backup');
  expect(await commandLine(['backup', back], embedded)).toMatchObject({ code: 0 });
  expect(await commandLine(['restore', back, '--replace'], embedded)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/Burgee is already running on this data folder/),
  });
  await server.end('SIGTERM');
  const { connection, db } = await testDatabase('empty');
  const target = { DATABASE_URL: urlOf(connection), LOG_LEVEL: 'error', ENCRYPTION_KEY: key };
  expect(await commandLine(['restore', back], target)).toMatchObject({ code: 0 });
  expect(await commandLine(['verify'], target)).toMatchObject({ code: 0 });
  const { rows } = await sql`select name from projects where id = 'moved'`.execute(db);
  expect(rows).toEqual([{ name: 'Moved' }]);
});
