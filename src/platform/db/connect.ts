import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import type { Logger } from '../log.ts';
import { StartError } from '../start-error.ts';
import { poolOf, rememberPool } from './copy-out.ts';
import type { Database } from './database.ts';
import { loggableError, usualPatienceMs, within } from './outage.ts';
import { withPreparedStatements } from './prepared-statements.ts';
import {
  type Connection,
  defaultSchema,
  plainConfig,
  searchPath,
  sessionConfig,
  sessionStatement,
} from './session.ts';

export type { Connection } from './session.ts';

const int8 = 20;

/** Parses int8 as a number, because counts and ids stay far below 2^53. Set per pool, not for all of pg. */
export const parseInt8: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => (oid === int8 ? Number : pg.types.getTypeParser(oid, format)),
};

/** When each logger last logged a lost connection. */
const toldAt = new WeakMap<Logger, number>();
/** A PostgreSQL server that stops closes about thirty connections at once. They are logged as one line. */
const lossesMs = 10_000;

function sayLost(log: Logger, error: Error): void {
  const now = performance.now();
  const isFirst = now - (toldAt.get(log) ?? Number.NEGATIVE_INFINITY) > lossesMs;
  if (isFirst) toldAt.set(log, now);
  log[isFirst ? 'warn' : 'debug'](loggableError(error), 'lost database connections');
}

function createPool(
  connection: Connection,
  log: Logger,
  options: {
    name: string;
    max: number;
    /** How long to wait for an answer. A dead connection may never be closed. */
    answerMs?: number;
    settings: Record<string, string | number>;
  },
): Kysely<Database> {
  const pool = new pg.Pool({
    connectionTimeoutMillis: 10_000,
    ...sessionConfig(connection, options.settings),
    types: parseInt8,
    max: options.max,
    application_name: options.name,
    idleTimeoutMillis: 60_000,
    // A host that disappears closes no connections. Without probes, the next user of an idle connection finds it dead.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    ...(options.answerMs !== undefined && { query_timeout: options.answerMs }),
    // A transaction sends its last statement together with COMMIT.
    pipeline: true,
  });
  // Without a listener, a connection that the server closes would end the process. The pool removes an idle connection;
  // on one in use, the next statement fails.
  const lost = (error: Error) => {
    if (!pool.ending) sayLost(log, error);
  };
  pool.on('error', lost);
  const first = sessionStatement(connection, options.settings);
  pool.on('connect', (client) => {
    client.on('error', lost);
    // Sent before the pool hands out the connection, and so answered before any other statement.
    if (first !== undefined) client.query(first).catch(lost);
  });
  const db = new Kysely<Database>({
    dialect: new PostgresDialect({ pool: withPreparedStatements(pool) }),
  });
  rememberPool(db, pool);
  return db;
}

/**
 * Returns a function that closes all connections of a pool at once, also those in use: the server ends what they are
 * doing, which a client that only disconnects does not achieve.
 */
export function trackConnections(db: Kysely<Database>): () => Promise<void> {
  const clients = new Set<pg.PoolClient>();
  const pool = poolOf(db);
  pool.on('connect', (client) => clients.add(client));
  pool.on('remove', (client) => clients.delete(client));
  return async () => {
    // No new connections. Those in use may never be given back.
    db.destroy().catch(() => undefined);
    const pids = [...clients].map((client) => (client as { processID?: number }).processID);
    const last = new pg.Client(pool.options);
    last.on('error', () => undefined);
    try {
      await last.connect();
      await last.query('select pg_terminate_backend(pid) from unnest($1::int[]) as pid', [
        pids.filter((pid) => pid !== undefined),
      ]);
    } catch {
      // A server that cannot be reached has no connections.
    } finally {
      await last.end().catch(() => undefined);
    }
  };
}

export const createWritePool = (connection: Connection, log: Logger, max: number) =>
  createPool(connection, log, {
    name: 'burgee',
    max,
    settings: {
      lock_timeout: '10s',
      statement_timeout: '60s',
      idle_in_transaction_session_timeout: '60s',
    },
  });

/** Creates the pool for short reads. It is separate from the pool for changes, whose users may wait for locks. */
export const createReadPool = (connection: Connection, log: Logger, max: number) =>
  createPool(connection, log, {
    name: 'burgee read',
    max,
    settings: {
      statement_timeout: '60s',
      idle_in_transaction_session_timeout: '60s',
      default_transaction_read_only: 'on',
    },
  });

/**
 * Creates the pool for authentication and for the data of SDKs. It is separate from the others, so that no other request
 * can delay SDKs.
 */
export const createGatePool = (connection: Connection, log: Logger, max: number) =>
  createPool(connection, log, {
    name: 'burgee gate',
    max,
    answerMs: 25_000,
    settings: {
      statement_timeout: '20s',
      idle_in_transaction_session_timeout: '60s',
      default_transaction_read_only: 'on',
    },
  });

/**
 * Creates the pool for a queue table, which is empty now and a million rows long in a minute. Statistics are always
 * wrong, so the planner has to use the indexes: a claim otherwise read and sorted the whole backlog (22 ms for 15,000
 * rows). Commits do not wait for the disk; after a crash of the machine a delivery may be sent twice, marked as such.
 */
export const createQueuePool = (connection: Connection, log: Logger, max: number) =>
  createPool(connection, log, {
    name: 'burgee queue',
    max,
    settings: {
      lock_timeout: '10s',
      statement_timeout: '60s',
      idle_in_transaction_session_timeout: '60s',
      synchronous_commit: 'off',
      enable_seqscan: 'off',
      enable_bitmapscan: 'off',
      enable_hashjoin: 'off',
      enable_mergejoin: 'off',
      enable_sort: 'off',
    },
  });

/**
 * Creates the pool for long reads, with its own connections, without parallel workers (2 cores serve all requests) and
 * with a time limit.
 */
export const createSearchPool = (connection: Connection, log: Logger, max: number) =>
  createPool(connection, log, {
    name: 'burgee search',
    max,
    settings: {
      statement_timeout: '20s',
      max_parallel_workers_per_gather: 0,
      work_mem: '32MB',
      jit: 'off',
      // The best plan depends on the search terms, so statements are parsed once and planned each time.
      plan_cache_mode: 'force_custom_plan',
      default_transaction_read_only: 'on',
    },
  });

const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  // A connection refused over both IPv4 and IPv6 is an AggregateError without a message.
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ');
  return error.message;
};

const oldestMajor = 14;

interface Inspected {
  readonly connection: Connection;
  readonly maxConnections: number;
}

async function connectTo(config: pg.ClientConfig, described: string): Promise<pg.Client> {
  let client: pg.Client;
  try {
    client = new pg.Client({ connectionTimeoutMillis: 10_000, ...config });
    client.on('error', () => undefined);
    await client.connect();
  } catch (error) {
    throw new StartError(`Cannot connect to ${described}: ${reasonOf(error)}`, { cause: error });
  }
  return client;
}

/** Checks the database of `DATABASE_URL` before it is used. */
export async function inspectServer(
  connection: Connection,
  log: Logger,
  described: string,
): Promise<Inspected> {
  const { schema = defaultSchema } = connection;
  // Connects without our settings, because the account's own search path may lead to an installation.
  const client = await connectTo(plainConfig(connection), described);
  try {
    const maxConnections = await requireServer(client, log, described);
    await requireSchema(client, schema, described);
    return { connection: await requireSessions(client, connection, described), maxConnections };
  } finally {
    await client.end().catch(() => undefined);
  }
}

interface ServerRow {
  readonly version: number;
  readonly encoding: string;
  readonly ctype: string;
  readonly maxConnections: number;
}

/**
 * Checks version and encoding, and returns how many connections the account may open. PostgreSQL writes no limit as -1.
 */
async function requireServer(client: pg.Client, log: Logger, described: string): Promise<number> {
  const { rows } = await client.query<ServerRow>(`
    select current_setting('server_version_num')::int as version,
           pg_encoding_to_char(d.encoding) as encoding, d.datctype as ctype,
           least(
             current_setting('max_connections')::int
               - current_setting('superuser_reserved_connections')::int
               - coalesce(nullif(current_setting('reserved_connections', true), '')::int, 0),
             nullif(d.datconnlimit, -1), nullif(r.rolconnlimit, -1)) as "maxConnections"
    from pg_database d, pg_roles r
    where d.datname = current_database() and r.rolname = current_user`);
  const [server] = rows;
  if (!server) throw new StartError(`${described} doesn't report its settings`);
  const major = Math.floor(server.version / 10_000);
  if (major < oldestMajor) {
    throw new StartError(
      `${described} runs PostgreSQL ${major}; Burgee needs ${oldestMajor} or newer`,
    );
  }
  if (server.encoding !== 'UTF8') {
    throw new StartError(`${described} is encoded in ${server.encoding}; Burgee needs UTF8`);
  }
  if (server.ctype === 'C' || server.ctype === 'POSIX') {
    log.warn(
      { lcCtype: server.ctype },
      'this LC_CTYPE has no letters outside ASCII: text search for them works, but without its index',
    );
  }
  return server.maxConnections;
}

/** A pooler that does not support `options` reports an error, or drops them silently. */
const isUnknownParameter = ({ cause }: StartError): boolean =>
  cause instanceof Error && /startup parameter/.test(cause.message);

/** Returns how sessions receive their settings. Refuses a pooler without sessions. */
async function requireSessions(
  client: pg.Client,
  connection: Connection,
  described: string,
): Promise<Connection> {
  const byStatement = { ...connection, settingsByStatement: true } as const;
  const second = await connectTo(sessionConfig(connection), described).catch((error) => {
    if (isUnknownParameter(error)) return connectTo(sessionConfig(byStatement), described);
    throw error;
  });
  try {
    if (await sharesSessions(client, second)) {
      throw new StartError(
        `A pooler in transaction mode is between Burgee and ${described} (PgBouncer: pool_mode=transaction). ` +
          'Burgee needs sessions for LISTEN, advisory locks and prepared statements. Set DATABASE_URL to the server itself, or to a pool with pool_mode=session. Burgee pools connections itself.',
      );
    }
    const { rows } = await second.query<{ path: string }>(
      `select pg_catalog.current_setting('search_path') as path`,
    );
    const wanted = searchPath(connection.schema ?? defaultSchema);
    return rows[0]?.path === wanted ? connection : byStatement;
  } finally {
    await second.end().catch(() => undefined);
  }
}

const pidOf = async (client: pg.Client): Promise<number | undefined> =>
  (await client.query<{ pid: number }>('select pg_catalog.pg_backend_pid() as pid')).rows[0]?.pid;

/**
 * Returns whether two of our connections share a server connection, or one of ours uses two. The order of queries is
 * irregular, so that a pooler that rotates its connections is detected too.
 */
export async function sharesSessions(one: pg.Client, other: pg.Client): Promise<boolean> {
  const seen = new Map<pg.Client, number | undefined>();
  for (const client of [one, other, other, one, one, other]) {
    const pid = await pidOf(client);
    if (seen.has(client) && seen.get(client) !== pid) return true;
    seen.set(client, pid);
  }
  return seen.get(one) === seen.get(other);
}

/**
 * Requires the schema to exist. Refuses an empty schema if the account's own search path leads to an installation in
 * another one: the start would create a second installation and abandon the first.
 */
async function requireSchema(client: pg.Client, schema: string, described: string): Promise<void> {
  const { rows } = await client.query<{ exists: boolean; empty: boolean; other: string | null }>(
    `select pg_catalog.to_regnamespace($1) is not null as exists,
            pg_catalog.to_regclass($1 || '.migrations') is null as empty,
            (select path.schema from pg_catalog.unnest(pg_catalog.current_schemas(false))
               with ordinality as path (schema, nth)
             where pg_catalog.to_regclass(pg_catalog.quote_ident(path.schema) || '.migrations') is not null
               and pg_catalog.to_regclass(pg_catalog.quote_ident(path.schema) || '.event_log') is not null
             order by path.nth limit 1) as other`,
    [schema],
  );
  const [found] = rows;
  if (!found?.exists) {
    throw new StartError(`${described} has no schema ${schema}: create it, or set DATABASE_SCHEMA`);
  }
  if (found.empty && found.other !== null) {
    throw new StartError(
      `Burgee's tables in ${described} are in the schema ${found.other}: set DATABASE_SCHEMA=${found.other}`,
    );
  }
}

/** Returns the size, the limit, the connections in use and the waiting requests of a pool. */
export function poolState(db: Kysely<Database>) {
  const { totalCount, idleCount, waitingCount, options } = poolOf(db);
  return { max: options.max, used: totalCount - idleCount, waiting: waitingCount };
}

/** Checks that the database answers, for `/ready`. */
export const answers = (db: Kysely<Database>) =>
  within(usualPatienceMs, sql`select 1`.execute(db)).then(
    () => true,
    () => false,
  );
