import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { transactOn } from '../../src/installation.ts';
import { systemActor } from '../../src/modules/access/index.ts';
import { makeCheckpoint } from '../../src/modules/events/proof/checkpoint.ts';
import {
  findSigner,
  listSigningKeys,
  prepareSigningKey,
  type Signer,
} from '../../src/modules/events/proof/signing.ts';
import type { Connection } from '../../src/platform/db/connect.ts';
import type { Database } from '../../src/platform/db/database.ts';
import { testDatabase } from '../support/database.ts';
import { fill, headOf, person } from './log.ts';

const folder = mkdtempSync(join(tmpdir(), 'burgee-command-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let db: Kysely<Database>;
let url: string;

/** A socket's folder goes into the query: it has slashes. */
const urlOf = ({ connectionString, host, port, user, database }: Connection): string =>
  connectionString ??
  `postgresql://${user}@localhost:${port ?? 5432}/${database}?host=${encodeURIComponent(host ?? '')}`;

/** The command line, as an operator uses it; Vitest's own variables stay outside. */
function burgee(...args: string[]) {
  const entry = fileURLToPath(new URL('../../src/cli/index.ts', import.meta.url));
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', 'tsx', entry, ...args],
    { encoding: 'utf8', env: { PATH: process.env.PATH, DATABASE_URL: url, LOG_LEVEL: 'error' } },
  );
  return { status, stdout, stderr };
}

beforeAll(async () => {
  const made = await testDatabase();
  db = made.db;
  url = urlOf(made.connection);
  await fill(transactOn(db), 5, person(50, 'Ada'));
});

test('forget says what it would do, does it when told, and the log verifies', async () => {
  expect(burgee('forget', '--creator-id', '50')).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^5 events name .* Nothing was changed/),
  });
  expect(burgee('forget', '--creator-id', '50', '--yes')).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^Erased from 5 events/),
  });
  const { id, hash } = await headOf(db);
  expect(burgee('verify')).toEqual({
    status: 0,
    stdout: `${id} events verified, 1 to ${id}, hash ${hash}\n`,
    stderr: '',
  });
});

test('verify holds the log against a checkpoint, and names what is gone', async () => {
  await transactOn(db)(systemActor, (tx) => prepareSigningKey(tx, undefined));
  const signer = (await findSigner(db, undefined)) as Signer;
  const checkpoint = await makeCheckpoint(db, signer, new Date());
  const file = join(folder, 'checkpoint.json');
  const forged = join(folder, 'forged.json');
  writeFileSync(file, JSON.stringify(checkpoint));
  writeFileSync(forged, JSON.stringify({ ...checkpoint, hash: 'ab'.repeat(32) }));

  expect(burgee('verify', '--checkpoint', file)).toMatchObject({
    status: 0,
    stdout: expect.stringContaining(`at event ${checkpoint.lastId}, agrees`),
  });
  expect(burgee('verify', '--checkpoint', forged)).toMatchObject({
    status: 1,
    stderr: `The checkpoint is not signed with the key ${checkpoint.keyId}\n`,
  });

  const { lastId } = checkpoint;
  await db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    await sql`delete from events where id = ${lastId}`.execute(tx);
    await sql`delete from event_texts where id = ${lastId}`.execute(tx);
    await sql`update event_days set last_id = ${lastId - 1} where last_id = ${lastId}`.execute(tx);
  });
  expect(burgee('verify', '--checkpoint', file)).toMatchObject({
    status: 1,
    stdout: '',
    stderr: `Event ${lastId} was removed\n`,
  });
});

test('key export prints the old and the new public key after key rotate', async () => {
  expect(burgee('key', 'rotate').status).toBe(0);
  const { stdout } = burgee('key', 'export');
  for (const { id, publicKey } of await listSigningKeys(db)) {
    expect(stdout).toContain(`${id}, since `);
    expect(stdout).toContain(publicKey);
  }
  expect(stdout).toMatch(/, retired [\s\S]*, current/);
});
