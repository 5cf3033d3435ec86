import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from '../../start-error.ts';
import { type Binaries, findPackage, majorVersion, prepareBinaries } from './binaries.ts';
import { createCluster, hasCluster, makeAcceptable } from './cluster.ts';
import { chooseDataDirectory, type DataDirectory } from './data-directory.ts';
import { errorCode } from './failure.ts';
import { type Entered, keepRunning } from './keep-running.ts';
import { findPostmaster, type Postmaster, stopPostmaster } from './postmaster.ts';
import { type Connection, connectionTo, isConnectionLost, join } from './presence.ts';
import { findOrStart } from './server.ts';

export { maxEmbeddedConnections } from './server.ts';

export interface EmbeddedPostgres {
  /** For pg: host is the folder of the unix socket. */
  readonly connection: Connection;
  /** The folder in use; differs from the one asked for when that one cannot be reached by the server's account. */
  readonly dataDir: string;
  /** A server that was already running (left by a killed process, or serving another command) was taken over. */
  readonly adopted: boolean;
  /** Stops the server (fast shutdown, waits until it is gone), unless another client is still connected to it. */
  stop(): Promise<void>;
}

interface EmbeddedOptions {
  /** The cluster lives in its folder `postgres`. */
  readonly dataDir: string;
  /** True for the one `burgee serve` on this folder, false for a command beside it. */
  readonly exclusive: boolean;
  /** One line for the operator. */
  readonly log: (message: string) => void;
  /** One line about something that needs the operator's attention. */
  readonly warn?: (message: string) => void;
  /** The server died and could not be brought back. Called once, and only for the one `burgee serve`. */
  readonly onGone?: (error: StartError) => void;
  /** How long to wait before each attempt to bring back a server that died; the last is repeated. */
  readonly pausesMs?: readonly number[];
  /** Settings of PostgreSQL beyond ours. */
  readonly settings?: Record<string, string>;
}

const NO_SOCKET_TIMEOUT_MS = 2000;
const RECOVERY_TIMEOUT_MS = 60_000;
const RETRY_MS = 50;
const STOP_TIMEOUT_MS = 60_000;

export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const directory = await chooseDataDirectory(options.dataDir, options.log);
  hasCluster(directory, majorVersion(findPackage().version));
  const first = await enter(directory, options, { prepare: () => prepare(directory, options) });
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
 * How to get back to a server that is gone. The one `burgee serve` starts it again, at the same socket, to
 * which its pools connect; a command only waits until it is there.
 */
const again =
  (directory: DataDirectory, connection: Connection, options: EmbeddedOptions) =>
  async (signal: AbortSignal): Promise<Entered> => {
    if (options.exclusive) {
      const socketDir = connection.host;
      return enter(directory, options, {
        prepare: () => prepareAgain(directory),
        socketDir,
        signal,
      });
    }
    const postmaster = findPostmaster(directory.cluster);
    if (!postmaster) throw new StartError('PostgreSQL is gone');
    const presence = await join(connection, directory, options);
    return { connection, presence, postmaster, adopted: true };
  };

/** Another process may be stopping the server between our finding it and our entering: then it is started again. */
async function enter(
  directory: DataDirectory,
  options: EmbeddedOptions,
  attempt: Attempt,
): Promise<Entered> {
  const settings = options.settings ?? {};
  let firstLostAt: number | undefined;
  for (;;) {
    const { postmaster, adopted } = await findOrStart(directory, { ...attempt, settings });
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

/** A running Burgee must not find itself on an empty database because its folder was removed. */
async function prepareAgain(directory: DataDirectory): Promise<Binaries> {
  const found = findPackage();
  if (!hasCluster(directory, majorVersion(found.version))) {
    throw new StartError(`The database is no longer in ${directory.cluster}`);
  }
  return prepareBinaries(found, directory);
}

async function stop(
  directory: DataDirectory,
  { presence: last, connection, postmaster }: Entered,
  options: EmbeddedOptions,
): Promise<void> {
  let presence = last;
  let isTaken = false;
  if (!last.isHeld()) {
    // Without the locks it is not known whose server it is: a successor may have taken it over by now.
    presence = await join(connection, directory, options).catch((error: unknown) => {
      isTaken = !isConnectionLost(error);
      return last;
    });
  }
  const mayStop = options.exclusive ? !isTaken : await presence.becomeLast().catch(() => false);
  if (!mayStop) return presence.leave();
  // The connection is left only afterwards: while it holds its locks, nobody can begin to use the server.
  const stopped = await stopPostmaster(directory.cluster, STOP_TIMEOUT_MS, postmaster);
  await presence.leave();
  if (!stopped) options.log(`PostgreSQL on ${directory.cluster} is still busy stopping`);
}

/** A start that fails leaves nothing running behind it, unless somebody else has come to use it. */
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
  else await stopPostmaster(directory.cluster, STOP_TIMEOUT_MS, postmaster);
}

function doesNotAnswer(pid: number, { host }: Connection): StartError {
  return new StartError(
    `PostgreSQL (process ${pid}) runs but does not answer at its socket in ${host}. Stop it with \`kill -INT ${pid}\` and start again.`,
  );
}
