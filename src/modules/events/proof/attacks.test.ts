import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { commandLine } from '../../../../test/support/command-line.ts';
import { testDatabase } from '../../../../test/support/database.ts';
import { urlOf } from '../../../../test/support/database-url.ts';
import { addKey, pretendRetention, stolenKey } from '../../../../test/support/forged-removal.ts';
import { exported, fill, headOf, runVerifier } from '../../../../test/support/proof-log.ts';
import { transactOn } from '../../../app/transact.ts';
import type { Connection } from '../../../platform/db/connect.ts';
import type { Database } from '../../../platform/db/database.ts';
import { createMetrics } from '../../../platform/metrics.ts';
import { systemActor } from '../../access/gate/index.ts';
import { makeCheckpoint, signedText } from './checkpoint.ts';
import { listSigningKeys } from './queries.ts';
import { removeOldEvents, retentionJob } from './retention.ts';
import { findSigner, prepareSigningKey, rotateSigningKey, type Signer } from './signing.ts';

const dayMs = 86_400_000;
const folder = mkdtempSync(join(tmpdir(), 'burgee-attacks-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type KeyPlace = 'database' | 'file';

const pemOf = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }).toString();

let installations = 0;

/** An installation with a log of some days, a checkpoint and the public keys, both stored outside of it. */
async function install(keyPlace: KeyPlace) {
  installations += 1;
  const nameOf = (name: string) => join(folder, `${installations}-${name}`);
  const { db, connection } = await testDatabase();
  const signingKeyFile = keyPlace === 'file' ? nameOf('key.pem') : undefined;
  if (signingKeyFile) {
    writeFileSync(signingKeyFile, pemOf(generateKeyPairSync('ed25519').privateKey));
  }
  await transactOn(db)(systemActor, (tx) => prepareSigningKey(tx, signingKeyFile));
  await fill(transactOn(db), 6);
  const signer = (await findSigner(db, signingKeyFile)) as Signer;
  const checkpoint = nameOf('checkpoint.json');
  const keys = nameOf('keys.json');
  const made = await makeCheckpoint(db, signer, new Date());
  writeFileSync(checkpoint, JSON.stringify(made));
  writeFileSync(keys, JSON.stringify({ keys: await listSigningKeys(db) }));
  return { db, connection, signer, signingKeyFile, made, checkpoint, keys };
}

type Installation = Awaited<ReturnType<typeof install>>;

/** Writes to the database like an attacker, bypassing every trigger. */
const tamper = (db: Kysely<Database>, ...statements: ReturnType<typeof sql>[]) =>
  db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    for (const statement of statements) await statement.execute(tx);
  });

const verify = async (connection: Connection, args: readonly string[], days?: number) => {
  const { code, stdout, stderr } = await commandLine(['verify', ...args], {
    DATABASE_URL: urlOf(connection),
    LOG_LEVEL: 'error',
    ...(days !== undefined && { EVENT_RETENTION_DAYS: String(days) }),
  });
  return { code, said: `${stdout}${stderr}` };
};

/** All ways to verify with a checkpoint: with and without the keys, in the command and stand-alone. */
async function codes({ connection, db, checkpoint, keys }: Installation, days = 30) {
  const own = ['--public-key', keys];
  const compared = ['--checkpoint', checkpoint];
  const lines = await exported(db);
  const alone = ['-', ...compared, '--retention-days', String(days)];
  return [
    (await verify(connection, compared, days)).code,
    (await verify(connection, [...compared, ...own], days)).code,
    runVerifier(alone, lines).status,
    runVerifier([...alone, ...own], lines).status,
  ];
}

const removeNow = ({ db, signingKeyFile }: Installation, days: number, now = Date.now()) =>
  transactOn(db, () => new Date(now))(systemActor, (tx) =>
    removeOldEvents(tx, days, { signingKeyFile }),
  );

/** The time at which all initial events are 40 days old. */
const later = Date.now() + 40 * dayMs;

const fillLater = (db: Kysely<Database>) =>
  fill(
    transactOn(db, () => new Date(later)),
    3,
  );

const countOf = async (db: Kysely<Database>) =>
  (await sql<{ count: number }>`select count(*) as count from events`.execute(db)).rows[0]?.count;

describe('retention removes nothing', () => {
  test.each([
    ['forged older dates', sql`'2020-01-01'::timestamptz`],
    ['dates changed to BC', sql`(created_at::text || ' BC')::timestamptz`],
  ])('if events have %s', async (_name, date) => {
    const own = await install('file');
    const { lastId } = own.made;
    await tamper(
      own.db,
      sql`update events set created_at = ${date} where id <= ${lastId - 3}`,
      sql`update event_days set day = '2020-01-01' where last_id <= ${lastId - 3}`,
    );
    const before = await countOf(own.db);
    expect(await removeNow(own, 30)).toMatchObject({ kind: 'altered', eventId: 1 });
    expect(await countOf(own.db)).toBe(before);
    expect(await codes(own)).toEqual([1, 1, 1, 1]);
  });

  test('if the log is not intact, and counts, logs and reports this in doctor', async () => {
    const { db, connection, signingKeyFile } = await install('file');
    await tamper(db, sql`update events set created_at = '2020-01-01' where id <= 3`);
    const metrics = createMetrics();
    const services = { transact: transactOn(db), stopping: new AbortController().signal, metrics };
    const settings = { eventRetentionDays: 30, signingKeyFile };
    const job = retentionJob(services, systemActor, settings, async () => undefined);
    await expect(job.run()).rejects.toThrow(
      'No old events were removed, because the log is not intact: Event 1 is not as it was recorded',
    );
    expect(await metrics.registry.metrics()).toContain('burgee_event_retention_refused_total 1');
    const { stdout } = await commandLine(['doctor', '--json'], {
      DATABASE_URL: urlOf(connection),
      EVENT_RETENTION_DAYS: '30',
    });
    expect(JSON.parse(stdout)).toContainEqual(
      expect.objectContaining({
        check: 'event retention',
        state: 'fail',
        message: expect.stringContaining('Event 1 is not as it was recorded'),
      }),
    );
  });

  test('if an event is missing, or the first remaining one has another hash', async () => {
    for (const [statement, eventId] of [
      [sql`delete from events where id = 3`, 3],
      [sql`update events set hash = sha256('x') where id = 4`, 4],
    ] as const) {
      const own = await install('file');
      await fillLater(own.db);
      await tamper(own.db, statement);
      expect(await removeNow(own, 30, later)).toMatchObject({ eventId });
    }
    // The events up to the cut fit together, but not with the first one that remains.
    const own = await install('file');
    await fillLater(own.db);
    const eventId = own.made.lastId + 1;
    await tamper(own.db, sql`update events set type = 'user-created' where id = ${eventId}`);
    expect(await removeNow(own, 30, later)).toMatchObject({ kind: 'altered', eventId });
  });

  test.each(['0', '-9223372036854775808'])(
    'if there is an event before the first, which would be signed without verification: %s',
    async (id) => {
      const own = await install('file');
      await tamper(
        own.db,
        sql`insert into events
          select ${id}, '2020-01-01', type, created_by, created_by_user_id, project, environment,
            feature_name, data, pre_data, tags, label, summary, ip, request_id, actor_seal,
            subject_keys, subject_seal, hash
          from events where id = 1`,
      );
      const before = await countOf(own.db);
      expect(await removeNow(own, 30)).toMatchObject({
        kind: 'inserted',
        message: `Event ${id} was inserted: the stored log begins after event 0`,
      });
      expect(await countOf(own.db)).toBe(before);
    },
  );

  test('if the log returns different hashes to different statements', async () => {
    const own = await install('file');
    await fillLater(own.db);
    await tamper(
      own.db,
      sql`alter table events rename to true_events`,
      sql`create view events as select id, created_at, type, created_by, created_by_user_id, project, environment,
          feature_name, data, pre_data, tags, label, summary, ip, request_id, actor_seal, subject_keys, subject_seal,
          case when current_query() like '%dataText%' then hash else sha256(hash) end as hash
        from true_events`,
    );
    const eventId = own.made.lastId;
    expect(await removeNow(own, 30, later)).toMatchObject({ kind: 'altered', eventId });
  });

  test('if events were removed and the anchor moved by someone else', async () => {
    const own = await install('file');
    await fillLater(own.db);
    await tamper(
      own.db,
      sql`update event_log set anchor_id = 3, anchor_hash = (select hash from events where id = 3)`,
      sql`delete from events where id <= 3`,
      sql`delete from event_texts where id <= 3`,
      sql`delete from event_side_texts where id <= 3`,
      sql`update event_days set first_id = 4 where first_id <= 3`,
    );
    expect(await removeNow(own, 30, later)).toMatchObject({ kind: 'anchor', eventId: 3 });
  });
});

describe('a forged removal of everything up to the checkpoint', () => {
  test('is doubtful if signed with the key from the database', async () => {
    const own = await install('database');
    await pretendRetention(own.db, own.made, await stolenKey(own.db));
    expect(await codes(own)).toEqual([2, 2, 2, 2]);
    const { said } = await verify(own.connection, ['--checkpoint', own.checkpoint], 30);
    expect(said).toMatch(/it is younger than 30 days: .* the key is in the database/);
  });

  test('is doubtful if signed with an added key while the real one is in a file', async () => {
    const own = await install('file');
    await pretendRetention(own.db, own.made, await addKey(own.db));
    expect(await codes(own)).toEqual([2, 2, 2, 2]);
  });

  test('is doubtful without a signature, even after a real removal', async () => {
    const own = await install('file');
    await pretendRetention(own.db, own.made, undefined);
    expect(await codes(own)).toEqual([2, 2, 2, 2]);
    await fillLater(own.db);
    expect(await removeNow(own, 30, later)).toBe(true);
    for (const args of [[], ['--public-key', own.keys]]) {
      const { code, said } = await verify(own.connection, args, 30);
      expect([code, said]).toEqual([2, expect.stringContaining('without a valid signature')]);
    }
    expect(runVerifier(['-', '--public-key', own.keys], await exported(own.db)).status).toBe(2);
    expect(await codes(own)).toEqual([2, 2, 2, 2]);
  });

  test('is doubtful if signed with an added key, even after a real removal', async () => {
    const own = await install('file');
    await pretendRetention(own.db, own.made, await addKey(own.db));
    await fillLater(own.db);
    expect(await removeNow(own, 30, later)).toBe(true);
    expect(await codes(own)).toEqual([2, 2, 2, 2]);
  });
});

test('a key copied from the database before a key file replaced it cannot sign later removals', async () => {
  const own = await install('database');
  const stolen = await stolenKey(own.db);
  const keyFile = join(folder, 'took-over.pem');
  writeFileSync(keyFile, pemOf(generateKeyPairSync('ed25519').privateKey));
  await transactOn(own.db)(systemActor, (tx) => prepareSigningKey(tx, keyFile));
  const signer = (await findSigner(own.db, keyFile)) as Signer;
  const made = await makeCheckpoint(own.db, signer, new Date());
  writeFileSync(own.checkpoint, JSON.stringify(made));
  writeFileSync(own.keys, JSON.stringify({ keys: await listSigningKeys(own.db) }));
  await pretendRetention(own.db, made, stolen);
  expect(await codes(own)).toEqual([2, 2, 2, 2]);
  await fillLater(own.db);
  expect(await removeNow({ ...own, signingKeyFile: keyFile }, 30, later)).toBe(true);
  expect(await codes(own)).toEqual([2, 2, 2, 2]);
});

describe('a real removal by retention', () => {
  /** A log of 40 days, a checkpoint, and a removal after it. */
  async function aged(keyPlace: KeyPlace) {
    const own = await install(keyPlace);
    await fillLater(own.db);
    const made = await makeCheckpoint(own.db, own.signer, new Date(later));
    writeFileSync(own.checkpoint, JSON.stringify(made));
    expect(await removeNow(own, 30, later)).toBe(true);
    expect((await headOf(own.db)).id).toBeGreaterThan(made.lastId);
    return { ...own, made };
  }

  test('is confirmed by a key in a file', async () => {
    const own = await aged('file');
    expect(await codes(own)).toEqual([0, 0, 0, 0]);
    // The retention is not independent if it is only in the database or unknown.
    await sql`
      insert into settings (id, value, created_at, updated_at)
      values ('burgee.event-retention', '{"eventDays":30}', now(), now())`.execute(own.db);
    for (const args of [[], ['--checkpoint', own.checkpoint, '--public-key', own.keys]]) {
      const { code, said } = await verify(own.connection, args);
      expect([code, said]).toEqual([
        2,
        expect.stringContaining('run this command with EVENT_RETENTION_DAYS=30'),
      ]);
    }
    const alone = ['-', '--checkpoint', own.checkpoint, '--public-key', own.keys];
    expect(runVerifier(alone, await exported(own.db))).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('pass --retention-days'),
    });
    // A longer retention than that of the removal.
    expect(await codes(own, 365)).toEqual([2, 2, 2, 2]);
  });

  test('is doubtful with a key in the database until the checkpoint is older than the retention', async () => {
    const own = await aged('database');
    expect(await codes(own)).toEqual([2, 2, 2, 2]);
    const newer = await makeCheckpoint(own.db, own.signer, new Date(later));
    writeFileSync(own.checkpoint, JSON.stringify(newer));
    expect(await codes(own)).toEqual([0, 0, 0, 0]);
    const createdAt = new Date(Date.now() - 31 * dayMs).toISOString();
    const { signature: _signature, ...unsigned } = { ...own.made, createdAt };
    const signature = own.signer.sign(signedText(unsigned));
    writeFileSync(own.checkpoint, JSON.stringify({ ...unsigned, signature }));
    expect(await codes(own)).toEqual([0, 0, 0, 0]);
  });

  test('is doubtful with a checkpoint of an older version, which does not contain the beginning of the log', async () => {
    const own = await aged('file');
    const { lastId, hash, createdAt, keyId, publicKey } = own.made;
    const signature = own.signer.sign(`burgee-checkpoint-1\n${lastId}\n${hash}\n${createdAt}`);
    const first = { lastId, hash, createdAt, keyId, publicKey, signature };
    writeFileSync(own.checkpoint, JSON.stringify(first));
    expect(await codes(own)).toEqual([2, 2, 2, 2]);
    const { said } = await verify(own.connection, ['--checkpoint', own.checkpoint], 30);
    expect(said).toContain('the checkpoint is of an older version');
  });

  test('after a key rotation, requires a copy of the keys to confirm an old checkpoint', async () => {
    const own = await install('database');
    const rotate = { file: undefined, toDatabase: false };
    await transactOn(own.db)(systemActor, (tx) => rotateSigningKey(tx, rotate));
    await fillLater(own.db);
    expect(await removeNow(own, 30, later)).toBe(true);
    const { said } = await verify(own.connection, ['--checkpoint', own.checkpoint], 30);
    expect(said).toMatch(/not with the key \w+ of the checkpoint: pass your own copy of the keys/);
    // Both keys are stored, so without a checkpoint nothing is doubtful.
    expect(await verify(own.connection, [], 30)).toMatchObject({ code: 0 });
  });
});

test('a checkpoint with a modified anchor has an invalid signature', async () => {
  const own = await install('file');
  for (const change of [{ anchorId: 2 }, { anchorHash: 'ab'.repeat(32) }, { keyIn: 'database' }]) {
    writeFileSync(own.checkpoint, JSON.stringify({ ...own.made, ...change }));
    expect(await codes(own)).toEqual([1, 1, 1, 1]);
  }
});
