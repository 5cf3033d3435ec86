import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { transactOn } from '../../src/app/transact.ts';
import { checkBackup } from '../../src/backup/check.ts';
import { type Manifest, manifestFile } from '../../src/backup/manifest.ts';
import { StartError } from '../../src/platform/start-error.ts';
import {
  type Contents,
  changeManifest,
  contentsOfBackup,
  rowsOf,
  setValue,
  writeContents,
} from '../support/backup-file.ts';
import { commandLine } from '../support/command-line.ts';
import { testDatabase } from '../support/database.ts';
import { urlOf } from '../support/database-url.ts';
import { fill } from '../support/proof-log.ts';

const folder = mkdtempSync(join(tmpdir(), 'burgee-fuzz-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const file = join(folder, 'flags.backup');
const copy = join(folder, 'changed.backup');
let contents: Contents;
let settings: Record<string, string>;

beforeAll(async () => {
  const { connection, db } = await testDatabase();
  await fill(transactOn(db), 3);
  const source = { DATABASE_URL: urlOf(connection) };
  for (const args of [
    ['user', 'create', '--username', 'ada', '--role', 'Viewer'],
    ['token', 'create', '--name', 'script', '--type', 'admin'],
    ['backup', file],
  ]) {
    expect(await commandLine(args, source)).toMatchObject({ code: 0 });
  }
  contents = await contentsOfBackup(file);
  const target = await testDatabase('empty');
  await target.db.destroy();
  settings = { DATABASE_URL: urlOf(target.connection), LOG_LEVEL: 'error' };
});

/** Checks the file, which must end with success or a clear message. */
async function check(what: string): Promise<'accepted' | 'refused'> {
  try {
    await checkBackup(copy);
    return 'accepted';
  } catch (error) {
    if (error instanceof StartError) return 'refused';
    throw new Error(`${what}: ${(error as Error).stack}`);
  }
}

const unsafe = /\n {4}at |[^\P{C}\n]/u;

/** Restores the file, which must end with success or a clear message. After a success, changes must work. */
async function restore(what: string): Promise<'accepted' | 'refused'> {
  const args = ['restore', copy, '--replace', '--without-key', '--accept-broken-log'];
  const { code, stdout, stderr } = await commandLine(args, settings);
  expect({ what, unsafe: unsafe.exec(stderr)?.[0] && stderr }).toEqual({ what, unsafe: undefined });
  expect(stdout).not.toMatch(unsafe);
  if (code === 1) return 'refused';
  const created = await commandLine(
    ['user', 'create', '--username', 'fuzzed', '--role', 'Viewer'],
    settings,
  );
  expect({ what, ...created }).toMatchObject({ what, code: 0 });
  return 'accepted';
}

test('a file with any changed byte is accepted or rejected with a clear message', async () => {
  const bytes = readFileSync(file);
  const outcomes = { accepted: 0, refused: 0 };
  // Every byte of the first header and of the last entries, and every 101st of the others.
  const places = Array.from(bytes.keys()).filter(
    (at) => at < 512 || at > bytes.length - 2048 || at % 101 === 0,
  );
  for (const at of places) {
    for (const mask of [1, 0x80]) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] as number) ^ mask;
      writeFileSync(copy, changed);
      outcomes[await check(`byte ${at}`)] += 1;
    }
  }
  expect(outcomes.refused).toBeGreaterThan(outcomes.accepted);
});

test('a file truncated anywhere is rejected with a clear message', async () => {
  const bytes = readFileSync(file);
  for (let length = 0; length < bytes.length; length += 211) {
    writeFileSync(copy, bytes.subarray(0, length));
    expect(await check(`${length} bytes`)).toBe('refused');
  }
});

const strange: readonly unknown[] = [
  null,
  true,
  -1,
  0,
  1.5,
  1e300,
  2 ** 53,
  '',
  'x',
  '\u001b[2J',
  'a'.repeat(100_000),
  [],
  {},
  [[[[]]]],
  { toString: 1 },
];

/** The paths of all values in the manifest. Three tables represent all. */
function pathsIn(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  const entries = Object.entries(value).slice(0, path.at(-1) === 'tables' ? 3 : undefined);
  const some = Array.isArray(value) ? entries.slice(0, 2) : entries;
  return [path, ...some.flatMap(([name, each]) => pathsIn(each, [...path, name]))];
}

test('a manifest with any unusual value is accepted or rejected with a clear message, also by a restore', async () => {
  const manifest = JSON.parse(String(contents.get(manifestFile))) as Manifest;
  let restored = 0;
  for (const path of pathsIn(manifest).filter(({ length }) => length > 0)) {
    for (const value of strange) {
      const changed = new Map(contents);
      changeManifest(changed, (own) => {
        const parent = path
          .slice(0, -1)
          .reduce<Record<string, unknown>>(
            (at, name) => at[name] as Record<string, unknown>,
            own as unknown as Record<string, unknown>,
          );
        parent[path.at(-1) as string] = value;
      });
      await writeContents(copy, changed);
      const what = `${path.join('.')} = ${JSON.stringify(value).slice(0, 50)}`;
      if ((await check(what)) === 'refused') continue;
      restored += 1;
      await restore(what);
    }
  }
  expect(restored).toBeGreaterThan(0);
});

const strangeTexts = [
  '\\N',
  '',
  'x',
  '-1',
  '99999999999999999999',
  '9223372036854775807',
  'infinity',
  '0044-03-15 00:00:00+00 BC',
  '\\x1b[2J\\n',
  '{',
  '[]',
  '\\000',
  '\\',
  '\t',
  '\\.',
];

test('a row with an unusual value in any column is restored to a working server or rejected with a clear message', async () => {
  const { tables } = JSON.parse(String(contents.get(manifestFile))) as Manifest;
  let turn = 0;
  const outcomes = { accepted: 0, refused: 0 };
  for (const [table, { columns }] of Object.entries(tables)) {
    if (rowsOf(contents, table).length === 0) continue;
    for (const column of columns) {
      // One value for each column: all values would take an hour.
      const value = strangeTexts[turn % strangeTexts.length] as string;
      turn += 1;
      const changed = new Map(contents);
      setValue(changed, table, column, value);
      await writeContents(copy, changed);
      const what = `${table}.${column} = ${JSON.stringify(value)}`;
      outcomes[(await check(what)) === 'refused' ? 'refused' : await restore(what)] += 1;
    }
  }
  expect(Math.min(outcomes.accepted, outcomes.refused)).toBeGreaterThan(0);
});
