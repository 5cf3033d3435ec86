import { createHash } from 'node:crypto';
import { type Static, Type } from 'typebox';
import { unknownAmong } from '../platform/db/migrate.ts';
import { schemaFaults } from '../platform/http/schema-faults.ts';
import { StartError } from '../platform/start-error.ts';
import type { ArchiveReader } from './archive.ts';

/** Increased if an older Burgee could misread a new file. */
export const format = 1;

const manifestSchema = Type.Object({
  format: Type.Integer(),
  createdAt: Type.String(),
  burgee: Type.String(),
  postgres: Type.String(),
  /** The migrations that the database had. */
  migrations: Type.Array(Type.String()),
  /** Where the event log begins and ends. */
  log: Type.Object({
    anchorId: Type.Integer(),
    anchorHash: Type.String(),
    lastId: Type.Integer(),
    hash: Type.String(),
  }),
  /** The keys that encrypt stored secrets: their names, and a text that only the key opens. Never the keys. */
  encryptionKeys: Type.Array(Type.Object({ id: Type.String(), proof: Type.String() })),
  tables: Type.Record(
    Type.String(),
    Type.Object({
      columns: Type.Array(Type.String()),
      rows: Type.Integer(),
      /** The size before compression. */
      bytes: Type.Integer(),
      /** The SHA-256 of the rows before compression. */
      sha256: Type.String(),
    }),
  ),
  sequences: Type.Array(
    Type.Object({
      table: Type.String(),
      column: Type.String(),
      lastValue: Type.Integer(),
      isCalled: Type.Boolean(),
    }),
  ),
});

/** Describes a backup. It is the last but one entry of the archive. */
export type Manifest = Static<typeof manifestSchema>;

const faultsOf = schemaFaults(manifestSchema);

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

const newerFile = (file: string, burgee: unknown, why: string) =>
  new StartError(
    `${file} was written by a newer Burgee, version ${burgee}${why}. Restore it with that version or a later one.`,
  );

function parse(bytes: Buffer, file: string): Manifest {
  const foreign = new StartError(
    `${file} is not a backup of Burgee: its manifest does not describe one.`,
  );
  let found: Partial<Manifest> | null;
  try {
    found = JSON.parse(bytes.toString('utf8'));
  } catch {
    throw foreign;
  }
  // A newer manifest may have another form.
  if (Number(found?.format) > format) throw newerFile(file, found?.burgee, '');
  if (faultsOf(found, 'manifest').length > 0) throw foreign;
  return found as Manifest;
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
  const manifest = parse(bytes, file);
  const unknown = unknownAmong(manifest.migrations);
  if (unknown.length > 0) throw newerFile(file, manifest.burgee, ` (${unknown.join(', ')})`);
  return manifest;
}
