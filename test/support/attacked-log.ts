import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import { expect } from 'vitest';
import { transactOn } from '../../src/app/transact.ts';
import { systemActor } from '../../src/modules/access/gate/index.ts';
import { makeCheckpoint } from '../../src/modules/events/proof/checkpoint.ts';
import { listSigningKeys } from '../../src/modules/events/proof/queries.ts';
import { removeOldEvents } from '../../src/modules/events/proof/retention.ts';
import {
  findSigner,
  prepareSigningKey,
  type Signer,
} from '../../src/modules/events/proof/signing.ts';
import type { Connection } from '../../src/platform/db/connect.ts';
import type { Database } from '../../src/platform/db/database.ts';
import { closeLater } from './closing.ts';
import { commandLine } from './command-line.ts';
import { testDatabase } from './database.ts';
import { urlOf } from './database-url.ts';
import { exported, fill, headOf, runVerifier } from './proof-log.ts';

export const dayMs = 86_400_000;

type KeyPlace = 'database' | 'file';

/** The text of a new private key, for a file. */
export const newPem = () =>
  generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

/** An installation with a log of some days, a checkpoint and the public keys, both stored outside of it. */
export async function install(keyPlace: KeyPlace) {
  const folder = mkdtempSync(join(tmpdir(), 'burgee-attacks-'));
  closeLater(async () => rmSync(folder, { recursive: true, force: true }));
  const nameOf = (name: string) => join(folder, name);
  const { db, connection } = await testDatabase();
  const signingKeyFile = keyPlace === 'file' ? nameOf('key.pem') : undefined;
  if (signingKeyFile) {
    writeFileSync(signingKeyFile, newPem());
  }
  await transactOn(db)(systemActor, (tx) => prepareSigningKey(tx, signingKeyFile));
  await fill(transactOn(db), 6);
  const signer = (await findSigner(db, signingKeyFile)) as Signer;
  const checkpoint = nameOf('checkpoint.json');
  const keys = nameOf('keys.json');
  const made = await makeCheckpoint(db, signer, new Date());
  writeFileSync(checkpoint, JSON.stringify(made));
  writeFileSync(keys, JSON.stringify({ keys: await listSigningKeys(db) }));
  return { folder, db, connection, signer, signingKeyFile, made, checkpoint, keys };
}

type Installation = Awaited<ReturnType<typeof install>>;

/** Writes to the database like an attacker, bypassing every trigger. */
export const tamper = (db: Kysely<Database>, ...statements: ReturnType<typeof sql>[]) =>
  db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    for (const statement of statements) await statement.execute(tx);
  });

export const verify = async (connection: Connection, args: readonly string[], days?: number) => {
  const { code, stdout, stderr } = await commandLine(['verify', ...args], {
    DATABASE_URL: urlOf(connection),
    LOG_LEVEL: 'error',
    ...(days !== undefined && { EVENT_RETENTION_DAYS: String(days) }),
  });
  return { code, said: `${stdout}${stderr}` };
};

/** All ways to verify with a checkpoint: with and without the keys, in the command and stand-alone. */
export async function codes({ connection, db, checkpoint, keys }: Installation, days = 30) {
  const own = ['--public-key', keys];
  const compared = ['--checkpoint', checkpoint];
  const lines = await exported(db);
  const alone = ['-', ...compared, '--retention-days', String(days)];
  return [
    (await verify(connection, compared, days)).code,
    (await verify(connection, [...compared, ...own], days)).code,
    (await runVerifier(alone, lines)).status,
    (await runVerifier([...alone, ...own], lines)).status,
  ];
}

export const removeNow = ({ db, signingKeyFile }: Installation, days: number, now = Date.now()) =>
  transactOn(db, () => new Date(now))(systemActor, (tx) =>
    removeOldEvents(tx, days, { signingKeyFile }),
  );

/** The time at which all initial events are 40 days old. */
export const later = Date.now() + 40 * dayMs;

export const fillLater = (db: Kysely<Database>) =>
  fill(
    transactOn(db, () => new Date(later)),
    3,
  );

/** A log of 40 days, a checkpoint, and a removal after it. */
export async function aged(keyPlace: KeyPlace) {
  const own = await install(keyPlace);
  await fillLater(own.db);
  const made = await makeCheckpoint(own.db, own.signer, new Date(later));
  writeFileSync(own.checkpoint, JSON.stringify(made));
  expect(await removeNow(own, 30, later)).toBe(true);
  expect((await headOf(own.db)).id).toBeGreaterThan(made.lastId);
  return { ...own, made };
}
