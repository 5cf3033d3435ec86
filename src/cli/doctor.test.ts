import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { commandLine } from '../../test/support/command-line.ts';
import { testDatabase } from '../../test/support/database.ts';
import { urlOf } from '../../test/support/database-url.ts';
import { fill, headOf } from '../../test/support/proof-log.ts';
import { administratorPassword } from '../../test/support/tokens.ts';
import { transactOn } from '../app/transact.ts';
import { checkClock } from './doctor/database-checks.ts';
import type { Finding } from './doctor/finding.ts';

const key = Buffer.alloc(32, 7).toString('base64');
const otherKey = Buffer.alloc(32, 8).toString('base64');

let base: Record<string, string>;
let made: Awaited<ReturnType<typeof testDatabase>>;

beforeAll(async () => {
  made = await testDatabase();
  await fill(transactOn(made.db), 3);
  base = { DATABASE_URL: urlOf(made.connection), ENCRYPTION_KEY: key };
});

async function examine(settings: Record<string, string> = {}) {
  const all = { ...base, ...settings };
  const { code, stdout } = await commandLine(['doctor', '--json'], all);
  const findings: Finding[] = JSON.parse(stdout);
  return { code, stdout, of: (check: string) => findings.filter((each) => each.check === check) };
}

test('doctor reports each check once, also without a running server', async () => {
  const { of } = await examine();
  for (const check of ['version', 'node', 'settings', 'database', 'schema', 'disk', 'clock']) {
    expect(of(check)).toEqual([{ check, state: 'ok', message: expect.any(String) }]);
  }
  expect(of('event log')[0]).toMatchObject({
    state: 'ok',
    message: expect.stringContaining('intact'),
  });
  expect(of('encryption key')[0]).toMatchObject({ state: 'ok' });
  expect(of('deliveries')[0]).toMatchObject({
    state: 'ok',
    message: expect.stringMatching(/^0 pending/),
  });
  const { stdout } = await commandLine(['doctor'], base);
  expect(stdout).toMatch(/^ok {4}version: Burgee \d+\.\d+\.\d+\nok {4}node: Node v/);
});

test('doctor checks whether the server can be reached at BASE_URL', async () => {
  const server = createServer((_, response) => response.end('{"health":"GOOD"}')).listen(
    0,
    'localhost',
  );
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const BASE_URL = `http://localhost:${(server.address() as AddressInfo).port}`;
  expect((await examine({ BASE_URL })).of('address')).toEqual([
    { check: 'address', state: 'ok', message: `${BASE_URL} responds` },
  ]);
  // A port that nothing listens on, and that no server of another test is given.
  const nobody = 'http://127.0.0.1:2';
  expect((await examine({ BASE_URL: nobody })).of('address')[0]).toMatchObject({
    state: 'warn',
    message: `couldn't reach ${nobody} (ECONNREFUSED)`,
  });
});

test.each([
  [10_000, 'ok', '0.0'],
  [8_001, 'ok', '2.0'],
  [8_000, 'warn', '2.0'],
  [29_000, 'warn', '9.0'],
  [-50_000, 'fail', '60.0'],
])(
  'the clock check for a database time of %i between 10,000 and 20,000 is %s',
  (now, state, seconds) => {
    expect(checkClock(now, [10_000, 20_000])).toMatchObject({
      state,
      message: `clock drift between this machine and the database: ${seconds} s`,
    });
  },
);

test('doctor warns about risky settings and the initial password, and prints no secret', async () => {
  const { of, code, stdout } = await examine({
    ALLOW_PRIVATE_TARGETS: 'true',
    PUBLIC_METRICS: 'true',
    BASE_URL: 'http://flags.example.invalid',
    INIT_ADMIN_API_TOKENS: 'short-secret',
    UNLEASH_DEFAULT_ADMIN_PASSWORD: administratorPassword,
  });
  const settings = of('settings').map(({ message }) => message);
  expect(settings).toHaveLength(4);
  expect(settings.join()).toMatch(
    /12 characters.*ALLOW_PRIVATE_TARGETS.*PUBLIC_METRICS.*unencrypted/,
  );
  expect(of('first password')[0]).toMatchObject({ state: 'warn' });
  // Tests run on a database without fsync, which is what fails here.
  expect(of('database settings').map(({ message }) => message)).toContain('fsync is off');
  expect(code).toBe(1);
  for (const secret of [administratorPassword, 'short-secret', key]) {
    expect(stdout).not.toContain(secret);
  }
});

test('doctor fails for a wrong encryption key, a modified event, and the schema of a newer Burgee', async () => {
  const { connection, db } = await testDatabase();
  await fill(transactOn(db), 5);
  const DATABASE_URL = urlOf(connection);
  const token = [
    'token',
    'create',
    '--type',
    'client',
    '--name',
    'app',
    '--environment',
    'development',
  ];
  expect(await commandLine(token, { ...base, DATABASE_URL })).toMatchObject({ code: 0 });
  const wrong = await examine({ DATABASE_URL, ENCRYPTION_KEY: otherKey });
  expect(wrong.of('encryption key')[0]).toMatchObject({ state: 'fail' });

  const { id } = await headOf(db);
  await db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    await sql`update events set project = 'other' where id = ${id - 2}`.execute(tx);
  });
  expect((await examine({ DATABASE_URL })).of('event log')[0]).toMatchObject({
    state: 'fail',
    message: `event ${id - 2} was modified after it was recorded`,
  });

  await sql`insert into migrations (name) values ('9999-tomorrow')`.execute(db);
  const newer = await examine({ DATABASE_URL });
  expect(newer.code).toBe(1);
  expect(newer.of('schema')[0]).toMatchObject({
    state: 'fail',
    message: expect.stringContaining('migrated by a newer Burgee (9999-tomorrow)'),
  });
  expect(newer.of('event log')).toEqual([]);
});

test('doctor explains invalid settings and an unreachable database', async () => {
  const invalid = await examine({ PORT: 'many' });
  expect(invalid.code).toBe(1);
  expect(invalid.of('settings')[0]).toMatchObject({
    state: 'fail',
    message: expect.stringContaining('PORT'),
  });
  const away = await examine({ DATABASE_URL: 'postgres://me:hunter2@localhost:1/none' });
  expect(away.code).toBe(1);
  expect(away.of('database')[0]).toMatchObject({
    state: 'fail',
    message: expect.stringMatching(/Cannot connect to the database none on localhost:1/),
  });
  expect(away.stdout).not.toContain('hunter2');
});

test('doctor, backup and upgrade do not create a missing database', async () => {
  const home = mkdtempSync(join(tmpdir(), 'burgee-doctor-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  for (const DATA_DIR of [home, join(home, 'mistyped')]) {
    const { code, stdout } = await commandLine(['doctor', '--json'], { DATA_DIR });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toContainEqual({
      check: 'database',
      state: 'warn',
      message: `no database in ${DATA_DIR} yet`,
      advice: expect.any(String),
    });
    for (const args of [['backup', join(home, 'file')], ['upgrade']]) {
      expect(await commandLine(args, { DATA_DIR })).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(`No database found in ${DATA_DIR}. Set DATA_DIR`),
      });
    }
  }
  expect(readdirSync(home)).toEqual([]);
});

test('commands refuse a newer schema and name the version to use', async () => {
  const { connection, db } = await testDatabase();
  await sql`insert into migrations (name) values ('9999-tomorrow')`.execute(db);
  const settings = { DATABASE_URL: urlOf(connection) };
  const sentence =
    'This database was migrated by a newer Burgee (9999-tomorrow). Start that version, or restore a backup from before.\n';
  for (const [code, ...args] of [
    [1, 'migrate'],
    [3, 'verify'],
    [1, 'user', 'list'],
  ] as const) {
    expect(await commandLine(args, settings)).toMatchObject({ code, stderr: sentence });
  }
});
