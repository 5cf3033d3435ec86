import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from '../../start-error.ts';
import { findPackage, majorVersion, prepareBinaries } from './binaries.ts';
import { createCluster, hasCluster, makeAcceptable } from './cluster.ts';
import { errorCode } from './failure.ts';
import { choosePlace, type Place } from './place.ts';
import { stopPostmaster } from './postmaster.ts';
import {
  type Connection,
  connectionTo,
  isConnectionLost,
  join,
  type Presence,
} from './presence.ts';
import { findOrStart } from './server.ts';

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
  /** Settings of PostgreSQL beyond ours. */
  readonly settings?: Record<string, string>;
}

const NO_SOCKET_TIMEOUT_MS = 2000;
const RECOVERY_TIMEOUT_MS = 60_000;
const RETRY_MS = 50;
const STOP_TIMEOUT_MS = 60_000;

export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const place = await choosePlace(options.dataDir, options.log);
  hasCluster(place, majorVersion(findPackage().version));
  const { connection, presence, adopted } = await enter(place, options);
  let stopping: Promise<void> | undefined;
  return {
    connection,
    dataDir: place.dataDir,
    adopted,
    stop() {
      stopping ??= stop(place, presence, options);
      return stopping;
    },
  };
}

/** Another process may be stopping the server between our finding it and our entering: then it is started again. */
async function enter(place: Place, options: EmbeddedOptions) {
  const settings = options.settings ?? {};
  let firstLostAt: number | undefined;
  for (;;) {
    const { postmaster, adopted } = await findOrStart(
      place,
      () => prepare(place, settings),
      settings,
    );
    const connection = connectionTo(postmaster);
    try {
      return { connection, presence: await join(connection, place, options), adopted };
    } catch (error) {
      firstLostAt ??= Date.now();
      if (!isConnectionLost(error)) {
        if (!adopted) await withdraw(connection, place, options);
        throw error;
      }
      const patienceMs = errorCode(error) === 'ENOENT' ? NO_SOCKET_TIMEOUT_MS : RECOVERY_TIMEOUT_MS;
      if (Date.now() - firstLostAt > patienceMs) throw doesNotAnswer(postmaster.pid, connection);
      await sleep(RETRY_MS);
    }
  }
}

async function prepare(place: Place, settings: Record<string, string>) {
  const found = findPackage();
  const exists = hasCluster(place, majorVersion(found.version));
  const binaries = await prepareBinaries(found, place);
  if (!exists) await createCluster(place, binaries, settings.fsync !== 'off');
  await makeAcceptable(place);
  return binaries;
}

async function stop(place: Place, presence: Presence, options: EmbeddedOptions): Promise<void> {
  const mayStop = options.exclusive || (await presence.becomeLast().catch(() => false));
  if (!mayStop) return presence.leave();
  // The connection is left only afterwards: while it holds its locks, nobody can begin to use the server.
  const stopped = await stopPostmaster(place.cluster, STOP_TIMEOUT_MS);
  await presence.leave();
  if (!stopped) options.log(`PostgreSQL on ${place.cluster} is still busy stopping`);
}

/** A start that fails leaves nothing running behind it, unless somebody else has come to use it. */
async function withdraw(connection: Connection, place: Place, options: EmbeddedOptions) {
  const asGuest = { ...options, exclusive: false };
  const presence = await join(connection, place, asGuest).catch(() => undefined);
  if (presence) await stop(place, presence, asGuest);
  else await stopPostmaster(place.cluster, STOP_TIMEOUT_MS);
}

function doesNotAnswer(pid: number, { host }: Connection): StartError {
  return new StartError(
    `PostgreSQL (process ${pid}) runs but does not answer at its socket in ${host}. Stop it with \`kill -INT ${pid}\` and start again.`,
  );
}
