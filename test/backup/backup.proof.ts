import { mkdtempSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { transactOn } from '../../src/app/transact.ts';
import { checkBackup } from '../../src/backup/check.ts';
import { fileOfTable } from '../../src/backup/manifest.ts';
import { migrations } from '../../src/migrations/index.ts';
import { migrate } from '../../src/migrations/migrate.ts';
import { type Contents, changedBackup, changeManifest } from '../support/backup-file.ts';
import { commandLine } from '../support/command-line.ts';
import { testDatabase } from '../support/database.ts';
import { urlOf } from '../support/database-url.ts';
import { fill, headOf } from '../support/proof-log.ts';
import { backedUp, contentsOf, key, on, operator, otherKey, target } from './backed-up.ts';

let folder: string;
let file: string;
let source: Awaited<ReturnType<typeof backedUp>>['source'];

beforeAll(async () => {
  ({ folder, file, source } = await backedUp());
});

describe('a backup', () => {
  test('follows a symbolic link and keeps the link', async () => {
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
      stderr: `Couldn't write ${link} (ELOOP).\n`,
    });
    rmSync(linked, { recursive: true });
  });

  test('does not depend on the date and byte formats of the database', async () => {
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

  test('of a log that was tampered with is complete; backup and restore name the event', async () => {
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
      stderr: expect.stringContaining(`Event ${head.id - 1} was modified after it was recorded`),
    });
    const { url, db } = await target();
    expect(await on(url)('restore', copy)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Event log verification failed in'),
    });
    expect(await on(url)('restore', copy, '--accept-broken-log')).toMatchObject({ code: 2 });
    expect(await contentsOf(db)).toEqual(await contentsOf(broken.db));
    rmSync(copy);
  });
});

describe('a restore', () => {
  test('into a database with data is refused unless --replace is given', async () => {
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
      .toMatch(new RegExp(`isn't empty: ${id} events, the last of 20.*--replace`));
    const replaced = await keyed('restore', file, '--replace');
    expect(replaced.stdout).toMatch(new RegExp(`Replacing ${id} events`));
    expect(replaced).toMatchObject({ code: 0, stderr: '' });
    expect(await on(url)('verify')).toMatchObject({ code: 0 });
  });

  test('works without the lost key if --without-key is given', async () => {
    const { url } = await target();
    expect((await on(url)('restore', file, '--without-key')).output).toContain(
      'run burgee key reseal --give-up-lost',
    );
    expect(
      await on(url, { ENCRYPTION_KEY: otherKey })('key', 'reseal', '--give-up-lost'),
    ).toMatchObject({ code: 0 });
  });

  test('rejects an archive that is not a backup', async () => {
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
      ).toBe(`${copy} isn't a Burgee backup: its manifest is invalid.\n`);
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
    ).toMatch(/^The backup is damaged: the table \w+ doesn't match its hash/);
    // Valid text, but not valid events: as if compressed bytes were damaged.
    const garbled = gzipSync(Buffer.from(`1${'\t}{'.repeat(20)}\n`));
    expect(await refusal((contents) => contents.set(fileOfTable('events'), garbled))).toMatch(
      /^The backup is damaged: the table events doesn't match its hash/,
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
    ).toBe("The backup has tables that its migrations don't create: notes. Nothing was changed.\n");
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
        /^The schema public belongs to another application: Burgee didn't create its users\. .*Nothing was changed\.\n$/,
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

  test('of a backup with an older schema migrates the database afterwards', async () => {
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

  test('is refused while a view of the operator depends on a table of Burgee', async () => {
    const { url, db } = await target();
    expect(await on(url, { ENCRYPTION_KEY: key })('restore', file)).toMatchObject({ code: 0 });
    await sql`create table notes (text text)`.execute(db);
    await sql`create view shortened as select id from events`.execute(db);
    await db.destroy();
    const again = on(url, { ENCRYPTION_KEY: key });
    await expect
      .poll(async () => (await again('restore', file, '--replace')).stderr)
      .toMatch(/didn't create depends on its tables \(view shortened depends on table events\)/);
    expect(await on(url)('verify')).toMatchObject({ code: 0 });
  });

  test('adds no API token when it tests whether Burgee can start', async () => {
    const { url, db } = await target();
    expect(await on(url, { ENCRYPTION_KEY: key })('restore', file)).toMatchObject({ code: 0 });
    const { manifest } = await checkBackup(file);
    const ids = manifest.sequences.find(({ table }) => table === 'api_tokens');
    const { rows } = await sql`
      select (select count(*) from api_tokens) as tokens,
             (select nextval('api_tokens_id_seq')) as next`.execute(db);
    expect(rows).toEqual([
      {
        tokens: manifest.tables.api_tokens?.rows,
        next: Number(ids?.lastValue) + (ids?.isCalled ? 1 : 0),
      },
    ]);
  });
});
