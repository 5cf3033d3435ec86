import { randomBytes } from 'node:crypto';
import {
  type FileHandle,
  open,
  readdir,
  readlink,
  realpath,
  rename,
  rm,
  stat,
} from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { createGzip } from 'node:zlib';
import type pg from 'pg';
import { listApplied, listPending } from '../migrations/migrate.ts';
import { getHead } from '../modules/events/index.ts';
import { copyTextOut } from '../platform/db/copy-text.ts';
import { listKeyProofs } from '../platform/db/encryption-keys.ts';
import type { OneSession } from '../platform/db/one-session.ts';
import { errorCodeOf } from '../platform/db/outage.ts';
import { StartError } from '../platform/start-error.ts';
import { version } from '../platform/version.ts';
import { type ArchiveWriter, readArchive, writeArchive } from './archive.ts';
import { type CheckedBackup, checkBackup, measure } from './check.ts';
import {
  fileOfTable,
  format,
  type Manifest,
  manifestFile,
  manifestHashFile,
  readManifest,
  sha256Of,
} from './manifest.ts';
import { listTables } from './schema-objects.ts';
import { readSequences } from './sequences.ts';

/** Level 6 makes the file 4 % smaller and takes twice as long. */
const compressionLevel = 4;

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code;

/** Follows symbolic links, also to a file that does not exist yet: what is replaced is the file, never the link. */
async function followLinks(file: string): Promise<string> {
  try {
    return await realpath(file);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') {
      throw new StartError(`Couldn't write ${file} (${codeOf(error)}).`);
    }
    const link = await readlink(file).catch(() => undefined);
    return link === undefined ? file : followLinks(resolve(dirname(file), link));
  }
}

/** Replaces an older backup, and no other file: its name may be mistyped. */
async function refuseOtherFile(file: string): Promise<void> {
  const found = await stat(file).catch(() => undefined);
  if (!found) return;
  const isBackup = await readArchive(file)
    .then(async (archive) => {
      try {
        await readManifest(archive, file);
        return true;
      } finally {
        await archive.close();
      }
    })
    .catch(() => false);
  if (isBackup) return;
  throw new StartError(`${file} exists and isn't a Burgee backup. Choose another name.`);
}

async function createFile(file: string): Promise<FileHandle> {
  try {
    // Stored password hashes and private signing keys are for no one else.
    return await open(file, 'wx', 0o600);
  } catch (error) {
    throw new StartError(`Couldn't write to ${dirname(file)} (${codeOf(error)}).`);
  }
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

async function addTable(
  client: pg.Client,
  archive: ArchiveWriter,
  table: string,
  columns: readonly string[],
) {
  const list = columns.map((column) => client.escapeIdentifier(column)).join(', ');
  // Events in the order of the chain, so that a reader can follow it.
  const from =
    table === 'events'
      ? `(select ${list} from only events order by id)`
      : `${client.escapeIdentifier(table)} (${list})`;
  const measuring = measure();
  const rows = copyTextOut(client, `copy ${from} to stdout`);
  const packed = createGzip({ level: compressionLevel, chunkSize: 256 * 1024 });
  // Rows can fail before the archive reads them, which then throws their error. Without a listener the process would end.
  packed.on('error', () => undefined);
  const packing = (async () => {
    for await (const chunk of measuring.through(rows)) {
      if (!packed.write(chunk)) await new Promise((resume) => packed.once('drain', resume));
    }
    packed.end();
  })().catch((error: Error) => packed.destroy(error));
  await archive.add(fileOfTable(table), packed);
  await packing;
  return { columns: [...columns], ...measuring.result() };
}

async function describe({ client, db }: OneSession): Promise<Omit<Manifest, 'tables'>> {
  const migrations = await listApplied(db);
  if (!migrations?.length) throw new StartError('Nothing to back up: the database is empty.');
  // Refuses a schema of a newer Burgee, whose tables this version does not know.
  await listPending(db);
  const { rows } = await client.query<{
    postgres: string;
    now: Date;
    anchorId: number;
    anchorHash: string;
  }>(
    `select current_setting('server_version') as postgres, now(), anchor_id as "anchorId",
            encode(anchor_hash, 'hex') as "anchorHash" from event_log`,
  );
  const [found] = rows;
  if (!found) throw new StartError('The event log has no anchor: the database is damaged.');
  const hasKeys = await client.query(`select to_regclass('encryption_keys') is not null as exists`);
  const keys = hasKeys.rows[0]?.exists ? await listKeyProofs(db) : [];
  return {
    format,
    createdAt: found.now.toISOString(),
    burgee: version,
    postgres: found.postgres,
    migrations,
    log: { anchorId: found.anchorId, anchorHash: found.anchorHash, ...(await getHead(db)) },
    encryptionKeys: keys.map(({ id, proof }) => ({ id, proof: proof.toString('hex') })),
    sequences: [],
  };
}

async function writeTables(
  session: OneSession,
  schema: string,
  archive: ArchiveWriter,
): Promise<Manifest> {
  const described = await describe(session);
  const tables: Record<string, Manifest['tables'][string]> = {};
  for (const { name, columns } of await listTables(session.client, schema)) {
    tables[name] = await addTable(session.client, archive, name, columns);
  }
  // Sequences are not part of a snapshot. Read after the rows, they are never behind them.
  return { ...described, tables, sequences: await readSequences(session.client, schema) };
}

async function write(session: OneSession, schema: string, unfinished: string): Promise<void> {
  const handle = await createFile(unfinished);
  try {
    // All tables are of the same moment, also while a server writes.
    await session.client.query('begin isolation level repeatable read read only');
    const archive = writeArchive(handle, new Date());
    const manifest = await writeTables(session, schema, archive);
    await session.client.query('commit');
    const bytes = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
    await archive.add(manifestFile, once(bytes));
    await archive.add(manifestHashFile, once(Buffer.from(`${sha256Of(bytes)}  ${manifestFile}\n`)));
    await archive.finish();
  } finally {
    await handle.close();
  }
}

async function syncFolder(folder: string): Promise<void> {
  // Some folders cannot be read, and some file systems cannot sync one. The file itself is on the disk.
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}

const abandonedAfterMs = 60 * 60 * 1000;

/** Removes what killed backups of the same name have left. One that is being written is younger. */
async function removeAbandoned(folder: string, prefix: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    if (!name.startsWith(prefix)) continue;
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined);
    if (!found || Date.now() - found.mtimeMs < abandonedAfterMs) continue;
    await rm(path, { force: true }).catch(() => undefined);
  }
}

const diskFullCodes = ['ENOSPC', 'EDQUOT'];
/** Errors of a write, which do not name the file. */
const writeFailureCodes = ['EFBIG', 'EIO'];

/** Explains errors that an operator can remove. */
function explain(error: unknown, file: string): unknown {
  const code = String(codeOf(error));
  if (diskFullCodes.includes(code)) {
    return new StartError(`The disk with ${dirname(file)} is full. No backup was written.`);
  }
  if (errorCodeOf(error) === '55P03') {
    return new StartError(
      'Another session has locked a table for more than 10 seconds. No backup was written. Try again later.',
    );
  }
  const isOfFile = error instanceof Error && 'path' in error;
  if (isOfFile || writeFailureCodes.includes(code)) {
    return new StartError(`Couldn't write ${file} (${code}). No backup was written.`);
  }
  return error;
}

/**
 * Writes a backup under a temporary name, reads it back, and gives it its name only if it is whole. An older backup of
 * that name stays until then.
 */
export async function writeBackup(
  session: OneSession,
  schema: string,
  given: string,
): Promise<CheckedBackup> {
  const file = await followLinks(given);
  await refuseOtherFile(file);
  const folder = dirname(file);
  const prefix = `.${basename(file)}.unfinished-`;
  await removeAbandoned(folder, prefix);
  const unfinished = join(folder, `${prefix}${process.pid}-${randomBytes(4).toString('hex')}`);
  try {
    await write(session, schema, unfinished);
    const checked = await checkBackup(unfinished);
    await rename(unfinished, file);
    await syncFolder(folder);
    return checked;
  } catch (error) {
    throw explain(error, file);
  } finally {
    // What failed before says more than a file that cannot be removed.
    await rm(unfinished, { force: true }).catch(() => undefined);
  }
}
