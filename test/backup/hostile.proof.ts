import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { transactOn } from '../../src/app/transact.ts';
import { readArchive } from '../../src/backup/archive.ts';
import { checkBackup, readTable } from '../../src/backup/check.ts';
import { fileOfTable, readManifest } from '../../src/backup/manifest.ts';
import {
  type Contents,
  changedBackup,
  changeManifest,
  rowsOf,
  setRows,
  setValue,
} from '../support/backup-file.ts';
import { commandLine } from '../support/command-line.ts';
import { testDatabase } from '../support/database.ts';
import { urlOf } from '../support/database-url.ts';
import { fill } from '../support/proof-log.ts';

const folder = mkdtempSync(join(tmpdir(), 'burgee-hostile-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const file = join(folder, 'flags.backup');
const copy = join(folder, 'changed.backup');
/** The settings of an empty database, which stays empty after each rejected restore. */
let settings: Record<string, string>;

beforeAll(async () => {
  const { connection, db } = await testDatabase();
  await fill(transactOn(db), 3);
  const source = { DATABASE_URL: urlOf(connection) };
  for (const name of ['ada', 'grace']) {
    expect(
      await commandLine(['user', 'create', '--username', name, '--role', 'Viewer'], source),
    ).toMatchObject({ code: 0 });
  }
  expect(await commandLine(['backup', file], source)).toMatchObject({ code: 0, stderr: '' });
  settings = { DATABASE_URL: urlOf((await testDatabase('empty')).connection), LOG_LEVEL: 'error' };
});

const change = (how: (contents: Contents) => void) => changedBackup(file, copy, how);
const checked = async (how: (contents: Contents) => void) => {
  await change(how);
  return checkBackup(copy);
};

async function refusal(how: (contents: Contents) => void, ...options: string[]): Promise<string> {
  await change(how);
  const { code, stderr } = await commandLine(['restore', copy, ...options], settings);
  expect(code).toBe(1);
  // No stack trace and no control characters.
  expect(stderr).not.toMatch(/\n {4}at |[^\P{C}\n]/u);
  return stderr;
}

describe('a check', () => {
  test('unpacks no more of a table than the manifest says', async () => {
    await change((contents) =>
      contents.set(fileOfTable('users'), gzipSync(Buffer.alloc(16 * 1024 * 1024, 'a'))),
    );
    const archive = await readArchive(copy);
    const manifest = await readManifest(archive, copy);
    let bytes = 0;
    const rows = readTable(archive, manifest, 'users', (chunk) => {
      bytes += chunk.length;
    });
    await expect(rows.next()).rejects.toThrow(
      'The backup is damaged: the table users is larger than it was when it was written.',
    );
    expect(bytes).toBe(0);
    await archive.close();
  });

  test('stops at a row longer than the maximum without buffering it', async () => {
    const table = (contents: Contents, name: string) => {
      contents.set(fileOfTable(name), gzipSync(Buffer.alloc(80 * 1024 * 1024, 'a'), { level: 1 }));
      changeManifest(contents, ({ tables }) => {
        Object.assign(tables[name] ?? {}, { bytes: 2 ** 40, rows: 1 });
      });
    };
    for (const name of ['events', 'users']) {
      await expect(checked((contents) => table(contents, name))).rejects.toThrow(
        `The backup is damaged: the table ${name} has a row of more than 64 MiB.`,
      );
    }
  });

  test('stops reading events after the first invalid one', async () => {
    const { chainFault } = await checked((contents) => {
      const [first = '', ...others] = rowsOf(contents, 'events');
      setRows(contents, 'events', [first, '\t'.repeat(1_000_000), ...others]);
    });
    expect(chainFault).toBe('The event after event 1 cannot be read');
  });

  test.each([
    ['infinity', 'infinity'],
    ['a year before Christ', '2026-01-01 00:00:00+00 BC'],
  ])('finds an event whose date is %s', async (_, date) => {
    const { chainFault } = await checked((contents) =>
      setValue(contents, 'events', 'created_at', date),
    );
    expect(chainFault).toBe('The event after event 0 cannot be read');
  });

  test('rejects entries that the manifest does not describe', async () => {
    await expect(
      checked((contents) => contents.set('../../etc/passwd', Buffer.from('root'))),
    ).rejects.toThrow(`${copy} is damaged: it has 1 entry that its manifest doesn't list.`);
  });

  const strange = [
    ['format', [[[2]]]],
    ['createdAt', '\u001b[2J'],
    ['burgee', '0.1.0\nAll is well'],
    ['postgres', '\u001b]0;title\u0007'],
    ['migrations', []],
    ['migrations', ['0001-events', '0001-events']],
    ['log', { anchorId: -1, anchorHash: '', lastId: 0, hash: '' }],
    ['encryptionKeys', [{ id: '\u001b[2J', proof: '' }]],
    ['tables', { '../users': { columns: [], rows: 0, bytes: 0, sha256: '' } }],
    ['sequences', [{ table: 'users', column: 'id', lastValue: 1.5, isCalled: true }]],
    ['sequences', [{ table: 'users', column: 'id', lastValue: -1, isCalled: true }]],
    ['sequences', [{ table: 'users', column: 'id', lastValue: 1e300, isCalled: true }]],
  ] as const;
  test.each(strange)('rejects a manifest with an invalid %s: %j', async (name, value) => {
    await expect(
      checked((contents) =>
        changeManifest(contents, (manifest) => ({ ...manifest, [name]: value })),
      ),
    ).rejects.toThrow(`${copy} isn't a Burgee backup: its manifest is invalid.`);
  });

  test.each<readonly [string, unknown]>([
    ['rows', -1],
    ['rows', 0.5],
    ['rows', null],
    ['bytes', -1],
    ['bytes', 2 ** 60],
    ['bytes', '10'],
    ['sha256', 'x'],
    ['columns', ['id', 'id']],
    ['columns', ['id) from program']],
  ])('rejects a table whose %s is %j', async (name, value) => {
    await expect(
      checked((contents) =>
        changeManifest(contents, ({ tables }) => {
          Object.assign(tables.users ?? {}, { [name]: value });
        }),
      ),
    ).rejects.toThrow('its manifest is invalid');
  });

  test.each([
    ['9.0.0', ', version 9.0.0'],
    ['\u001b[2J', ''],
    [{ toString: 1 }, ''],
    [undefined, ''],
  ])('names the version of a newer format only if it is valid: %j', async (burgee, named) => {
    await expect(
      checked((contents) => changeManifest(contents, () => ({ format: 2, burgee }))),
    ).rejects.toThrow(`${copy} was written by a newer Burgee${named}. Restore it`);
  });

  test('names only a few of many unknown migrations', async () => {
    const names = Array.from({ length: 5000 }, (_, n) => `9${String(n).padStart(4, '0')}-x`);
    await expect(
      checked((contents) =>
        changeManifest(contents, (manifest) => ({ ...manifest, migrations: names })),
      ),
    ).rejects.toThrow(/\(90000-x, 90001-x, 90002-x, 90003-x, 90004-x and 4995 more\)/);
  });
});

type Refusal = [what: string, change: (contents: Contents) => void, message: string];

const value = (table: string, column: string, text: string, message: string): Refusal => [
  `a row of ${table} with ${column} = ${JSON.stringify(text)}`,
  (contents) => setValue(contents, table, column, text),
  message,
];

const withoutRows = (table: string, message: string): Refusal => [
  `an empty table ${table}, with which no server works,`,
  (contents) => setRows(contents, table, []),
  message,
];

const refusals: Refusal[] = [
  value('users', 'id', '2', 'PostgreSQL rejected row 2 of the table users (23505): duplicate key'),
  value(
    'users',
    'root_role',
    '77',
    'PostgreSQL rejected the table users (23503): insert or update',
  ),
  value(
    'users',
    'created_at',
    '\\x1b[2J\\n',
    'row 1 of the table users (22007): invalid input syntax',
  ),
  value(
    'users',
    'created_at',
    'infinity',
    'The table users of the backup has a date outside the years 1 to 9999',
  ),
  value('delivery_progress', 'event_id', '999', 'delivery_progress is ahead of the event log'),
  value('migrations', 'name', '0000-other', 'they list other migrations'),
  withoutRows('event_log', 'The table event_log of the backup has 0 rows, but Burgee needs 1'),
  // The first start of a module would create rows that are there already.
  withoutRows('module_starts', "An environment named 'development' already exists"),
  [
    'keys that the manifest does not name, with which no server would start,',
    (contents) =>
      setRows(contents, 'encryption_keys', ['0badc0de\t\\\\x01\t2026-01-01 00:00:00+00']),
    'they name other keys of stored secrets',
  ],
  [
    'a table whose largest id is in use',
    (contents) =>
      changeManifest(contents, ({ sequences }) => {
        for (const each of sequences) if (each.table === 'users') each.lastValue = 2 ** 40;
      }),
    'No row could be added to the table users: the largest id is in use.',
  ],
];

describe('a restore', () => {
  test.each(refusals)('of %s is refused', async (_what, how, message) => {
    const text = await refusal(how);
    expect(text).toContain(message);
    expect(text).toMatch(/Nothing was changed\.\n$/);
  });

  test('leaves nothing behind if refused, and new rows get free ids even without sequences in the manifest', async () => {
    await change((contents) =>
      changeManifest(contents, (manifest) => ({ ...manifest, sequences: [] })),
    );
    const restored = await commandLine(['restore', copy], settings);
    expect(restored).toMatchObject({ code: 0, stderr: '' });
    expect(restored.stdout).not.toContain('Replacing');
    expect(
      await commandLine(['user', 'create', '--username', 'new', '--role', 'Viewer'], settings),
    ).toMatchObject({ code: 0, stderr: '' });
    expect(await commandLine(['verify'], settings)).toMatchObject({ code: 0 });
  });
});
