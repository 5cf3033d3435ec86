import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { appOn } from '../../../../test/support/app.ts';
import { testDatabase } from '../../../../test/support/database.ts';
import { fill, headOf } from '../../../../test/support/proof-log.ts';
import { transactOn } from '../../../app/transact.ts';
import type { Connection } from '../../../platform/db/connect.ts';
import type { Database, Transact } from '../../../platform/db/database.ts';
import { StartError } from '../../../platform/start-error.ts';
import { systemActor } from '../../access/gate/index.ts';
import { type Checkpoint, signedText } from '../index.ts';
import { isSignedBy } from './signed-by.ts';
import { prepareSigningKey, rotateSigningKey } from './signing.ts';
import { verifyLog } from './verify.ts';

const folder = mkdtempSync(join(tmpdir(), 'burgee-keys-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let db: Kysely<Database>;
let connection: Connection;
let transact: Transact;
beforeAll(async () => {
  ({ db, connection } = await testDatabase());
  transact = transactOn(db);
  await fill(transact, 3);
});

/** Starts the server with or without a key file. */
async function serve(signingKeyFile?: string) {
  const { ask } = await appOn({ connection, db }, { signingKeyFile });
  return {
    checkpoint: async () => (await ask('GET /api/admin/events/checkpoint')).json() as Checkpoint,
    keys: async () =>
      (await ask('GET /api/admin/events/checkpoint/keys')).json().keys as {
        id: string;
        retiredAt: string | null;
      }[],
  };
}

const writeKey = (name: string) => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const file = join(folder, name);
  writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  return { file, publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString() };
};

const changes = async () =>
  (
    await sql<{ data: { keyId: string } }>`
      select data from events where data->>'id' = 'events.signing-key' order by id`.execute(db)
  ).rows.map(({ data }) => data.keyId);

let first: Checkpoint;

test('the end of the log is signed with a key created on first use', async () => {
  const { checkpoint, keys } = await serve();
  first = await checkpoint();
  const head = await headOf(db);
  expect(first).toMatchObject({ lastId: head.id, hash: head.hash });
  const { lastId, hash, createdAt } = first;
  const text = `burgee-checkpoint-2\n${lastId}\n${hash}\n${createdAt}\n0\n${'0'.repeat(64)}\ndatabase`;
  const signature = Buffer.from(first.signature, 'base64');
  const key = createPublicKey(first.publicKey);
  expect(verify(null, Buffer.from(text), key, signature)).toBe(true);
  expect(verify(null, Buffer.from(`${text} `), key, signature)).toBe(false);
  expect(await keys()).toMatchObject([{ id: first.keyId, retiredAt: null }]);
  expect(await changes()).toEqual([first.keyId]);
  expect((await checkpoint()).keyId).toBe(first.keyId);
});

test('after a rotation a new key signs, and signatures of the old one remain valid', async () => {
  const { checkpoint, keys } = await serve();
  const keyId = await transact(systemActor, (tx) =>
    rotateSigningKey(tx, { file: undefined, toDatabase: false }),
  );
  const second = await checkpoint();
  expect(second.keyId).toBe(keyId);
  expect(second.keyId).not.toBe(first.keyId);
  expect(second.lastId).toBe(first.lastId + 1);
  const [old, current] = await keys();
  expect(old).toMatchObject({ id: first.keyId, publicKey: first.publicKey });
  expect(old?.retiredAt).not.toBeNull();
  expect(current).toMatchObject({ id: second.keyId, retiredAt: null });
  expect(isSignedBy(first.publicKey, signedText(first), first.signature)).toBe(true);
  expect(isSignedBy(second.publicKey, signedText(first), first.signature)).toBe(false);
  expect(await changes()).toEqual([first.keyId, keyId]);
  expect((await verifyLog(db, first)).fault).toBeUndefined();
  const { rows } = await sql`
    select id from signing_keys where retired_at is not null and private_key is not null`.execute(
    db,
  );
  expect(rows).toEqual([]);
});

test('a key file of the operator replaces the stored key, and is itself replaced only on request', async () => {
  const own = writeKey('own.pem');
  const { checkpoint } = await serve(own.file);
  const prepare = (file: string | undefined) =>
    transact(systemActor, (tx) => prepareSigningKey(tx, file));
  const rotate = (file: string | undefined, toDatabase = false) =>
    transact(systemActor, (tx) => rotateSigningKey(tx, { file, toDatabase }));
  await prepare(own.file);
  await prepare(own.file);
  const signed = await checkpoint();
  expect(signed.publicKey).toBe(own.publicKey);
  expect([first.keyIn, signed.keyIn]).toEqual(['database', 'file']);
  const known = await changes();
  expect(known.at(-1)).toBe(signed.keyId);

  const without = await serve();
  expect(await without.checkpoint()).toMatchObject({ name: 'UnavailableError' });
  await expect(prepare(undefined)).rejects.toThrow(StartError);
  await expect(prepare(undefined)).rejects.toThrow(/SIGNING_KEY_FILE .*rotate --to-database/);
  for (const refused of [
    () => rotate(own.file),
    () => rotate(own.file, true),
    () => rotate(undefined),
  ]) {
    await expect(refused()).rejects.toMatchObject({ status: 403 });
  }
  expect(await changes()).toEqual(known);
  expect((await checkpoint()).keyId).toBe(signed.keyId);

  const keyId = await rotate(undefined, true);
  expect((await without.checkpoint()).keyId).toBe(keyId);
  await prepare(undefined);
  await prepare(own.file);
  expect((await checkpoint()).keyId).toBe(signed.keyId);
  expect(await changes()).toEqual([...known, keyId, signed.keyId]);
  expect((await verifyLog(db)).fault).toBeUndefined();
});

test('a server can start while an erasure locks the log, also with a new key', async () => {
  const other = await testDatabase();
  const { file } = writeKey('meanwhile.pem');
  const start = (keyFile: string | undefined) =>
    transactOn(other.db)(systemActor, async (tx) => {
      await sql`set local lock_timeout = '1s'`.execute(tx.db);
      await prepareSigningKey(tx, keyFile);
    });
  await other.db.transaction().execute(async (erasure) => {
    await sql`update event_log set rewrites = rewrites + 1`.execute(erasure);
    await start(undefined);
    await start(file);
  });
});

test('a file without an Ed25519 key is reported at startup', async () => {
  const wrong = join(folder, 'wrong.pem');
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  for (const content of ['no key', privateKey.export({ type: 'pkcs8', format: 'pem' })]) {
    writeFileSync(wrong, content);
    await expect(transact(systemActor, (tx) => prepareSigningKey(tx, wrong))).rejects.toThrow(
      StartError,
    );
  }
  await expect(
    transact(systemActor, (tx) => prepareSigningKey(tx, join(folder, 'none.pem'))),
  ).rejects.toThrow(/cannot be read/);
});

test('servers starting concurrently create one key', async () => {
  const other = await testDatabase();
  const start = () => transactOn(other.db)(systemActor, (tx) => prepareSigningKey(tx, undefined));
  await Promise.all([start(), start(), start()]);
  const { rows } = await sql`select id from signing_keys`.execute(other.db);
  expect(rows).toHaveLength(1);
});
