import { execFileSync } from 'node:child_process';
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { transactOn } from '../../src/app/transact.ts';
import { checkBackup } from '../../src/backup/check.ts';
import { fileOfTable } from '../../src/backup/manifest.ts';
import { writeBackup } from '../../src/backup/write.ts';
import { migrations } from '../../src/migrations/index.ts';
import { migrate } from '../../src/migrations/migrate.ts';
import type { Database } from '../../src/platform/db/database.ts';
import { openSession } from '../../src/platform/db/one-session.ts';
import { StartError } from '../../src/platform/start-error.ts';
import { type Contents, changedBackup, changeManifest } from '../support/backup-file.ts';
import { commandLine } from '../support/command-line.ts';
import { testDatabase } from '../support/database.ts';
import { urlOf } from '../support/database-url.ts';
import { fill, headOf } from '../support/proof-log.ts';

const folder = mkdtempSync(join(tmpdir(), 'burgee-backup-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const key = Buffer.alloc(32, 1).toString('base64');
const otherKey = Buffer.alloc(32, 2).toString('base64');

const on = (url: string, settings: Record<string, string> = {}) => {
  const all = { DATABASE_URL: url, LOG_LEVEL: 'error', ...settings };
  return (...args: string[]) => commandLine(args, all);
};

/** An empty database without other connections. */
const target = async () => {
  const { connection, db } = await testDatabase('empty');
  return { url: urlOf(connection), db };
};

/** A session that does not belong to Burgee, until the test ends. */
async function operator(url: string) {
  const { client, end } = await openSession({ connectionString: url }, 'operator');
  onTestFinished(end);
  return client;
}

/** All rows of all tables, in any order. */
async function contentsOf(db: Kysely<Database>): Promise<Record<string, string>> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' order by relname`.execute(db);
  const contents: Record<string, string> = {};
  for (const { name } of rows) {
    const found = await sql<{ digest: string }>`
      select count(*) || ' ' || coalesce(md5(string_agg(row::text, E'\n' order by row::text)), '') as digest
      from ${sql.id(name)} as row`.execute(db);
    contents[name] = found.rows[0]?.digest ?? '';
  }
  return contents;
}

let source: { url: string; db: Kysely<Database> };
const file = join(folder, 'flags.backup');

beforeAll(async () => {
  const made = await testDatabase();
  source = { url: urlOf(made.connection), db: made.db };
  await fill(transactOn(made.db), 20);
  // A secret, so that the key is in use.
  await on(source.url, { ENCRYPTION_KEY: key })(
    ...['token', 'create', '--type', 'client', '--name', 'app', '--environment', 'development'],
  );
  expect(await on(source.url)('backup', file)).toMatchObject({ code: 0, stderr: '' });
});

describe('burgee backup', () => {
  test('writes a file that only its owner can read, replaces an older one, and names the key it does not contain', async () => {
    const { id, hash } = await headOf(source.db);
    const again = await on(source.url)('backup', file);
    expect(again).toMatchObject({ code: 0, stderr: '' });
    expect(again.stdout).toContain(`The log ends at event ${id} with the hash ${hash}`);
    expect(again.stdout).toMatch(
      /Stored secrets are in the file, encrypted\. Their key \([0-9a-f]{8}\) is not: keep a copy of ENCRYPTION_KEY/,
    );
    expect(again.stdout).not.toContain(key);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['flags.backup']);
    expect(await commandLine(['backup', 'check', file])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`${file} is complete`),
    });
  });

  test('does not overwrite other files, or create folders, or back up an empty database', async () => {
    const letter = join(folder, 'letter.txt');
    writeFileSync(letter, 'dear');
    expect(await on(source.url)('backup', letter)).toMatchObject({
      code: 1,
      stderr: `${letter} exists and is not a backup of Burgee. Choose another name.\n`,
    });
    expect(readFileSync(letter, 'utf8')).toBe('dear');
    rmSync(letter);
    expect(await on(source.url)('backup', join(folder, 'nowhere/x'))).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/cannot be written \(ENOENT\)/),
    });
    expect(await on((await target()).url)('backup', join(folder, 'x'))).toMatchObject({
      code: 1,
      stderr: 'There is nothing to back up: the database is empty.\n',
    });
    expect(readdirSync(folder)).toEqual(['flags.backup']);
  });

  test('follows a symbolic link and keeps it', async () => {
    const linked = mkdtempSync(join(folder, 'linked-'));
    const link = join(linked, 'link');
    symlinkSync('named', link);
    for (const _ of ['to a new file', 'to an older backup']) {
      expect(await on(source.url)('backup', link)).toMatchObject({ code: 0, stderr: '' });
      expect(readlinkSync(link)).toBe('named');
      expect(await commandLine(['backup', 'check', join(linked, 'named')])).toMatchObject({
        code: 0,
      });
    }
    rmSync(link);
    symlinkSync('link', link);
    expect(await on(source.url)('backup', link)).toMatchObject({
      code: 1,
      stderr: `${link} cannot be written (ELOOP).\n`,
    });
    rmSync(linked, { recursive: true });
  });

  test('rejects pipes and names that cannot be written with a clear message', async () => {
    for (const args of [['backup'], ['backup', 'check'], ['restore']]) {
      for (const name of ['-', '']) {
        expect(await on(source.url)(...args, name)).toMatchObject({
          code: 1,
          stderr: expect.stringMatching(/^FILE must be the name of a file: /),
        });
      }
    }
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    expect(await commandLine(['backup', 'check', pipe])).toMatchObject({
      code: 1,
      stderr: `${pipe} is not a file.\n`,
    });
    expect(await on(source.url)('backup', pipe)).toMatchObject({
      code: 1,
      stderr: `${pipe} exists and is not a backup of Burgee. Choose another name.\n`,
    });
    rmSync(pipe);
    expect(await on(source.url)('backup', join(folder, 'x'.repeat(250)))).toMatchObject({
      code: 1,
      stderr: `${folder} cannot be written (ENAMETOOLONG).\n`,
    });
  });

  test('removes old unfinished files of a killed backup of the same name', async () => {
    const own = mkdtempSync(join(folder, 'killed-'));
    const leave = (name: string, hoursAgo: number) => {
      writeFileSync(join(own, name), 'half');
      const at = Date.now() / 1000 - hoursAgo * 3600;
      utimesSync(join(own, name), at, at);
    };
    leave('.new.unfinished-1-old', 2);
    leave('.new.unfinished-2-young', 0);
    leave('.other.unfinished-3-old', 2);
    expect(await on(source.url)('backup', join(own, 'new'))).toMatchObject({ code: 0 });
    expect(readdirSync(own).sort()).toEqual([
      '.new.unfinished-2-young',
      '.other.unfinished-3-old',
      'new',
    ]);
    rmSync(own, { recursive: true });
  });

  test('is independent of the date and byte format of the database', async () => {
    const { url } = await target();
    expect(await on(url, { ENCRYPTION_KEY: key })('restore', file)).toMatchObject({ code: 0 });
    const client = await operator(url);
    const name = client.escapeIdentifier(new URL(url).pathname.slice(1));
    await client.query(`alter database ${name} set datestyle = 'SQL, DMY'`);
    await client.query(`alter database ${name} set bytea_output = 'escape'`);
    const copy = join(folder, 'styled.backup');
    expect(await on(url)('backup', copy)).toMatchObject({ code: 0, stderr: '' });
    expect(await on(url)('verify')).toMatchObject({ code: 0 });
    const eventsOf = async (backup: string) => (await checkBackup(backup)).manifest.tables.events;
    expect(await eventsOf(copy)).toEqual(await eventsOf(file));
    rmSync(copy);
  });

  test('writes a complete file of a tampered log, and backup and restore report the problem', async () => {
    const broken = await testDatabase();
    await fill(transactOn(broken.db), 3);
    const head = await headOf(broken.db);
    await broken.db.transaction().execute(async (tx) => {
      await sql`set local session_replication_role = replica`.execute(tx);
      await sql`update events set type = 'feature-created' where id = ${head.id - 1}`.execute(tx);
    });
    const copy = join(folder, 'broken.backup');
    expect(await on(urlOf(broken.connection))('backup', copy)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`Event ${head.id - 1} is not as it was recorded`),
    });
    const { url, db } = await target();
    expect(await on(url)('restore', copy)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is not intact'),
    });
    expect(await on(url)('restore', copy, '--accept-broken-log')).toMatchObject({ code: 2 });
    expect(await contentsOf(db)).toEqual(await contentsOf(broken.db));
    rmSync(copy);
  });
});

describe('burgee restore', () => {
  test('into an empty database restores all rows, a valid log and the next ids', async () => {
    const { url, db } = await target();
    const restored = await on(url, { ENCRYPTION_KEY: key })('restore', file);
    expect(restored).toMatchObject({ code: 0, stderr: '' });
    const { id, hash } = await headOf(source.db);
    expect(restored.stdout).toContain(`${id} events verified`);
    expect(await contentsOf(db)).toEqual(await contentsOf(source.db));
    expect(await on(url)('verify')).toMatchObject({
      code: 0,
      stdout: `${id} events verified, 1 to ${id}, hash ${hash}\n`,
    });
    const next = await Promise.all(
      [source.db, db].map((each) =>
        sql`select nextval('users_id_seq') as users, nextval('roles_id_seq') as roles`.execute(
          each,
        ),
      ),
    );
    expect(next[0]?.rows).toEqual(next[1]?.rows);
    await fill(transactOn(db), 1);
    expect(await headOf(db)).toMatchObject({ id: id + 1 });
    expect(await on(url)('verify')).toMatchObject({ code: 0 });
  });

  test('rejects a database with data and describes it, and --replace overwrites it', async () => {
    const other = await testDatabase();
    await fill(transactOn(other.db), 2);
    const before = await contentsOf(other.db);
    const { id } = await headOf(other.db);
    const url = urlOf(other.connection);
    const keyed = on(url, { ENCRYPTION_KEY: key });
    // The pool of the test counts as a running Burgee.
    expect(await keyed('restore', file, '--replace')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^Burgee is running on this database \(connections: burgee\)/),
    });
    expect(await contentsOf(other.db)).toEqual(before);
    await other.db.destroy();
    await expect
      .poll(async () => (await keyed('restore', file)).stderr)
      .toMatch(new RegExp(`is not empty: it contains ${id} events, the last of 20.*--replace`));
    const replaced = await keyed('restore', file, '--replace');
    expect(replaced.stdout).toMatch(new RegExp(`Replacing ${id} events`));
    expect(replaced).toMatchObject({ code: 0, stderr: '' });
    expect(await on(url)('verify')).toMatchObject({ code: 0 });
  });

  test('rejects a wrong or missing key without changes, and can give up a lost key', async () => {
    const { url, db } = await target();
    expect(await on(url, { ENCRYPTION_KEY: otherKey })('restore', file)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /encrypted with a key \([0-9a-f]{8}\).*the key that is set is another one/,
      ),
    });
    expect(await on(url)('restore', file)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/no key is set/),
    });
    const { rows } =
      await sql`select from pg_class where relnamespace = 'public'::regnamespace`.execute(db);
    expect(rows).toEqual([]);
    await db.destroy();
    await expect
      .poll(async () => (await on(url)('restore', file, '--without-key')).output)
      .toContain('run burgee key reseal --give-up-lost');
    expect(
      await on(url, { ENCRYPTION_KEY: otherKey })('key', 'reseal', '--give-up-lost'),
    ).toMatchObject({ code: 0 });
  });

  test('rejects a file that is damaged, truncated, foreign or from a newer Burgee', async () => {
    const { url } = await target();
    const bytes = readFileSync(file);
    const copy = join(folder, 'damaged.backup');
    const refusal = async (content: Buffer) => {
      writeFileSync(copy, content);
      const { code, stdout, stderr } = await on(url, { ENCRYPTION_KEY: key })('restore', copy);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      return stderr;
    };
    for (let at = 0.03; at < 0.95; at += 0.07) {
      const changed = Buffer.from(bytes);
      const place = Math.floor(bytes.length * at);
      changed[place] = (changed[place] ?? 0) ^ 1;
      // A changed byte in the padding between two tables does no harm.
      if (bytes[place] === 0) continue;
      expect(await refusal(changed)).toMatch(/damaged|not a backup/);
    }
    for (const length of [0, 100, 512, 5000, bytes.length - 3000, bytes.length - 1024]) {
      expect(await refusal(bytes.subarray(0, length))).toMatch(/damaged: it ends too early/);
    }
    expect(await refusal(Buffer.from('hello '.repeat(1000)))).toBe(
      `${copy} is not a backup of Burgee.\n`,
    );
    rmSync(copy);
    expect(await on(url)('restore', folder)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/is not a file|cannot be read/),
    });

    const newer = await testDatabase();
    await sql`insert into migrations (name) values ('9999-tomorrow')`.execute(newer.db);
    expect(await on(urlOf(newer.connection))('backup', copy)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('migrated by a newer Burgee (9999-tomorrow)'),
    });
  });

  test('rejects a valid archive that is not a backup with a clear message', async () => {
    const { url } = await target();
    const client = await operator(url);
    const copy = join(folder, 'strange.backup');
    const refusal = async (change: (archive: Contents) => void) => {
      await changedBackup(file, copy, change);
      const { code, stderr } = await on(url, { ENCRYPTION_KEY: key })('restore', copy);
      expect(code).toBe(1);
      return stderr;
    };
    for (const manifest of ['nope', 'null', '{}', '[]', '{"format":1,"migrations":[1]}']) {
      expect(
        await refusal((contents) => contents.set('manifest.json', Buffer.from(manifest))),
      ).toBe(`${copy} is not a backup of Burgee: its manifest does not describe one.\n`);
    }
    const newer = Buffer.from('{"format":2,"burgee":"9.0.0"}');
    expect(await refusal((contents) => contents.set('manifest.json', newer))).toMatch(
      /was written by a newer Burgee, version 9\.0\.0\./,
    );
    const swapped = (contents: Contents, one: string, other: string) => {
      const [first, second] = [contents.get(one), contents.get(other)];
      if (first && second) contents.set(one, second).set(other, first);
    };
    expect(
      await refusal((contents) => swapped(contents, fileOfTable('roles'), fileOfTable('users'))),
    ).toMatch(/^The backup is damaged: the table \w+ is not as it was written/);
    // Valid text, but not valid events: as if compressed bytes were damaged.
    const garbled = gzipSync(Buffer.from(`1${'\t}{'.repeat(20)}\n`));
    expect(await refusal((contents) => contents.set(fileOfTable('events'), garbled))).toMatch(
      /^The backup is damaged: the table events is not as it was written/,
    );
    // A table of the operator must not be filled from a file.
    await client.query('create table notes (id int)');
    expect(
      await refusal((contents) => {
        changeManifest(contents, ({ tables }) => {
          Object.assign(tables, { notes: { ...tables.roles, columns: ['id'] } });
        });
        contents.set(fileOfTable('notes'), contents.get(fileOfTable('roles')) as Buffer);
      }),
    ).toBe(
      'The backup has tables that its migrations do not create: notes. Nothing was changed.\n',
    );
    rmSync(copy);
  });

  test('never drops tables of another application, even with --replace', async () => {
    const { url } = await target();
    const client = await operator(url);
    await client.query('create table users (id int)');
    await client.query('insert into users values (7)');
    const keyed = on(url, { ENCRYPTION_KEY: key });
    const refused = {
      code: 1,
      stderr: expect.stringMatching(
        /^The schema public belongs to another application: Burgee did not create its users\. .*Nothing was changed\.\n$/,
      ),
    };
    expect(await keyed('restore', file)).toMatchObject(refused);
    expect(await keyed('restore', file, '--replace')).toMatchObject(refused);
    // A start on such a database fails and keeps the migrations before the failed one.
    expect(await keyed('migrate')).toMatchObject({ code: 1 });
    expect(await keyed('restore', file, '--replace')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^Migrations of the schema public were interrupted or failed/),
    });
    expect((await client.query('select id from users')).rows).toEqual([{ id: 7 }]);
    await client.query('drop table migrations');
    await client.query('create table migrations (id int, migration text)');
    for (const args of [['restore', file], ['backup', join(folder, 'x')], ['migrate']]) {
      expect(await keyed(...args)).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/^The table migrations in this database belongs to another/),
      });
    }
  });

  test('loads an older schema unchanged and then migrates it', async () => {
    const names = Object.keys(migrations).sort();
    const older = await testDatabase('empty');
    const upTo = names.indexOf('0042-instance-id');
    await migrate(
      older.db,
      Object.fromEntries(names.slice(0, upTo).map((name) => [name, migrations[name]])) as never,
    );
    await sql`insert into installation default values`.execute(older.db);
    const copy = join(folder, 'older.backup');
    expect(await on(urlOf(older.connection))('backup', copy)).toMatchObject({
      code: 0,
      stderr: '',
    });
    const { url, db } = await target();
    const restored = await on(url)('restore', copy);
    expect(restored).toMatchObject({ code: 0, stderr: '' });
    expect(restored.stdout).toContain(`Migrated: ${names.slice(upTo).join(', ')}`);
    expect(await on(url)('verify')).toMatchObject({ code: 0 });
    const { rows } = await sql<{ name: string }>`select name from migrations order by name`.execute(
      db,
    );
    expect(rows.map(({ name }) => name)).toEqual(names);
    rmSync(copy);
  });

  test('refuses to replace tables on which a view of the operator depends', async () => {
    const { url, db } = await target();
    expect(await on(url, { ENCRYPTION_KEY: key })('restore', file)).toMatchObject({ code: 0 });
    await sql`create table notes (text text)`.execute(db);
    await sql`create view shortened as select id from events`.execute(db);
    await db.destroy();
    const again = on(url, { ENCRYPTION_KEY: key });
    await expect
      .poll(async () => (await again('restore', file, '--replace')).stderr)
      .toMatch(/did not create depends on its tables \(view shortened depends on table events\)/);
    expect(await on(url)('verify')).toMatchObject({ code: 0 });
  });
});

test('a session that ends between two tables fails the backup, not the process', async () => {
  const other = join(folder, 'ended.backup');
  const session = await openSession({ connectionString: source.url }, 'burgee backup');
  const { client } = session;
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  const endAtFirstTable = (statement: unknown, ...rest: unknown[]) => {
    // Only COPY is submitted as a separate object.
    if (typeof (statement as { submit?: unknown }).submit === 'function') void session.end();
    return query(statement, ...rest);
  };
  client.query = endAtFirstTable as typeof client.query;
  await expect(writeBackup(session, 'public', other)).rejects.toThrow(/closed|terminated/);
  expect(readdirSync(folder).filter((name) => name.includes('ended'))).toEqual([]);
});

test('a table locked by another session fails a backup with a clear message', async () => {
  const other = join(folder, 'locked.backup');
  const session = await openSession({ connectionString: source.url }, 'burgee backup');
  try {
    await session.client.query(`set lock_timeout = '50ms'`);
    await source.db.transaction().execute(async (tx) => {
      await sql`lock table features in access exclusive mode`.execute(tx);
      await expect(writeBackup(session, 'public', other)).rejects.toThrow(StartError);
    });
  } finally {
    await session.end();
  }
  expect(readdirSync(folder).filter((name) => name.includes('locked'))).toEqual([]);
});
