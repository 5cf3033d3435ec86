import { createHash } from 'node:crypto';
import { unknownAmong } from '../platform/db/migrate.ts';
import { StartError } from '../platform/start-error.ts';
import type { ArchiveReader } from './archive.ts';

/** Increased if an older Burgee could misread a new file. */
export const format = 1;

interface TableEntry {
  readonly columns: readonly string[];
  readonly rows: number;
  /** The size before compression. */
  readonly bytes: number;
  /** The SHA-256 of the rows before compression. */
  readonly sha256: string;
}

interface SequenceEntry {
  readonly table: string;
  readonly column: string;
  readonly lastValue: number;
  readonly isCalled: boolean;
}

/** Describes a backup. It is the last but one entry of the archive. */
export interface Manifest {
  readonly format: number;
  readonly createdAt: string;
  readonly burgee: string;
  readonly postgres: string;
  /** The migrations that the database had. */
  readonly migrations: readonly string[];
  /** Where the event log begins and ends. */
  readonly log: {
    readonly anchorId: number;
    readonly anchorHash: string;
    readonly lastId: number;
    readonly hash: string;
  };
  /** The keys that encrypt stored secrets: their names, and a text that only the key opens. Never the keys. */
  readonly encryptionKeys: readonly { readonly id: string; readonly proof: string }[];
  readonly tables: Readonly<Record<string, TableEntry>>;
  readonly sequences: readonly SequenceEntry[];
}

export const manifestFile = 'manifest.json';
export const manifestHashFile = 'manifest.sha256';
export const fileOfTable = (table: string) => `tables/${table}.copy.gz`;

export const sha256Of = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** A manifest lists a hundred tables; this is a hundred times as much. */
const largestManifest = 4 * 1024 * 1024;

async function readAll(archive: ArchiveReader, name: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of archive.read(name)) {
    size += chunk.length;
    if (size > largestManifest) throw new StartError(`${name} of the backup is too large.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Reads the manifest. Refuses a file that is damaged, or that a newer Burgee wrote. */
export async function readManifest(archive: ArchiveReader, file: string): Promise<Manifest> {
  if (!archive.has(manifestFile) || !archive.has(manifestHashFile)) {
    throw new StartError(`${file} is not a backup of Burgee.`);
  }
  const bytes = await readAll(archive, manifestFile);
  const [written] = (await readAll(archive, manifestHashFile)).toString('utf8').split(' ');
  if (written !== sha256Of(bytes)) {
    throw new StartError(`${file} is damaged: its manifest was changed after it was written.`);
  }
  const manifest = JSON.parse(bytes.toString('utf8')) as Manifest;
  const unknown = manifest.format > format ? [] : unknownAmong(manifest.migrations);
  if (manifest.format > format || unknown.length > 0) {
    const why = unknown.length > 0 ? ` (${unknown.join(', ')})` : '';
    throw new StartError(
      `${file} was written by a newer Burgee, version ${manifest.burgee}${why}. Restore it with that version or a later one.`,
    );
  }
  return manifest;
}
