import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testDatabase } from '../../../../test/support/database.ts';
import {
  exported,
  fill,
  headOf,
  runVerifier,
  tampered,
} from '../../../../test/support/proof-log.ts';
import { forgetEverywhere } from '../../../app/installation.ts';
import { transactOn } from '../../../app/transact.ts';
import type { Database, Transact } from '../../../platform/db/database.ts';
import { systemActor } from '../../access/gate/index.ts';
import { oldEventsRemoved, signingKeyChanged } from '../events.ts';
import { record, toEntry } from '../record/record.ts';
import { listSigningKeys } from './queries.ts';
import { removalText } from './removals.ts';
import { removeOldEvents } from './retention.ts';
import { keyIdOf } from './signed-by.ts';
import { findSigner, prepareSigningKey, rotateSigningKey, type Signer } from './signing.ts';
import { type VerifyOptions, verifyLog } from './verify.ts';

const dayMs = 86_400_000;
const start = Date.parse('2030-03-01T12:00:00Z');
let now = start;
let db: Kysely<Database>;
let transact: Transact;
/** A checkpoint saved before events were removed, by a version that did not sign the anchor. */
let kept: { lastId: number; hash: string; createdAt: string; keyId: string };

const folder = mkdtempSync(join(tmpdir(), 'burgee-removals-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

beforeAll(async () => {
  ({ db } = await testDatabase());
  transact = transactOn(db, () => new Date(now));
  await transact(systemActor, (tx) => prepareSigningKey(tx, undefined));
  for (let day = 0; day < 6; day += 1) {
    now = start + day * dayMs;
    await fill(transact, 3);
    const head = await headOf(db);
    const { keyId } = (await findSigner(db, undefined)) as Signer;
    const createdAt = new Date(now).toISOString();
    if (day === 1) kept = { lastId: head.id, hash: head.hash, createdAt, keyId };
  }
});

/** Removes everything up to an id and writes a forged log after it, whose first event has the given data. */
const inventLog = (anchorId: number, anchorHash: string, says: object) => [
  sql`delete from events`,
  sql`delete from event_texts`,
  sql`delete from event_side_texts`,
  sql`delete from event_days`,
  sql`update event_log set anchor_id = ${anchorId}, anchor_hash = decode(${anchorHash}, 'hex')`,
  sql`select append_events(${JSON.stringify([
    toEntry(oldEventsRemoved({ data: says as never }), systemActor, new Date(now)),
  ])}::json)`,
];

const inspect = (by: readonly ReturnType<typeof sql>[], options: VerifyOptions = {}) =>
  tampered(db, by, async (tx) => ({
    own: await verifyLog(tx, kept, options),
    lines: await exported(tx),
  }));

const said = (removedThrough: number, hash: string) => ({
  id: 'events.retention',
  removedThrough,
  hash,
  removedUntil: new Date(now - 90 * dayMs).toISOString(),
  days: 30,
});

/** As with --public-key and a copy of all keys. */
const withOwnKeys = async (): Promise<VerifyOptions> => {
  const keys = await listSigningKeys(db);
  return { keyOf: (id) => keys.find((key) => key.id === id)?.publicKey, now: new Date(now) };
};

test('a forged log after an unsigned removal is doubtful', async () => {
  const { own, lines } = await inspect(
    inventLog(kept.lastId + 1, 'ab'.repeat(32), said(kept.lastId + 1, 'ab'.repeat(32))),
    { keptDays: 'forever' },
  );
  expect(own).toMatchObject({ ok: true, isEndCompared: false });
  expect(own.doubts).toEqual([
    expect.stringContaining('The checkpoint cannot be compared'),
    expect.stringContaining('no event with a valid signature records their removal'),
    expect.stringContaining('without a signature'),
    expect.stringContaining('no retention is set here'),
    expect.stringContaining('No event records the signing keys'),
  ]);
  expect(await runVerifier(['-'], lines)).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('without a signature'),
  });
});

test('a removal that ends at the checkpoint is compared with it', async () => {
  const { own } = await inspect(
    inventLog(kept.lastId, 'ab'.repeat(32), said(kept.lastId, 'ab'.repeat(32))),
  );
  expect(own.fault).toMatchObject({ kind: 'altered', eventId: kept.lastId });
});

test('a removal signed with an unknown key is doubtful, and one with a wrong signature is reported', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const file = join(folder, 'foreign.pem');
  writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const ours = (await findSigner(db, undefined)) as Signer;
  const foreignId = keyIdOf(publicKey);
  const unsigned = { ...said(kept.lastId + 1, 'ab'.repeat(32)), keyIds: [ours.keyId] };
  const unknown = { ...unsigned, keyId: foreignId, signature: 'AAAA' };
  const doubtful = await inspect(inventLog(kept.lastId + 1, 'ab'.repeat(32), unknown));
  expect(doubtful.own).toMatchObject({ isEndCompared: false });
  expect(doubtful.own.doubts.join('\n')).toContain(`signed with the unknown key ${foreignId}`);
  const wrong = { ...unsigned, keyId: ours.keyId, signature: ours.sign('something else') };
  const { own } = await inspect(inventLog(kept.lastId + 1, 'ab'.repeat(32), wrong));
  expect(own.fault).toMatchObject({
    kind: 'anchor',
    message: expect.stringContaining('its signature is wrong'),
  });
});

test('a signed removal of events younger than the retention is reported', async () => {
  const ours = (await findSigner(db, undefined)) as Signer;
  const removal = {
    ...said(kept.lastId + 1, 'ab'.repeat(32)),
    removedUntil: new Date(now - 3 * dayMs).toISOString(),
    keyId: ours.keyId,
    keyIds: [ours.keyId],
  };
  const signed = { ...removal, signature: ours.sign(removalText(removal)) };
  const { own, lines } = await inspect(inventLog(kept.lastId + 1, 'ab'.repeat(32), signed));
  expect(own.fault?.message).toMatch(/younger than 30 days/);
  expect((await runVerifier(['-'], lines)).stderr).toMatch(/younger than 30 days/);
});

test('signing keys that are unrecorded, removed or replaced are reported', async () => {
  const { publicKey } = generateKeyPairSync('ed25519');
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const add = (id: string) => sql`
    insert into signing_keys (id, public_key, created_at, retired_at) values (${id}, ${pem}, now(), now())`;
  for (const [by, message] of [
    [[add(keyIdOf(publicKey))], /is stored, but no event records it/],
    [[add('0123456789abcdef')], /was replaced/],
    [[sql`update signing_keys set public_key = ${pem}`], /was replaced/],
    [[sql`delete from signing_keys`], /was removed/],
    [[sql`update signing_keys set retired_at = now()`], /but no event records the change to it/],
  ] as const) {
    const fault = await tampered(db, by, async (tx) => (await verifyLog(tx)).fault);
    expect(fault).toMatchObject({ kind: 'key', message: expect.stringMatching(message) });
  }
});

test('neither a rotation nor retention adopts a key that was inserted into the table', async () => {
  const own = await testDatabase();
  const { publicKey } = generateKeyPairSync('ed25519');
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const foreignId = keyIdOf(publicKey);
  await sql`
    insert into signing_keys (id, public_key, created_at, retired_at)
    values (${foreignId}, ${pem}, now(), now())`.execute(own.db);
  const later = transactOn(own.db, () => new Date(Date.now() + 30 * dayMs));
  await later(systemActor, (tx) => rotateSigningKey(tx, { file: undefined, toDatabase: false }));
  await fill(later, 1);
  expect(await later(systemActor, (tx) => removeOldEvents(tx, 5))).toBe(true);
  const { fault } = await verifyLog(own.db);
  expect(fault).toMatchObject({ kind: 'key', message: expect.stringContaining(foreignId) });
});

test('a server start records the keys of an older installation once', async () => {
  const own = await testDatabase();
  const begin = () => transactOn(own.db)(systemActor, (tx) => prepareSigningKey(tx, undefined));
  const isKeyEvent = sql<boolean>`data->>'id' = 'events.signing-key'`;
  await own.db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    await sql`update events set data = '{"id":"something.else"}' where ${isKeyEvent}`.execute(tx);
  });
  await begin();
  await begin();
  const { rows } = await sql<{ data: { keyId: string; keyIds: string[] } }>`
    select data from events where ${isKeyEvent}`.execute(own.db);
  const signer = (await findSigner(own.db, undefined)) as Signer;
  expect(rows).toEqual([
    { data: { id: 'events.signing-key', keyId: signer.keyId, keyIds: [signer.keyId] } },
  ]);
});

test('a removal by retention is signed, and doubtful only if it differs from the configured retention', async () => {
  await transact(systemActor, (tx) => rotateSigningKey(tx, { file: undefined, toDatabase: false }));
  now = start + 10 * dayMs;
  expect(await transact(systemActor, (tx) => removeOldEvents(tx, 6.5))).toBe(true);
  const doubtsWith = async (keptDays: VerifyOptions['keptDays']) => {
    const { fault, doubts } = await verifyLog(db, undefined, { keptDays });
    expect(fault).toBeUndefined();
    return doubts;
  };
  expect(await doubtsWith(undefined)).toEqual([]);
  expect(await doubtsWith(6)).toEqual([]);
  expect(await doubtsWith(365)).toEqual([
    expect.stringMatching(/after 6.5 days, but the configured retention is 365 days$/),
  ]);
  expect(await doubtsWith('forever')).toEqual([
    expect.stringContaining('no retention is set here'),
  ]);

  const old = await verifyLog(db, kept, { now: new Date(now) });
  expect(old).toMatchObject({ ok: true, isEndCompared: false });
  expect(old.doubts).toEqual([
    `The checkpoint cannot be compared: event ${kept.lastId} is no longer in the log`,
    expect.stringContaining(`not with the key ${kept.keyId} of the checkpoint`),
  ]);
  expect((await verifyLog(db, kept, await withOwnKeys())).doubts).toEqual([
    `The checkpoint cannot be compared: event ${kept.lastId} is no longer in the log`,
  ]);
  const checkpoint = join(folder, 'kept.json');
  const signer = (await findSigner(db, undefined)) as Signer;
  const at = new Date(now).toISOString();
  const signature = signer.sign(`burgee-checkpoint-1\n${kept.lastId}\n${kept.hash}\n${at}`);
  const { keyId, publicKey } = signer;
  writeFileSync(
    checkpoint,
    JSON.stringify({ ...kept, createdAt: at, keyId, publicKey, signature }),
  );
  expect(await runVerifier(['-', '--checkpoint', checkpoint], await exported(db))).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('The checkpoint cannot be compared'),
  });
});

test('a checkpoint at the end of a removal is compared with the hash in the removal event', async () => {
  const { rows } = await sql<{ through: number; hash: string }>`
    select (data->>'removedThrough')::int as through, data->>'hash' as hash from events
    where data->>'id' = 'events.retention'`.execute(db);
  const [first] = rows;
  if (!first) throw new Error('nothing was removed');
  const end = { ...kept, lastId: first.through, hash: first.hash };
  expect(await transact(systemActor, (tx) => removeOldEvents(tx, 5.4))).toBe(true);
  expect(await verifyLog(db, end, await withOwnKeys())).toMatchObject({
    ok: true,
    isEndCompared: true,
    doubts: [],
  });
  expect((await verifyLog(db, { ...end, hash: 'ab'.repeat(32) })).fault).toMatchObject({
    kind: 'altered',
    eventId: end.lastId,
  });
});

test('keys remain known after the events about them were removed and a user was erased', async () => {
  now += 30 * dayMs;
  await fill(transact, 3);
  await forgetEverywhere(transact, systemActor, -2000);
  now += 10 * dayMs;
  await fill(transact, 1);
  expect(await transact(systemActor, (tx) => removeOldEvents(tx, 5))).toBe(true);
  const { rows } = await sql`
    select id from events where data->>'id' = 'events.signing-key'`.execute(db);
  expect(rows).toEqual([]);
  const { fault, doubts, keysSince, firstId } = await verifyLog(db);
  expect({ fault, doubts }).toEqual({ fault: undefined, doubts: [] });
  expect([...keysSince.values()]).toEqual([firstId - 1, firstId - 1]);
});

test('a key recorded after a checkpoint is distinguished from an earlier one', async () => {
  const { id } = await headOf(db);
  await transact(systemActor, async (tx) =>
    record(
      tx,
      signingKeyChanged({ data: { id: 'events.signing-key', keyId: 'late', keyIds: ['late'] } }),
    ),
  );
  expect((await verifyLog(db)).keysSince.get('late')).toBe(id + 1);
  expect((await verifyLog(db)).fault).toMatchObject({ kind: 'key' });
});
