import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from '../../start-error.ts';
import { type Binaries, findPackage, majorVersion, prepareBinaries } from './binaries.ts';
import { createCluster, hasCluster, makeAcceptable } from './cluster.ts';
import { chooseDataDirectory, type DataDirectory } from './data-directory.ts';
import { errorCode } from './failure.ts';
import { type JoinedServer, keepRunning } from './keep-running.ts';
import { findPostmaster, type Postmaster, stopPostmaster } from './postmaster.ts';
import { type Connection, connectionTo, isConnectionLost, join } from './presence.ts';
import { findOrStart } from './server.ts';

export { isUnused } from './data-directory.ts';
export { maxEmbeddedConnections } from './server.ts';

export interface EmbeddedPostgres {
  /** Connection options for pg; `host` is the folder of the Unix socket. */
  readonly connection: Connection;
  /** The folder in use. It differs from the requested one if PostgreSQL's account cannot reach that. */
  readonly dataDir: string;
  /** Whether the server was already running: left by a killed process, or started by another command. */
  readonly adopted: boolean;
  /** Stops the server (fast shutdown) and waits for its end, unless another client is connected. */
  stop(): Promise<void>;
}

interface EmbeddedOptions {
  /** The data folder. The cluster is in its folder `postgres`. */
  readonly dataDir: string;
  /** True for `burgee serve`, which runs once per folder; false for commands. */
  readonly exclusive: boolean;
  /** Logs one line for the operator. */
  readonly log: (message: string) => void;
  /** Logs one line that needs the operator's attention. */
  readonly warn?: (message: string) => void;
  /** Says at once why a start takes long, to whoever waits for it. */
  readonly tell?: (message: string) => void;
  /** Ends a start that is under way, and stops what it has started. */
  readonly signal?: AbortSignal;
  /** Called once if the server died and could not be restarted. For `burgee serve` only. */
  readonly onGone?: (error: StartError) => void;
  /** The delays before the attempts to restart a server that died. The last one is repeated. */
  readonly pausesMs?: readonly number[];
  /** Additional PostgreSQL settings. */
  readonly settings?: Record<string, string>;
}

const NO_SOCKET_TIMEOUT_MS = 2000;
const RECOVERY_TIMEOUT_MS = 60_000;
const RETRY_MS = 50;
const STOP_TIMEOUT_MS = 60_000;

export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const directory = await chooseDataDirectory(options.dataDir, options.log);
  hasCluster(directory, majorVersion(findPackage().version));
  const first = await enter(directory, options, {
    prepare: () => prepare(directory, options),
    ...(options.signal && { signal: options.signal }),
  });
  const { connection } = first;
  const running = keepRunning(first, again(directory, connection, options), {
    warn: options.warn ?? options.log,
    ...(options.pausesMs && { pausesMs: options.pausesMs }),
    onGone: options.exclusive ? options.onGone : undefined,
  });
  let stopping: Promise<void> | undefined;
  return {
    connection,
    dataDir: directory.dataDir,
    adopted: first.adopted,
    stop() {
      stopping ??= running.end().then((last) => stop(directory, last, options));
      return stopping;
    },
  };
}

interface Attempt {
  readonly prepare: () => Promise<Binaries>;
  readonly socketDir?: string;
  readonly signal?: AbortSignal;
}

/**
 * Reconnects to a server that is gone. `burgee serve` restarts it on the same socket, which its pools use; a command
 * waits until it is back.
 */
const again =
  (directory: DataDirectory, connection: Connection, options: EmbeddedOptions) =>
  async (signal: AbortSignal): Promise<JoinedServer> => {
    if (options.exclusive) {
      const socketDir = connection.host;
      return enter(directory, options, {
        prepare: () => prepareAgain(directory),
        socketDir,
        signal,
      });
    }
    const postmaster = findPostmaster(directory.cluster);
    if (!postmaster) throw new StartError('PostgreSQL is not running');
    const presence = await join(connection, directory, options);
    return { connection, presence, postmaster, adopted: true };
  };

/** Starts or joins the server. Starts it again if another process stops it between finding and joining it. */
async function enter(
  directory: DataDirectory,
  options: EmbeddedOptions,
  attempt: Attempt,
): Promise<JoinedServer> {
  const settings = options.settings ?? {};
  let firstLostAt: number | undefined;
  for (;;) {
    const { tell } = options;
    const { postmaster, adopted } = await findOrStart(directory, { ...attempt, settings, tell });
    const connection = connectionTo(postmaster);
    if (attempt.socketDir !== undefined && connection.host !== attempt.socketDir) {
      throw new StartError(
        `Another process started PostgreSQL on ${directory.cluster} at another socket, ${connection.host}`,
      );
    }
    try {
      return {
        connection,
        presence: await join(connection, directory, options),
        postmaster,
        adopted,
      };
    } catch (error) {
      firstLostAt ??= performance.now();
      if (!isConnectionLost(error)) {
        if (!adopted) await withdraw(connection, directory, postmaster, options);
        throw error;
      }
      if (attempt.signal?.aborted) {
        if (!adopted) await stopPostmaster(directory.cluster, STOP_TIMEOUT_MS, postmaster);
        throw new StartError('Burgee is stopping');
      }
      const patienceMs = errorCode(error) === 'ENOENT' ? NO_SOCKET_TIMEOUT_MS : RECOVERY_TIMEOUT_MS;
      const waitedMs = performance.now() - firstLostAt;
      if (waitedMs > patienceMs) throw doesNotAnswer(postmaster.pid, connection);
      await sleep(RETRY_MS);
    }
  }
}

async function prepare(
  directory: DataDirectory,
  { settings = {} }: EmbeddedOptions,
): Promise<Binaries> {
  const found = findPackage();
  const exists = hasCluster(directory, majorVersion(found.version));
  const binaries = await prepareBinaries(found, directory);
  if (!exists) await createCluster(directory, binaries, settings.fsync !== 'off');
  await makeAcceptable(directory);
  return binaries;
}

/**
 * Refuses to create a new cluster if the folder was removed: a running Burgee must not continue on an empty database.
 */
async function prepareAgain(directory: DataDirectory): Promise<Binaries> {
  const found = findPackage();
  if (!hasCluster(directory, majorVersion(found.version))) {
    throw new StartError(`The database is no longer in ${directory.cluster}`);
  }
  return prepareBinaries(found, directory);
}

async function stop(
  directory: DataDirectory,
  { presence: last, connection, postmaster }: JoinedServer,
  options: EmbeddedOptions,
): Promise<void> {
  let presence = last;
  let isTaken = false;
  if (!last.isHeld()) {
    // Without the locks the owner of the server is unknown: a successor may have taken it over.
    presence = await join(connection, directory, options).catch((error: unknown) => {
      isTaken = !isConnectionLost(error);
      return last;
    });
  }
  const mayStop = options.exclusive ? !isTaken : await presence.becomeLast().catch(() => false);
  if (!mayStop) return presence.leave();
  // Closes the connection last: while it holds its locks, no other process can join the server.
  const stopped = await stopPostmaster(
    directory.cluster,
    STOP_TIMEOUT_MS,
    postmaster,
    options.tell,
  );
  await presence.leave();
  if (!stopped) options.log(`PostgreSQL on ${directory.cluster} is still stopping`);
}

/** Stops the server after a failed start, unless another process uses it by now. */
async function withdraw(
  connection: Connection,
  directory: DataDirectory,
  postmaster: Postmaster,
  options: EmbeddedOptions,
): Promise<void> {
  const asGuest = { ...options, exclusive: false };
  const presence = await join(connection, directory, asGuest).catch(() => undefined);
  if (presence)
    await stop(directory, { connection, presence, postmaster, adopted: false }, asGuest);
  else await stopPostmaster(directory.cluster, STOP_TIMEOUT_MS, postmaster, options.tell);
}

function doesNotAnswer(pid: number, { host }: Connection): StartError {
  return new StartError(
    `PostgreSQL (process ${pid}) is running but does not respond at its socket in ${host}. Stop it with \`kill -INT ${pid}\` and start again.`,
  );
}
