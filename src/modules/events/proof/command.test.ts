import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { appOn } from '../../../../test/support/app.ts';
import { commandLine } from '../../../../test/support/command-line.ts';
import { testDatabase } from '../../../../test/support/database.ts';
import { urlOf } from '../../../../test/support/database-url.ts';
import { exported, fill, headOf, person, runVerifier } from '../../../../test/support/proof-log.ts';
import { readConfig } from '../../../app/config.ts';
import { transactOn } from '../../../app/transact.ts';
import type { Database } from '../../../platform/db/database.ts';
import { systemActor } from '../../access/gate/index.ts';
import { makeCheckpoint } from './checkpoint.ts';
import { listSigningKeys } from './queries.ts';
import { removeOldEvents } from './retention.ts';
import { findSigner, prepareSigningKey, type Signer } from './signing.ts';

const folder = mkdtempSync(join(tmpdir(), 'burgee-command-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let db: Kysely<Database>;
let url: string;

const burgeeOn = (databaseUrl: string, args: readonly string[]) =>
  commandLine(args, { DATABASE_URL: databaseUrl, LOG_LEVEL: 'error' });

const burgee = (...args: string[]) => burgeeOn(url, args);

beforeAll(async () => {
  const made = await testDatabase();
  db = made.db;
  url = urlOf(made.connection);
  await fill(transactOn(db), 5, person(50, 'Ada'));
});

test('forget announces what it would do, does it with --yes, and the log verifies', async () => {
  expect(await burgee('forget', '--creator-id', '50')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(
      /^Dry run: nothing was changed\. User 50 appears in\n {2}5 events\n {2}\d+ features? as a collaborator\n/,
    ),
  });
  expect(await burgee('forget', '--creator-id', '50', '--yes')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Erased from 5 events/),
  });
  const { id, hash } = await headOf(db);
  // An id without a user is usually a typo.
  for (const number of ['99999', '-99999', '999999999999']) {
    for (const more of [[], ['--yes']]) {
      expect(await burgee('forget', '--creator-id', number, ...more)).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(
          /^No user with ID -?9+ in accounts or events\. Nothing was changed\.\n$/,
        ),
      });
    }
  }
  expect(await burgee('verify')).toMatchObject({
    code: 0,
    stdout: `${id} events verified, 1 to ${id}, hash ${hash}\n`,
    stderr: '',
  });
});

test('verify compares the log with a checkpoint and names removed events', async () => {
  await transactOn(db)(systemActor, (tx) => prepareSigningKey(tx, undefined));
  const signer = (await findSigner(db, undefined)) as Signer;
  const checkpoint = await makeCheckpoint(db, signer, new Date());
  const file = join(folder, 'checkpoint.json');
  const forged = join(folder, 'forged.json');
  writeFileSync(file, JSON.stringify(checkpoint));
  writeFileSync(forged, JSON.stringify({ ...checkpoint, hash: 'ab'.repeat(32) }));

  expect(await burgee('verify', '--checkpoint', file)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`at event ${checkpoint.lastId}, matches`),
  });
  expect(await burgee('verify', '--checkpoint', forged)).toMatchObject({
    code: 1,
    stderr: `The checkpoint is not signed with the key ${checkpoint.keyId}\n`,
  });

  const { lastId } = checkpoint;
  await db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    await sql`delete from events where id = ${lastId}`.execute(tx);
    await sql`delete from event_texts where id = ${lastId}`.execute(tx);
    await sql`update event_days set last_id = ${lastId - 1} where last_id = ${lastId}`.execute(tx);
  });
  expect(await burgee('verify', '--checkpoint', file)).toMatchObject({
    code: 1,
    stdout: '',
    stderr: `Event ${lastId} was removed\n`,
  });
});

test('verify exits with 2 if something cannot be compared and with 1 for an added rule', async () => {
  const { db: own, connection } = await testDatabase();
  const burgee = (...args: string[]) => burgeeOn(urlOf(connection), args);
  const signer = (await findSigner(own, undefined)) as Signer;
  const file = join(folder, 'removed.json');
  writeFileSync(file, JSON.stringify(await makeCheckpoint(own, signer, new Date())));
  const later = transactOn(own, () => new Date(Date.now() + 40 * 86_400_000));
  await fill(later, 2);
  await later(systemActor, (tx) => removeOldEvents(tx, 30));
  // The last removed event is that of the checkpoint. After a second removal it can no longer be compared.
  expect(await burgee('verify', '--checkpoint', file)).toMatchObject({
    code: 2,
    stdout: expect.stringMatching(/2? events verified[\s\S]*matches/),
    stderr: expect.stringContaining('no retention is set here'),
  });
  const forged = await makeCheckpoint(own, signer, new Date());
  const { lastId } = forged;
  // As signed by an older version.
  const { createdAt, keyId, publicKey } = forged;
  const gone = { lastId: 1, hash: 'ab'.repeat(32), createdAt, keyId, publicKey };
  const signature = signer.sign(`burgee-checkpoint-1\n1\n${gone.hash}\n${gone.createdAt}`);
  writeFileSync(file, JSON.stringify({ ...gone, signature }));
  expect(lastId).toBeGreaterThan(1);
  expect(await burgee('verify', '--checkpoint', file)).toMatchObject({
    code: 2,
    stdout: expect.not.stringContaining('matches'),
    stderr: expect.stringContaining('The checkpoint cannot be compared: event 1 is no longer'),
  });
  await sql`create rule quiet as on insert to events where new.type = 'x' do instead nothing`.execute(
    own,
  );
  expect(await burgee('verify')).toMatchObject({
    code: 1,
    stdout: '',
    stderr: 'The database contains the rule events.quiet, which Burgee did not create\n',
  });
});

test('verify reports in one line that the account cannot read the log', async () => {
  const { db: own, connection } = await testDatabase();
  const account = `reader_${process.pid}`;
  await sql
    .raw(`create role ${account} login password '${account}';
      grant select on all tables in schema public to ${account};
      revoke select on events from ${account}`)
    .execute(own);
  try {
    const as = new URL(urlOf(connection));
    as.username = account;
    as.password = account;
    expect(await burgeeOn(as.href, ['verify'])).toMatchObject({
      code: 3,
      stdout: '',
      stderr: expect.stringMatching(
        /^The account in DATABASE_URL has no access: permission denied for table events\. .*\n$/,
      ),
    });
  } finally {
    await sql.raw(`drop owned by ${account}; drop role ${account}`).execute(own);
  }
});

test('key export prints the old and the new public key after key rotate', async () => {
  expect((await burgee('key', 'rotate')).code).toBe(0);
  const { stdout } = await burgee('key', 'export');
  for (const { id, publicKey } of await listSigningKeys(db)) {
    expect(stdout).toContain(`${id}, since `);
    expect(stdout).toContain(publicKey);
  }
  expect(stdout).toMatch(/, retired [\s\S]*, current/);
});

test('--public-key accepts the output of key export, also after a rotation', async () => {
  const { db: own, connection } = await testDatabase();
  const burgee = (...args: string[]) => burgeeOn(urlOf(connection), args);
  await transactOn(own)(systemActor, (tx) => prepareSigningKey(tx, undefined));
  const old = (await findSigner(own, undefined)) as Signer;
  const file = join(folder, 'old.json');
  writeFileSync(file, JSON.stringify(await makeCheckpoint(own, old, new Date())));
  await burgee('key', 'rotate');
  const keys = join(folder, 'keys.pem');
  const check = () => burgee('verify', '--checkpoint', file, '--public-key', keys);

  // The current key comes first, because a reader that expects one key would otherwise take the wrong one.
  const [first = '', second = ''] = (await burgee('key', 'export')).stdout.split(
    /(?<=END PUBLIC KEY-----\n)/,
  );
  writeFileSync(keys, second + first);
  expect(await check()).toMatchObject({ code: 0, stdout: expect.stringContaining('matches') });
  writeFileSync(keys, second);
  expect(await check()).toMatchObject({
    code: 1,
    stderr: `The checkpoint is signed with the key ${old.keyId}, which is not in ${keys}\n`,
  });
  writeFileSync(keys, 'no key');
  expect(await check()).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('does not contain an Ed25519 public key'),
  });
});

test('--public-key accepts the JSON of the API, also in the stand-alone verifier', async () => {
  const made = await testDatabase();
  const { ask } = await appOn(made);
  const checkpoint = join(folder, 'checkpoint-of-api.json');
  const keys = join(folder, 'keys-of-api.json');
  writeFileSync(checkpoint, (await ask('GET /api/admin/events/checkpoint')).body);
  writeFileSync(keys, (await ask('GET /api/admin/events/checkpoint/keys')).body);
  const args = ['--checkpoint', checkpoint, '--public-key', keys];
  expect(await burgeeOn(urlOf(made.connection), ['verify', ...args])).toMatchObject({
    code: 0,
    stderr: '',
  });
  expect(await runVerifier(['-', ...args], await exported(made.db))).toMatchObject({
    status: 0,
    stderr: '',
  });
});

test('verify exits with 3 if the verification cannot run', async () => {
  const wrong = join(folder, 'wrong.json');
  writeFileSync(wrong, '{"lastId":1}');
  const newer = join(folder, 'newer.json');
  const texts = { hash: '', createdAt: '', keyId: '', publicKey: '', signature: '' };
  writeFileSync(newer, JSON.stringify({ format: 'burgee-checkpoint-9', lastId: 1, ...texts }));
  for (const args of [
    ['--checkpoint', '/nope'],
    ['--checkpoint', wrong],
    ['--checkpoint', newer],
    ['--checkpoint', folder],
    ['--public-key', '/nope'],
    ['--public-key', wrong],
    ['--unknown'],
    ['--checkpoint'],
  ]) {
    const { code, stdout, stderr } = await burgee('verify', ...args);
    expect([args, code, stdout]).toEqual([args, 3, '']);
    const alone = await runVerifier(['-', ...args], '');
    expect([args, alone.status, alone.stdout]).toEqual([args, 3, '']);
    for (const text of [stderr, alone.stderr]) expect(text).not.toMatch(/^\s+at /m);
  }
  expect(await runVerifier([])).toMatchObject({ status: 3 });
  expect(await runVerifier(['/nope'])).toMatchObject({ status: 3 });
  const gone = new URL(url);
  gone.pathname = '/no_such_database';
  expect((await burgeeOn(gone.href, ['verify'])).code).toBe(3);
});

test('key export works with a key in a file, and key rotate does not replace it unless requested', async () => {
  const { privateKey } = generateKeyPairSync('ed25519');
  const keyFile = join(folder, 'own.pem');
  writeFileSync(keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  await transactOn(db)(systemActor, (tx) => prepareSigningKey(tx, keyFile));
  const before = await listSigningKeys(db);

  expect(await burgee('key', 'export')).toMatchObject({ code: 0, stderr: '' });
  expect(await burgee('key', 'rotate')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/is in a file.*--to-database/),
  });
  expect(await listSigningKeys(db)).toEqual(before);
  expect((await burgee('key', 'rotate', '--to-database')).code).toBe(0);
  expect(await listSigningKeys(db)).toHaveLength(before.length + 1);
});

test('inherited properties of objects are not commands', async () => {
  for (const name of ['toString', '__proto__', 'constructor']) {
    expect(await burgee(name)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`Unknown command: ${name}\n`),
    });
  }
});

test('read-only commands need no write permission', async () => {
  const account = `burgee_reader_${process.pid}`;
  const { db: own, connection } = await testDatabase();
  await sql
    .raw(`create role ${account}; grant select on all tables in schema public to ${account}`)
    .execute(own);
  try {
    await transactOn(own)(systemActor, (tx) => prepareSigningKey(tx, undefined));
    const readerUrl = new URL(urlOf(connection));
    readerUrl.searchParams.set('options', `-c role=${account}`);
    for (const args of [
      ['verify'],
      ['token', 'list'],
      ['key', 'export'],
      ['forget', '--creator-id', '1'],
    ]) {
      expect(await burgeeOn(readerUrl.href, args)).toMatchObject({ code: 0, stderr: '' });
    }
  } finally {
    await sql.raw(`drop owned by ${account}; drop role ${account}`).execute(own);
  }
});

test('read-only commands do not migrate an older schema', async () => {
  const { db: own, connection } = await testDatabase();
  await sql`delete from migrations where name = (select max(name) from migrations)`.execute(own);
  const { rows: before } = await sql`select name from migrations`.execute(own);
  expect(await burgeeOn(urlOf(connection), ['token', 'list'])).toMatchObject({
    code: 1,
    stdout: '',
    stderr: 'The schema is older than this command: run burgee migrate\n',
  });
  expect((await sql`select name from migrations`.execute(own)).rows).toEqual(before);
});

test('key export does not create a key', async () => {
  const { db: own, connection } = await testDatabase();
  await sql`delete from signing_keys`.execute(own);
  expect(await burgeeOn(urlOf(connection), ['key', 'export'])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^No signing key yet/),
  });
  expect(await listSigningKeys(own)).toEqual([]);
});

test('commands log only warnings unless LOG_LEVEL is set', () => {
  const quiet = { logLevel: 'warn' } as const;
  expect(readConfig({}, quiet).logLevel).toBe('warn');
  expect(readConfig({ LOG_LEVEL: 'debug' }, quiet).logLevel).toBe('debug');
  expect(readConfig({}).logLevel).toBe('info');
});
