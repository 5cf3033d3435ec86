import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import { expect, onTestFinished } from 'vitest';
import { transactOn } from '../../src/app/transact.ts';
import type { Database } from '../../src/platform/db/database.ts';
import { openSession } from '../../src/platform/db/one-session.ts';
import { closeLater } from '../support/closing.ts';
import { commandLine } from '../support/command-line.ts';
import { testDatabase } from '../support/database.ts';
import { urlOf } from '../support/database-url.ts';
import { fill } from '../support/proof-log.ts';

export const key = Buffer.alloc(32, 1).toString('base64');
export const otherKey = Buffer.alloc(32, 2).toString('base64');

export const on = (url: string, settings: Record<string, string> = {}) => {
  const all = { DATABASE_URL: url, LOG_LEVEL: 'error', ...settings };
  return (...args: string[]) => commandLine(args, all);
};

/** An empty database without other connections. */
export const target = async () => {
  const { connection, db } = await testDatabase('empty');
  return { url: urlOf(connection), db };
};

/** A session that does not belong to Burgee, until the test ends. */
export async function operator(url: string) {
  const { client, end } = await openSession({ connectionString: url }, 'operator');
  onTestFinished(end);
  return client;
}

/** All rows of all tables, in any order, apart from when they were restored. */
export async function contentsOf(db: Kysely<Database>): Promise<Record<string, string>> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' order by relname`.execute(db);
  const contents: Record<string, string> = {};
  for (const { name } of rows) {
    const found = await sql<{ digest: string }>`
      select count(*) || ' ' || coalesce(md5(string_agg(line, E'\n' order by line)), '') as digest
      from (select (to_jsonb(row) - 'restored_at')::text as line from ${sql.id(name)} as row) lines`.execute(
      db,
    );
    contents[name] = found.rows[0]?.digest ?? '';
  }
  return contents;
}

/** An installation with some events and a secret, and its backup in a folder of its own. */
export async function backedUp() {
  const folder = mkdtempSync(join(tmpdir(), 'burgee-backup-'));
  closeLater(async () => rmSync(folder, { recursive: true, force: true }));
  const { connection, db } = await testDatabase();
  const source = { url: urlOf(connection), db };
  await fill(transactOn(db), 20);
  // A secret, so that the key is in use.
  await on(source.url, { ENCRYPTION_KEY: key })(
    ...['token', 'create', '--type', 'client', '--name', 'app', '--environment', 'development'],
  );
  const file = join(folder, 'flags.backup');
  expect(await on(source.url)('backup', file)).toMatchObject({ code: 0, stderr: '' });
  return { folder, source, file };
}
