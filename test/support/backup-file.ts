import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { gunzipSync, gzipSync } from 'node:zlib';
import { readArchive, writeArchive } from '../../src/backup/archive.ts';
import {
  fileOfTable,
  type Manifest,
  manifestFile,
  manifestHashFile,
  sha256Of,
} from '../../src/backup/manifest.ts';

/** The entries of a backup by name. */
export type Contents = Map<string, Buffer>;

export async function contentsOfBackup(file: string): Promise<Contents> {
  const archive = await readArchive(file);
  try {
    const contents: Contents = new Map();
    for (const name of archive.names) contents.set(name, await buffer(archive.read(name)));
    return contents;
  } finally {
    await archive.close();
  }
}

/** Writes entries as a backup whose manifest has the right hash. */
export async function writeContents(copy: string, contents: Contents): Promise<void> {
  const hash = sha256Of(contents.get(manifestFile) as Buffer);
  contents.set(manifestHashFile, Buffer.from(`${hash}  ${manifestFile}\n`));
  const handle = await open(copy, 'w');
  const writer = writeArchive(handle, new Date());
  for (const [name, bytes] of contents) await writer.add(name, Readable.from([bytes]));
  await writer.finish();
  await handle.close();
}

/** Writes a changed copy of a backup whose manifest has the right hash. */
export async function changedBackup(
  file: string,
  copy: string,
  change: (contents: Contents) => void,
): Promise<void> {
  const contents = await contentsOfBackup(file);
  change(contents);
  await writeContents(copy, contents);
}

export function changeManifest(contents: Contents, change: (manifest: Manifest) => unknown): void {
  const manifest = JSON.parse(String(contents.get(manifestFile))) as Manifest;
  const changed = change(manifest) ?? manifest;
  contents.set(manifestFile, Buffer.from(JSON.stringify(changed)));
}

export const rowsOf = (contents: Contents, table: string): string[] =>
  gunzipSync(contents.get(fileOfTable(table)) as Buffer)
    .toString('utf8')
    .split('\n')
    .slice(0, -1);

/** Replaces the rows of a table, in COPY format. The manifest describes the new ones. */
export function setRows(contents: Contents, table: string, rows: readonly string[]): void {
  const bytes = Buffer.from(rows.map((row) => `${row}\n`).join(''));
  contents.set(fileOfTable(table), gzipSync(bytes, { level: 1 }));
  changeManifest(contents, ({ tables }) => {
    Object.assign(tables[table] ?? {}, {
      rows: rows.length,
      bytes: bytes.length,
      sha256: sha256Of(bytes),
    });
  });
}

/** Replaces a value in the first row of a table. */
export function setValue(contents: Contents, table: string, column: string, value: string): void {
  const { tables } = JSON.parse(String(contents.get(manifestFile))) as Manifest;
  const [first = '', ...others] = rowsOf(contents, table);
  const at = tables[table]?.columns.indexOf(column) ?? -1;
  setRows(contents, table, [first.split('\t').with(at, value).join('\t'), ...others]);
}
