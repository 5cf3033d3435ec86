import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { StartError } from '../../start-error.ts';
import { SUPERUSER } from './cluster.ts';
import type { DataDirectory } from './data-directory.ts';
import { diskFull, errorCode } from './failure.ts';
import type { Postmaster } from './postmaster.ts';

export interface Connection {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
}

/**
 * A connection that stays open while this process uses the server. It holds two advisory locks: `serving`, exclusive to
 * the one `burgee serve`; and `present`, shared by all users of the server, so that a process can atomically check that
 * it is the last before it stops the server.
 */
export interface Presence {
  /** Whether the connection, and with it the locks, still exists. */
  isHeld(): boolean;
  /** Resolves when the connection ends unexpectedly: the server crashed or was stopped. */
  readonly lost: Promise<void>;
  /** Returns true if no other process uses the server. From then on none can join. */
  becomeLast(): Promise<boolean>;
  leave(): Promise<void>;
}

const DATABASE = 'burgee';
/** "burg" in ASCII: the first half of the advisory lock keys. */
const LOCKS = 0x62757267;
const SERVING = 1;
const PRESENT = 2;
const LET_GO_TIMEOUT_MS = 2000;
const CLOSING_TIMEOUT_MS = 500;
const RETRY_MS = 20;
const CONNECT_TIMEOUT_MS = 10_000;

const CONNECTION_LOST = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now
]);

export function connectionTo({ socketDir, port }: Postmaster): Connection {
  return { host: socketDir, port, user: SUPERUSER, database: DATABASE };
}

export function isConnectionLost(error: unknown): boolean {
  if (CONNECTION_LOST.has(errorCode(error) ?? '')) return true;
  // pg has no codes for these. The second is about a connection that ended between two queries.
  return error instanceof Error && /^Connection terminated|not queryable$/.test(error.message);
}

export async function join(
  connection: Connection,
  directory: DataDirectory,
  { exclusive }: { exclusive: boolean },
): Promise<Presence> {
  const { client, socket } = await open(connection, exclusive, directory);
  let held = true;
  const lost = new Promise<void>((resolve) => {
    client.once('end', () => {
      if (held) resolve();
      held = false;
    });
  });
  // Does not keep an otherwise idle process alive, even if it never stops the server.
  socket.unref();
  return {
    isHeld: () => held,
    lost,
    async becomeLast() {
      if (!held) return false;
      socket.ref();
      await client.query('select pg_advisory_unlock_shared($1, $2)', [LOCKS, PRESENT]);
      return (await tryLock(client, PRESENT)) && (await othersAreGone(client));
    },
    async leave() {
      if (!held) return;
      held = false;
      socket.ref();
      await client.end();
    },
  };
}

async function open(
  connection: Connection,
  exclusive: boolean,
  directory: DataDirectory,
): Promise<Connected> {
  const name = `burgee ${exclusive ? 'serve' : 'command'} ${process.pid}`;
  const connected = await connectCreating(connection, name, directory);
  const { client } = connected;
  try {
    await refuseOtherCluster(client, directory);
    if (exclusive) await takeServing(client, directory);
    await client.query('select pg_advisory_lock_shared($1, $2)', [LOCKS, PRESENT]);
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }
  return connected;
}

async function connectCreating(
  connection: Connection,
  name: string,
  directory: DataDirectory,
): Promise<Connected> {
  try {
    return await connect(connection, name);
  } catch (error) {
    if (errorCode(error) !== '3D000') throw error;
  }
  await createDatabase(connection, name, directory);
  return connect(connection, name);
}

interface Connected {
  readonly client: Client;
  readonly socket: Socket;
}

async function connect(connection: Connection, applicationName: string): Promise<Connected> {
  const socket = new Socket();
  const client = new Client({
    ...connection,
    ssl: false,
    stream: () => socket,
    application_name: applicationName,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
  // Without a listener, a lost connection would end the process. The `end` event follows and is handled.
  client.on('error', () => {});
  await client.connect();
  return { client, socket };
}

async function createDatabase(
  connection: Connection,
  name: string,
  directory: DataDirectory,
): Promise<void> {
  const { client } = await connect({ ...connection, database: 'postgres' }, name);
  try {
    await client.query(`create database ${DATABASE}`);
  } catch (error) {
    const code = errorCode(error);
    if (code === '53100') throw diskFull(directory.dataDir);
    // Another process created it at the same time.
    if (code !== '42P04' && code !== '23505') throw error;
  } finally {
    await client.end();
  }
}

async function refuseOtherCluster(client: Client, { cluster }: DataDirectory): Promise<void> {
  const { rows } = await client.query<{ data_directory: string }>('show data_directory');
  const served = rows[0]?.data_directory;
  if (served === cluster) return;
  throw new StartError(
    `The PostgreSQL server at the socket of ${cluster} uses ${served}. Was the folder moved while the server was running? Stop this server and start again.`,
  );
}

async function takeServing(client: Client, directory: DataDirectory): Promise<void> {
  // The backend of a process killed a moment ago may still hold the lock.
  const deadline = performance.now() + LET_GO_TIMEOUT_MS;
  while (!(await tryLock(client, SERVING))) {
    if (performance.now() > deadline) throw await alreadyRunning(client, directory);
    await sleep(RETRY_MS);
  }
}

async function tryLock(client: Client, lock: number): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>(
    'select pg_try_advisory_lock($1, $2) as taken',
    [LOCKS, lock],
  );
  return rows[0]?.taken ?? false;
}

async function alreadyRunning(client: Client, directory: DataDirectory): Promise<StartError> {
  const { rows } = await client.query<{ application_name: string }>(
    `select application_name from pg_stat_activity join pg_locks using (pid)
      where locktype = 'advisory' and classid = $1 and objid = $2 and granted`,
    [LOCKS, SERVING],
  );
  const holder = rows[0]?.application_name.split(' ').at(-1) ?? 'unknown';
  return new StartError(
    `Burgee is already running on this data folder (${directory.dataDir}, process ${holder}). Stop it first, or set another DATA_DIR.`,
  );
}

/** Waits for closed connections to disappear: they are listed until their backends notice. */
async function othersAreGone(client: Client): Promise<boolean> {
  const deadline = performance.now() + CLOSING_TIMEOUT_MS;
  while (await hasOtherClients(client)) {
    if (performance.now() > deadline) return false;
    await sleep(RETRY_MS);
  }
  return true;
}

async function hasOtherClients(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ others: boolean }>(
    `select exists (select from pg_stat_activity
       where backend_type = 'client backend' and pid <> pg_backend_pid()) as others`,
  );
  return rows[0]?.others ?? true;
}
