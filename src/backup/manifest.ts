import { createHash } from 'node:crypto';
import { type Static, Type } from 'typebox';
import { unknownAmong } from '../migrations/migrate.ts';
import { schemaFaults } from '../platform/http/schema-faults.ts';
import { StartError } from '../platform/start-error.ts';
import type { ArchiveReader } from './archive.ts';

/** Increased if an older Burgee could misread a new file. */
export const format = 1;

const count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
/** Leaves room for later events. */
const eventId = Type.Integer({ minimum: 0, maximum: 2 ** 52 });
const sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' });
const identifier = '^[a-z_][a-z0-9_]{0,62}$';
const name = Type.String({ pattern: identifier });
const version = /^[0-9A-Za-z.+-]{1,50}$/;

/** Strict, because the file may come from someone else: its texts are printed, and its numbers bound the work. */
const manifestSchema = Type.Object({
  format: Type.Integer(),
  createdAt: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT[0-9:.]{5,20}Z$' }),
  burgee: Type.String({ pattern: version.source }),
  postgres: Type.String({ pattern: '^[ -~]{1,200}$' }),
  /** The migrations that the database had. */
  migrations: Type.Array(Type.String({ pattern: '^[\\w.-]{1,100}$' }), {
    minItems: 1,
    maxItems: 10_000,
    uniqueItems: true,
  }),
  /** Where the event log begins and ends. */
  log: Type.Object({ anchorId: eventId, anchorHash: sha256, lastId: eventId, hash: sha256 }),
  /** The keys that encrypt stored secrets: their names, and a text that only the key opens. Never the keys. */
  encryptionKeys: Type.Array(
    Type.Object({
      id: Type.String({ pattern: '^[0-9a-f]{1,64}$' }),
      proof: Type.String({ pattern: '^([0-9a-f]{2}){1,500}$' }),
    }),
    { maxItems: 1000 },
  ),
  tables: Type.Record(
    Type.String({ pattern: identifier }),
    Type.Object({
      columns: Type.Array(name, { maxItems: 1600, uniqueItems: true }),
      rows: count,
      /** The size before compression. */
      bytes: count,
      /** The SHA-256 of the rows before compression. */
      sha256,
    }),
    { additionalProperties: false },
  ),
  sequences: Type.Array(
    Type.Object({ table: name, column: name, lastValue: count, isCalled: Type.Boolean() }),
    { maxItems: 1000 },
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

/** The manifest of a newer format is not checked, so its version may be anything. */
const newerFile = (file: string, burgee: unknown, why: string) => {
  const named = typeof burgee === 'string' && version.test(burgee) ? `, version ${burgee}` : '';
  return new StartError(
    `${file} was written by a newer Burgee${named}${why}. Restore it with that version or a later one.`,
  );
};

/** How many unknown migrations a message names. */
const maxNamed = 5;

function parse(bytes: Buffer, file: string): Manifest {
  const foreign = new StartError(`${file} isn't a Burgee backup: its manifest is invalid.`);
  let found: Partial<Manifest> | null;
  try {
    found = JSON.parse(bytes.toString('utf8'));
  } catch {
    throw foreign;
  }
  // A newer manifest may have another form.
  const written = found?.format;
  if (typeof written === 'number' && written > format) throw newerFile(file, found?.burgee, '');
  if (faultsOf(found, 'manifest').length > 0) throw foreign;
  return found as Manifest;
}

/** Reads the manifest. Refuses a file that is damaged, or that a newer Burgee wrote. */
export async function readManifest(archive: ArchiveReader, file: string): Promise<Manifest> {
  if (!archive.names.has(manifestFile) || !archive.names.has(manifestHashFile)) {
    throw new StartError(`${file} isn't a Burgee backup.`);
  }
  const bytes = await readAll(archive, manifestFile);
  const [written] = (await readAll(archive, manifestHashFile)).toString('utf8').split(' ');
  if (written !== sha256Of(bytes)) {
    throw new StartError(`${file} is damaged: its manifest was changed after it was written.`);
  }
  const manifest = parse(bytes, file);
  const unknown = unknownAmong(manifest.migrations);
  if (unknown.length > 0) {
    const named = unknown.slice(0, maxNamed).join(', ');
    const more = unknown.length > maxNamed ? ` and ${unknown.length - maxNamed} more` : '';
    throw newerFile(file, manifest.burgee, ` (${named}${more})`);
  }
  return manifest;
}
