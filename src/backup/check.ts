import { createHash } from 'node:crypto';
import { createGunzip } from 'node:zlib';
import { StartError } from '../platform/start-error.ts';
import { type ArchiveReader, readArchive } from './archive.ts';
import { createChainReader } from './copied-events.ts';
import { fileOfTable, type Manifest, readManifest } from './manifest.ts';

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

const isZlib = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');

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
  const unpacked = createGunzip({ chunkSize: 256 * 1024 });
  source.on('error', (error) => unpacked.destroy(error));
  source.pipe(unpacked);
  try {
    yield* measuring.through(unpacked);
  } catch (error) {
    if (!isZlib(error)) throw error;
    throw new StartError(`The backup is damaged: the table ${table} cannot be unpacked.`);
  } finally {
    source.destroy();
  }
  const { rows, sha256 } = measuring.result();
  if (rows !== expected?.rows || sha256 !== expected.sha256) {
    throw new StartError(
      `The backup is damaged: the table ${table} is not as it was written (${rows} rows of ${expected?.rows}).`,
    );
  }
}

export interface CheckedBackup {
  readonly manifest: Manifest;
  readonly size: number;
  /** What is wrong with the event log, if anything. It was so when the backup was written. */
  readonly chainFault: string | undefined;
}

/** Reads a whole backup: its manifest, the hash of each table, and the chain of the event log. */
export async function checkBackup(file: string): Promise<CheckedBackup> {
  const archive = await readArchive(file);
  try {
    const manifest = await readManifest(archive, file);
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
