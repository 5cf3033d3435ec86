import { execFileSync } from 'node:child_process';
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { transactOn } from '../../src/app/transact.ts';
import { writeBackup } from '../../src/backup/write.ts';
import { findRestoredAt } from '../../src/platform/db/first-start.ts';
import { openSession } from '../../src/platform/db/one-session.ts';
import { StartError } from '../../src/platform/start-error.ts';
import { commandLine } from '../support/command-line.ts';
import { testDatabase } from '../support/database.ts';
import { urlOf } from '../support/database-url.ts';
import { fill, headOf } from '../support/proof-log.ts';
import { backedUp, contentsOf, key, on, otherKey, target } from './backed-up.ts';

let folder: string;
let file: string;
let source: Awaited<ReturnType<typeof backedUp>>['source'];

beforeAll(async () => {
  ({ folder, file, source } = await backedUp());
});

/** The last byte of each checksum in the archive, and the one that names the operating system in each gzip header. */
function placesNobodyReads(archive: Buffer): ReadonlySet<number> {
  const places = new Set<number>();
  for (let at = 0; archive[at] !== 0; ) {
    const size = Number.parseInt(archive.toString('latin1', at + 124, at + 135), 8);
    expect(size).toBeGreaterThanOrEqual(0);
    places.add(at + 155).add(at + 512 + 9);
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return places;
}

describe('a backup', () => {
  test('is readable only by its owner, replaces an older one, and names the key that it does not contain', async () => {
    const { id, hash } = await headOf(source.db);
    const again = await on(source.url)('backup', file);
    expect(again).toMatchObject({ code: 0, stderr: '' });
    expect(again.stdout).toContain(`The event log ends at event ${id} with the hash ${hash}`);
    expect(again.stdout).toMatch(
      /encrypted secrets but not their key \([0-9a-f]{8}\)\. Store a copy of ENCRYPTION_KEY/,
    );
    expect(again.stdout).not.toContain(key);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['flags.backup']);
    expect(await commandLine(['backup', 'check', file])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`${file} is complete`),
    });
  });

  test('does not replace other files, and needs an existing folder and an installation', async () => {
    const letter = join(folder, 'letter.txt');
    writeFileSync(letter, 'dear');
    expect(await on(source.url)('backup', letter)).toMatchObject({
      code: 1,
      stderr: `${letter} exists and isn't a Burgee backup. Choose another name.\n`,
    });
    expect(readFileSync(letter, 'utf8')).toBe('dear');
    rmSync(letter);
    expect(await on(source.url)('backup', join(folder, 'nowhere/x'))).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^Couldn't write .*\(ENOENT\)/),
    });
    expect(await on((await target()).url)('backup', join(folder, 'x'))).toMatchObject({
      code: 1,
      stderr: 'Nothing to back up: the database is empty.\n',
    });
    expect(readdirSync(folder)).toEqual(['flags.backup']);
  });

  test('is refused if the name is not that of a regular file', async () => {
    for (const args of [['backup'], ['backup', 'check'], ['restore']]) {
      for (const name of ['-', '']) {
        expect(await on(source.url)(...args, name)).toMatchObject({
          code: 1,
          stderr: expect.stringMatching(/^FILE must be a file name: /),
        });
      }
    }
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    expect(await commandLine(['backup', 'check', pipe])).toMatchObject({
      code: 1,
      stderr: `${pipe} isn't a file.\n`,
    });
    expect(await on(source.url)('backup', pipe)).toMatchObject({
      code: 1,
      stderr: `${pipe} exists and isn't a Burgee backup. Choose another name.\n`,
    });
    rmSync(pipe);
    expect(await on(source.url)('backup', join(folder, 'x'.repeat(250)))).toMatchObject({
      code: 1,
      stderr: `Couldn't write to ${folder} (ENAMETOOLONG).\n`,
    });
  });

  test('removes the unfinished file of an earlier backup of the same name', async () => {
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
});

describe('a restore', () => {
  test('into an empty database restores the same rows, a log that verifies, and the same next ids', async () => {
    const { url, db } = await target();
    const restored = await on(url, { ENCRYPTION_KEY: key })('restore', file);
    expect(restored).toMatchObject({ code: 0, stderr: '' });
    const { id, hash } = await headOf(source.db);
    expect(restored.stdout).toContain(`${id} events verified`);
    expect(await contentsOf(db)).toEqual(await contentsOf(source.db));
    expect(await findRestoredAt(source.db)).toBeUndefined();
    expect(await findRestoredAt(db)).toBeInstanceOf(Date);
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

  test('with the wrong key or none is refused and changes nothing', async () => {
    const { url, db } = await target();
    expect(await on(url, { ENCRYPTION_KEY: otherKey })('restore', file)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/encrypted with key [0-9a-f]{8}, but a different key is set/),
    });
    expect(await on(url)('restore', file)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/no key is set/),
    });
    const { rows } =
      await sql`select from pg_class where relnamespace = 'public'::regnamespace`.execute(db);
    expect(rows).toEqual([]);
  });

  test('rejects a file that is damaged, cut off, or not a backup', async () => {
    const { url } = await target();
    const bytes = readFileSync(file);
    const copy = join(folder, 'damaged.backup');
    const refusal = async (content: Buffer) => {
      writeFileSync(copy, content);
      const { code, stdout, stderr } = await on(url, { ENCRYPTION_KEY: key })('restore', copy);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      return stderr;
    };
    const unread = placesNobodyReads(bytes);
    for (let at = 0.03; at < 0.95; at += 0.07) {
      const changed = Buffer.from(bytes);
      const place = Math.floor(bytes.length * at);
      changed[place] = (changed[place] ?? 0) ^ 1;
      // A changed byte in the padding between two tables does no harm.
      if (bytes[place] === 0 || unread.has(place)) continue;
      expect(await refusal(changed)).toMatch(/damaged|not a backup/);
    }
    for (const length of [0, 100, 512, 5000, bytes.length - 3000, bytes.length - 1024]) {
      expect(await refusal(bytes.subarray(0, length))).toMatch(/damaged: it ends too early/);
    }
    expect(await refusal(Buffer.from('hello '.repeat(1000)))).toBe(
      `${copy} isn't a Burgee backup.\n`,
    );
    rmSync(copy);
    expect(await on(url)('restore', folder)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/isn't a file|Couldn't read/),
    });

    const newer = await testDatabase();
    await sql`insert into migrations (name) values ('9999-tomorrow')`.execute(newer.db);
    expect(await on(urlOf(newer.connection))('backup', copy)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('migrated by a newer Burgee (9999-tomorrow)'),
    });
  });
});

test('a backup fails when its session ends between two tables', async () => {
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

test('a backup fails when another session has locked a table', async () => {
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
