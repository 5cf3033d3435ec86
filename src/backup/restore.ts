import type pg from 'pg';
import { listApplied, listPending, migrateWithin, migrationLock } from '../migrations/migrate.ts';
import { findStructureFault, type Verification, verifyLog } from '../modules/events/index.ts';
import { copyTextIn } from '../platform/db/copy-text.ts';
import { markRestored } from '../platform/db/first-start.ts';
import type { OneSession } from '../platform/db/one-session.ts';
import { searchPath } from '../platform/db/session.ts';
import { StartError } from '../platform/start-error.ts';
import { type ArchiveReader, readArchive } from './archive.ts';
import { readTable } from './check.ts';
import type { Manifest } from './manifest.ts';
import { explainRestoreError } from './restore-error.ts';
import {
  countRows,
  type RowCounts,
  requireOwnRows,
  requireProgressWithinLog,
  requireShowableDates,
  requireStart,
} from './restored.ts';
import {
  dropOwn,
  listNamesakes,
  listSlowDefinitions,
  listTables,
  type Table,
} from './schema-objects.ts';
import { setSequences } from './sequences.ts';

/** What a database contains before a restore. */
export interface Contents {
  readonly events: number;
  readonly lastEventAt: Date | null;
  readonly projects: number;
  readonly features: number;
  readonly users: number;
}

/** Without migrations, nothing in the database is ours, and a restore would drop what has our names. */
async function refuseForeign(client: pg.Client, schema: string): Promise<void> {
  const names = await listNamesakes(client, schema);
  if (names.length === 0) return;
  throw new StartError(
    `The schema ${schema} belongs to another application: Burgee didn't create its ${names.join(', ')}. ` +
      'Restore into another database, or set DATABASE_SCHEMA. Nothing was changed.',
  );
}

/** Migrations also end too early where tables of another application have our names. Theirs must not be dropped. */
const incomplete = (schema: string) =>
  new StartError(
    `Migrations of the schema ${schema} were interrupted or failed. Run burgee migrate. ` +
      'If it fails, another application may be using the schema: restore into another database, or set DATABASE_SCHEMA. Nothing was changed.',
  );

async function wasStarted(client: pg.Client, tables: readonly Table[]): Promise<boolean> {
  if (!tables.some(({ name }) => name === 'installation')) return false;
  return (await client.query('select from installation')).rows.length > 0;
}

/** Returns what is in the database, or undefined if nothing would be lost. */
export async function findContents(
  { client, db }: OneSession,
  schema: string,
): Promise<Contents | undefined> {
  const applied = (await listApplied(db)) ?? [];
  if (applied.length === 0) {
    await refuseForeign(client, schema);
    return undefined;
  }
  // Refuses a schema of a newer Burgee: this version does not know all of its tables.
  const pending = await listPending(db);
  const tables = await listTables(client, schema);
  if (!(await wasStarted(client, tables))) {
    if (pending.length > 0) throw incomplete(schema);
    return undefined;
  }
  const count = async (table: string): Promise<number> => {
    // Older schemas lack some tables.
    if (!tables.some(({ name }) => name === table)) return 0;
    const { rows } = await client.query<{ rows: number }>(`select count(*) as rows from ${table}`);
    return rows[0]?.rows ?? 0;
  };
  const { rows } = await client.query<{ at: Date | null }>(
    'select max(created_at) filter (where isfinite(created_at)) as at from events',
  );
  return {
    events: await count('events'),
    lastEventAt: rows[0]?.at ?? null,
    projects: await count('projects'),
    features: await count('features'),
    users: await count('users'),
  };
}

/** Prevents servers and commands from starting until the session ends, and refuses those that run. */
export async function requireNobodyElse({ client }: OneSession): Promise<void> {
  const { rows: locks } = await client.query<{ taken: boolean }>(
    'select pg_try_advisory_lock($1) as taken',
    [migrationLock],
  );
  const { rows } = await client.query<{ names: string | null }>(
    `select string_agg(distinct application_name, ', ') as names from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()
       and application_name like 'burgee%' and application_name not in ($1, $2)`,
    [`burgee command ${process.pid}`, `burgee serve ${process.pid}`],
  );
  const names = rows[0]?.names ?? null;
  if (names === null && locks[0]?.taken) return;
  throw new StartError(
    `Burgee is running on this database (connections: ${names ?? 'a migration or restore'}). Stop every server and command first. Nothing was changed.`,
  );
}

interface EmptyTables {
  /** How many rows each table had after its migrations. */
  readonly rows: RowCounts;
  readonly keys: readonly { readonly create: string }[];
  readonly indexes: readonly { readonly create: string }[];
}

/** Creates the tables as they were in the backup, without what makes loading slow. */
async function createTables(
  { client, db }: OneSession,
  schema: string,
  { migrations, tables }: Manifest,
): Promise<EmptyTables> {
  await migrateWithin(db, migrations);
  const made = await listTables(client, schema);
  for (const { name, columns } of made) {
    const given = tables[name]?.columns ?? [];
    if (given.toSorted().join() === columns.toSorted().join()) continue;
    throw new StartError(
      `The table ${name} of the backup doesn't have the columns that its migrations create. Nothing was changed.`,
    );
  }
  const strange = Object.keys(tables).filter((table) => !made.some(({ name }) => name === table));
  if (strange.length > 0) {
    throw new StartError(
      `The backup has tables that its migrations don't create: ${strange.join(', ')}. Nothing was changed.`,
    );
  }
  const rows = await countRows(client, made);
  const definitions = await listSlowDefinitions(client, schema);
  for (const { drop } of [...definitions.keys, ...definitions.indexes]) await client.query(drop);
  // Migrations insert rows of their own, and triggers would count rows twice. The log is empty, and refuses TRUNCATE.
  const others = made.map(({ name }) => client.escapeIdentifier(name));
  const emptied = others.filter((name) => name !== '"events"');
  await client.query(`truncate ${emptied.join(', ')}`);
  for (const name of others) await client.query(`alter table ${name} disable trigger user`);
  return { rows, ...definitions };
}

async function loadTables(
  client: pg.Client,
  archive: ArchiveReader,
  manifest: Manifest,
): Promise<void> {
  for (const [table, { columns, rows }] of Object.entries(manifest.tables)) {
    const list = columns.map((column) => client.escapeIdentifier(column)).join(', ');
    const into = client.escapeIdentifier(table);
    const statement = `copy ${into} (${list}) from stdin`;
    const stored = await copyTextIn(client, statement, readTable(archive, manifest, table));
    if (stored !== rows) {
      throw new StartError(`The table ${table} has ${stored} rows instead of ${rows}.`);
    }
  }
}

async function completeTables(
  client: pg.Client,
  schema: string,
  { sequences }: Manifest,
  { keys, indexes }: EmptyTables,
): Promise<void> {
  for (const { name } of await listTables(client, schema)) {
    await client.query(`alter table ${client.escapeIdentifier(name)} enable trigger user`);
  }
  for (const { create } of [...indexes, ...keys]) await client.query(create);
  await setSequences(client, schema, sequences);
}

export interface Restored {
  readonly verification: Verification;
  /** Migrations that ran after the rows were loaded. */
  readonly migrated: readonly string[];
}

interface RestoreOptions {
  readonly schema: string;
  /** Restores a log that was already broken when it was backed up. */
  readonly acceptBrokenLog: boolean;
}

async function prove(
  { db }: OneSession,
  { log }: Manifest,
  { schema, acceptBrokenLog }: RestoreOptions,
): Promise<Verification> {
  const structure = await findStructureFault(db, schema);
  if (structure) {
    throw new StartError(
      `The restored tables are invalid: ${structure.message}. Nothing was changed.`,
    );
  }
  const verification = await verifyLog(db, log, { schema });
  if (verification.fault && !acceptBrokenLog) {
    throw new StartError(
      `Event log verification failed: ${verification.fault.message}. Nothing was changed.`,
    );
  }
  return verification;
}

/**
 * Replaces the whole content of the schema in one transaction: tables as they were in the backup, their rows, the later
 * migrations, and a verification of the log. Whatever fails, the database stays as it was.
 */
export async function restoreBackup(
  session: OneSession,
  file: string,
  manifest: Manifest,
  options: RestoreOptions,
): Promise<Restored> {
  const { client, db } = session;
  const { schema } = options;
  const archive = await readArchive(file);
  try {
    await client.query('begin');
    await dropOwn(client, schema);
    const empty = await createTables(session, schema, manifest);
    await loadTables(client, archive, manifest);
    await completeTables(client, schema, manifest, empty);
    await requireOwnRows(session, schema, manifest, empty.rows);
    const migrated = await migrateWithin(db);
    for (const { name } of await listTables(client, schema)) {
      await client.query(`analyze ${client.escapeIdentifier(name)}`);
    }
    await client.query(`select set_config('search_path', $1, false)`, [searchPath(schema)]);
    const verification = await prove(session, manifest, options);
    await requireShowableDates(session, schema);
    if (!verification.fault) await requireProgressWithinLog(session, manifest);
    await requireStart(session, schema);
    await markRestored(db);
    await client.query('commit');
    return { verification, migrated };
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw explainRestoreError(error);
  } finally {
    await archive.close();
  }
}
