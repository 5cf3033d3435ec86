import { createHash } from 'node:crypto';
import { createGunzip } from 'node:zlib';
import { StartError } from '../platform/start-error.ts';
import { type ArchiveReader, readArchive } from './archive.ts';
import { createChainReader } from './copied-events.ts';
import {
  fileOfTable,
  type Manifest,
  manifestFile,
  manifestHashFile,
  readManifest,
} from './manifest.ts';

const newline = 0x0a;

function countRows(chunk: Buffer): number {
  let rows = 0;
  for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, at + 1)) rows += 1;
  return rows;
}

/** Yields the rows of a table as they pass, and gives their number, size and hash at the end. */
export function measure(note: (chunk: Buffer) => void = () => undefined) {
  const hash = createHash('sha256');
  let rows = 0;
  let bytes = 0;
  return {
    async *through(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      for await (const chunk of source) {
        hash.update(chunk);
        rows += countRows(chunk);
        bytes += chunk.length;
        note(chunk);
        yield chunk;
      }
    },
    result: () => ({ rows, bytes, sha256: hash.digest('hex') }),
  };
}

const damagedTable = (table: string, how: string) =>
  new StartError(`The backup is damaged: the table ${table} ${how}.`);

const isZlib = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');

/** The API accepts 32 MiB at once, and no row contains more than that twice. */
const longestRowBytes = 64 * 1024 * 1024;

/** Ends with an error as soon as there is more than the manifest says: a few bytes can be unpacked to gigabytes. */
async function* limited(
  source: AsyncIterable<Buffer>,
  table: string,
  maxBytes: number,
): AsyncGenerator<Buffer> {
  let bytes = 0;
  let rowBytes = 0;
  for await (const chunk of source) {
    bytes += chunk.length;
    const lastEnd = chunk.lastIndexOf(newline);
    rowBytes = lastEnd < 0 ? rowBytes + chunk.length : chunk.length - lastEnd - 1;
    if (bytes > maxBytes) throw damagedTable(table, 'is larger than it was when it was written');
    if (rowBytes > longestRowBytes) {
      throw damagedTable(table, `has a row of more than ${longestRowBytes / 1024 / 1024} MiB`);
    }
    yield chunk;
  }
}

/** Yields the rows of a table, and throws at their end unless they are those that were written. */
export async function* readTable(
  archive: ArchiveReader,
  { tables }: Manifest,
  table: string,
  note?: (chunk: Buffer) => void,
): AsyncGenerator<Buffer> {
  const expected = tables[table];
  const measuring = measure(note);
  const source = archive.read(fileOfTable(table));
  // Most tables are small. Each would get all of its buffer at once.
  const chunkSize = Math.min(Math.max(expected?.bytes ?? 0, 1024), 256 * 1024);
  const unpacked = createGunzip({ chunkSize });
  source.on('error', (error) => unpacked.destroy(error));
  source.pipe(unpacked);
  try {
    yield* measuring.through(limited(unpacked, table, expected?.bytes ?? 0));
  } catch (error) {
    if (!isZlib(error)) throw error;
    throw damagedTable(table, "can't be unpacked");
  } finally {
    source.destroy();
  }
  const { rows, sha256 } = measuring.result();
  if (rows !== expected?.rows || sha256 !== expected.sha256) {
    throw damagedTable(table, `doesn't match its hash (${rows} of ${expected?.rows} rows)`);
  }
}

export interface CheckedBackup {
  readonly manifest: Manifest;
  readonly size: number;
  /** What is wrong with the event log, if anything. It was so when the backup was written. */
  readonly chainFault: string | undefined;
}

/** Refuses a file with entries that the manifest does not describe: nothing would check them. */
function refuseStrangeEntries({ names }: ArchiveReader, { tables }: Manifest, file: string): void {
  const expected = new Set([
    manifestFile,
    manifestHashFile,
    ...Object.keys(tables).map(fileOfTable),
  ]);
  const strange = [...names].filter((name) => !expected.has(name)).length;
  if (strange === 0) return;
  throw new StartError(
    `${file} is damaged: it has ${strange} ${strange === 1 ? 'entry' : 'entries'} that its manifest doesn't list.`,
  );
}

/** Reads a whole backup: its manifest, the hash of each table, and the chain of the event log. */
export async function checkBackup(file: string): Promise<CheckedBackup> {
  const archive = await readArchive(file);
  try {
    const manifest = await readManifest(archive, file);
    refuseStrangeEntries(archive, manifest, file);
    const chain = createChainReader(manifest);
    for (const table of Object.keys(manifest.tables)) {
      const note = table === 'events' ? chain.read : undefined;
      for await (const _ of readTable(archive, manifest, table, note));
    }
    return { manifest, size: archive.size, chainFault: chain.close() };
  } finally {
    await archive.close();
  }
}
