import { type Kysely, type Migration, sql } from 'kysely';
import type { Database, Db } from '../platform/db/database.ts';
import { errorCodeOf } from '../platform/db/outage.ts';
import { StartError } from '../platform/start-error.ts';
import { migrations } from './index.ts';

/** The key of the advisory lock. It is arbitrary, but the same for all instances. */
export const migrationLock = 4_242_001;

const undefinedColumn = '42703';

export interface MigrationReport {
  readonly ran: readonly string[];
}

const explain = (name: string, error: unknown): StartError => {
  const reason = error instanceof Error ? error.message : String(error);
  if (/pg_trgm/.test(reason)) {
    return new StartError(
      `The extension pg_trgm cannot be created (${reason}). Install PostgreSQL's contrib package, or let an administrator run "create extension pg_trgm" in this database once. Nothing was changed.`,
      { cause: error },
    );
  }
  return new StartError(`Migration ${name} failed, nothing of it was kept: ${reason}`, {
    cause: error,
  });
};

/** Explains errors of an account that lacks the right to change the schema. */
function explainRefusal(error: unknown): unknown {
  const code = errorCodeOf(error);
  if (code === '25006') {
    return new StartError(
      'The database is read-only: it is a standby, or default_transaction_read_only is on. Let DATABASE_URL name the primary.',
      { cause: error },
    );
  }
  if (code === '42501') {
    return new StartError(
      `The account may not create tables (${(error as Error).message}). Make it the owner of the database, or let an administrator run "grant create on schema ... to ..." there.`,
      { cause: error },
    );
  }
  return error;
}

type Migrations = Readonly<Record<string, Migration>>;

/** Reads the names of the migrations that have run. Other applications have a table of this name too. */
async function readNames(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name, ran_at from migrations`
    .execute(db)
    .catch((error: unknown) => {
      if (errorCodeOf(error) !== undefinedColumn) throw error;
      throw new StartError(
        'The table migrations in this database belongs to another application. Use another database, or set DATABASE_SCHEMA. Nothing was changed.',
        { cause: error },
      );
    });
  return rows.map(({ name }) => name);
}

/** Lists the migrations that have run, in the order of their names. Undefined if the database has none of our tables. */
export async function listApplied(db: Db): Promise<string[] | undefined> {
  const { rows } = await sql<{ exists: boolean }>`
    select to_regclass('migrations') is not null as exists`.execute(db);
  if (!rows[0]?.exists) return undefined;
  return (await readNames(db)).sort();
}

/** Lists the migrations that this version does not have. */
export const unknownAmong = (names: readonly string[], list: Migrations = migrations): string[] =>
  names.filter((name) => !Object.hasOwn(list, name)).sort();

/** Lists the migrations that have not run yet, in order. */
export async function listPending(db: Db, list: Migrations = migrations): Promise<string[]> {
  const done = new Set(await readNames(db));
  const unknown = unknownAmong([...done], list);
  if (unknown.length > 0) {
    throw new StartError(
      `This database was migrated by a newer Burgee (${unknown.join(', ')}). Start that version, or restore a backup from before.`,
    );
  }
  return Object.keys(list)
    .filter((name) => !done.has(name))
    .sort();
}

/**
 * Brings the schema up to date. Each migration commits together with its entry in the list of applied ones, under one
 * lock for all instances: a second instance waits, then finds nothing to do.
 */
export async function migrate(
  db: Kysely<Database>,
  list: Migrations = migrations,
): Promise<MigrationReport> {
  return db.connection().execute(async (connection) => {
    // Another instance may hold the lock while it builds an index on a large table.
    await sql`set lock_timeout = 0`.execute(connection);
    await sql`set statement_timeout = 0`.execute(connection);
    await sql`select pg_advisory_lock(${migrationLock})`.execute(connection);
    try {
      await seeExtension(connection);
      await createList(connection);
      const ran: string[] = [];
      for (const name of await listPending(connection, list)) {
        try {
          await connection.transaction().execute((transaction) => apply(transaction, name, list));
        } catch (error) {
          throw explain(name, error);
        }
        ran.push(name);
      }
      return { ran };
    } finally {
      // Fails if the connection is lost. Then the lock is released too, and the caller has the original error.
      await giveBack(connection).catch(() => undefined);
    }
  });
}

const createList = (connection: Kysely<Database>) =>
  sql`
    create table if not exists migrations (
      name text primary key,
      ran_at timestamptz not null default now()
    )`
    .execute(connection)
    .catch((error: unknown) => {
      throw explainRefusal(error);
    });

async function apply(transaction: Kysely<Database>, name: string, list: Migrations): Promise<void> {
  await list[name]?.up(transaction);
  await sql`insert into migrations (name) values (${name})`.execute(transaction);
}

/**
 * Runs migrations in a transaction that the caller began, while it holds the lock: those given, or all that have not
 * run.
 */
export async function migrateWithin(
  transaction: Kysely<Database>,
  given?: readonly string[],
): Promise<string[]> {
  await seeExtension(transaction);
  await createList(transaction);
  const names = given?.toSorted() ?? (await listPending(transaction));
  for (const name of names) {
    await apply(transaction, name, migrations).catch((error: unknown) => {
      throw explain(name, error);
    });
  }
  return names;
}

/**
 * Adds the schema of `pg_trgm` to the search path, because an administrator may have installed it elsewhere and indexes
 * name its operator class.
 */
async function seeExtension(connection: Kysely<Database>): Promise<void> {
  await sql`
    select pg_catalog.set_config('search_path',
      pg_catalog.current_schema() || ', ' || pg_catalog.quote_ident(n.nspname) || ', pg_temp', false)
    from pg_catalog.pg_extension e
    join pg_catalog.pg_namespace n on n.oid = e.extnamespace
    where e.extname = 'pg_trgm' and n.nspname <> pg_catalog.current_schema()`.execute(connection);
}

async function giveBack(connection: Kysely<Database>): Promise<void> {
  await sql`select pg_advisory_unlock(${migrationLock})`.execute(connection);
  await sql`reset search_path`.execute(connection);
  await sql`reset lock_timeout`.execute(connection);
  await sql`reset statement_timeout`.execute(connection);
}

/** Refuses an outdated schema. Commands that only read must not migrate under a running server. */
export async function requireCurrentSchema(db: Db, list: Migrations = migrations): Promise<void> {
  if (!(await listApplied(db)) || (await listPending(db, list)).length > 0) {
    throw new StartError('The schema is older than this command: run burgee migrate');
  }
}
