import { type ChildProcess, spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  closeSync,
  fchownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from '../../start-error.ts';
import { type Account, canReach } from './account.ts';
import type { Binaries } from './binaries.ts';
import type { DataDirectory } from './data-directory.ts';
import { diskFull, isDiskFull, logFileIn, writingInto } from './failure.ts';
import {
  clearStaleLocks,
  createStuckEnd,
  findPostmaster,
  type Postmaster,
  PRIVATE_SOCKET_DIR,
  removeSocketDir,
} from './postmaster.ts';

/** PostgreSQL's limit. Some are reserved for commands that run beside the server. */
const MAX_CONNECTIONS = 100;
const FOR_COMMANDS = 10;
export const maxEmbeddedConnections = MAX_CONNECTIONS - FOR_COMMANDS;

const PORT = 5432;
const SOCKET_FILE = `.s.PGSQL.${PORT}`;
/** Linux allows 107 bytes, macOS 103. */
const LONGEST_SOCKET_PATH = 103;
const POLL_MS = 10;
const RETRY_MS = 200;
const START_TIMEOUT_MS = 60_000;
const LOG_ROTATION_BYTES = 1024 * 1024;
const ENOUGH_SHM_BYTES = 512 * 1024 * 1024;

/** Errors of a start that conflicts with another start, or with the last processes of a killed server. */
const ANOTHER_IS_THERE =
  /lock file .* (already exists|is empty)|shared memory block .* still in use/;

interface Launch {
  readonly child: ChildProcess;
  readonly socketDir: string;
  readonly logFile: string;
  readonly logStart: number;
  failure?: Error;
}

interface StartOptions {
  readonly prepare: () => Promise<Binaries>;
  readonly settings: Record<string, string>;
  /** The required socket folder, if connections to it already exist. */
  readonly socketDir?: string | undefined;
  /** Aborts the attempt and stops what it started. */
  readonly signal?: AbortSignal | undefined;
  /** Says why it takes long. */
  readonly tell?: ((message: string) => void) | undefined;
}

/** Finds the cluster's running server, or starts it. Returns when it accepts connections. */
export async function findOrStart(
  directory: DataDirectory,
  options: StartOptions,
): Promise<{ postmaster: Postmaster; adopted: boolean }> {
  const deadline = performance.now() + START_TIMEOUT_MS;
  const notice = noticeStopping(directory, options.tell);
  let launch: Launch | undefined;
  for (;;) {
    const postmaster = findPostmaster(directory.cluster);
    notice(postmaster);
    if (postmaster?.ready) {
      const adopted = postmaster.pid !== launch?.child.pid;
      if (adopted && launch) removeSocketDir(launch.socketDir);
      return { postmaster, adopted };
    }
    if (options.signal?.aborted) {
      if (launch) await withdraw(launch);
      throw new StartError('Burgee is stopping');
    }
    if (performance.now() > deadline) throw notReady(directory, launch);
    if (!postmaster && !launch) {
      launch = await start(directory, await options.prepare(), options);
    } else if (!postmaster && launch && hasEnded(launch)) {
      removeSocketDir(launch.socketDir);
      if (!ANOTHER_IS_THERE.test(logOf(launch))) throw couldNotStart(directory, launch);
      launch = undefined;
      await sleep(RETRY_MS);
    }
    await sleep(POLL_MS);
  }
}

/** Whoever starts Burgee again at once does not have to know that the last database is still stopping. */
const TELL_AFTER_MS = 1000;

/**
 * Says that the start waits for a server that is shutting down. One that ran out of space may never end by itself.
 */
function noticeStopping(
  { cluster, dataDir }: DataDirectory,
  tell: ((message: string) => void) | undefined,
): (postmaster: Postmaster | undefined) => void {
  let sinceMs: number | undefined;
  let isTold = false;
  const endStuck = createStuckEnd(cluster, tell);
  return (postmaster) => {
    if (!postmaster?.stopping) {
      sinceMs = undefined;
      return;
    }
    sinceMs ??= performance.now();
    endStuck(postmaster);
    if (isTold || performance.now() - sinceMs < TELL_AFTER_MS) return;
    isTold = true;
    tell?.(
      `Waiting for the PostgreSQL of ${dataDir} (process ${postmaster.pid}), which is shutting down.`,
    );
  };
}

async function withdraw(launch: Launch): Promise<void> {
  launch.child.kill('SIGINT');
  while (!hasEnded(launch)) await sleep(POLL_MS);
  removeSocketDir(launch.socketDir);
}

async function start(
  directory: DataDirectory,
  { bin, env }: Binaries,
  { settings, socketDir: wanted }: StartOptions,
): Promise<Launch> {
  const { socketDir, logFile, logStart, log } = await writingInto(directory.dataDir, async () => {
    const socketDir = makeSocketDir(directory, wanted);
    return { socketDir, ...openLog(directory) };
  });
  clearStaleLocks(directory.cluster, join(socketDir, `${SOCKET_FILE}.lock`));
  const parameters = { ...serverSettings(socketDir), ...settings };
  const args = Object.entries(parameters).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  // Detached, so that Ctrl-C in the terminal reaches only Burgee, which then stops PostgreSQL.
  const child = spawn(join(bin, 'postgres'), ['-D', directory.cluster, ...args], {
    ...directory.account,
    env,
    cwd: '/',
    detached: true,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  child.unref();
  const launch: Launch = { child, socketDir, logFile, logStart };
  child.on('error', (error) => {
    launch.failure = error;
  });
  return launch;
}

function serverSettings(socketDir: string): Record<string, string> {
  return {
    listen_addresses: '',
    port: String(PORT),
    unix_socket_directories: `"${socketDir.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    max_connections: String(MAX_CONNECTIONS),
    shared_buffers: '256MB',
    work_mem: '32MB',
    maintenance_work_mem: '256MB',
    max_wal_size: '2GB',
    // Large enough that a writer does not have to flush buffers, and wait for the disk, while it holds the log's lock.
    // Beside searches the WAL buffers (8 MB) filled up 49 times a second, and 7 of 8 dirty pages were written by
    // backends that needed the buffer.
    wal_buffers: '32MB',
    bgwriter_delay: '20ms',
    bgwriter_lru_maxpages: '1000',
    bgwriter_lru_multiplier: '4',
    random_page_cost: '1.1',
    jit: 'off',
    // In a container that may not use the host's huge pages, even trying them ends in a bus error.
    huge_pages: 'off',
    dynamic_shared_memory_type: sharedMemoryType(),
    // Clients receive the errors of their statements. The log contains only the server's own events.
    log_min_messages: 'log',
    log_checkpoints: 'off',
  };
}

/** Chooses the type of shared memory. Containers get 64 MB of /dev/shm, in which a parallel query fails. */
function sharedMemoryType(): string {
  if (process.platform !== 'linux') return 'posix';
  try {
    const { bavail, bsize } = statfsSync('/dev/shm');
    return bavail * bsize >= ENOUGH_SHM_BYTES ? 'posix' : 'sysv';
  } catch {
    return 'sysv';
  }
}

/** Creates the socket folder. The socket has no password; the mode of the folder protects it. */
function makeSocketDir({ dataDir, account }: DataDirectory, wanted?: string): string {
  const folder = wanted ?? chooseSocketDir(dataDir, account);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  refuseForeignFolder(folder, account);
  chmodSync(folder, 0o700);
  if (account) chownSync(folder, account.uid, account.gid);
  return folder;
}

function chooseSocketDir(dataDir: string, account: Account | undefined): string {
  const folder = join(dataDir, 'socket');
  if (Buffer.byteLength(join(folder, SOCKET_FILE)) <= LONGEST_SOCKET_PATH) return folder;
  const isShort = tmpdir().length < LONGEST_SOCKET_PATH / 2;
  const temporary = isShort && (!account || canReach(account, tmpdir())) ? tmpdir() : '/tmp';
  return mkdtempSync(join(temporary, PRIVATE_SOCKET_DIR));
}

/**
 * Refuses a folder of another account: one below the temporary folder may have been removed and created again by
 * someone else.
 */
function refuseForeignFolder(folder: string, account: Account | undefined): void {
  if (!basename(folder).startsWith(PRIVATE_SOCKET_DIR)) return;
  const entry = lstatSync(folder);
  const isOurs = entry.uid === process.getuid?.() || entry.uid === account?.uid;
  if (entry.isDirectory() && isOurs) return;
  throw new StartError(
    `The folder ${folder} for PostgreSQL's socket belongs to another account. Remove it and start again.`,
  );
}

function openLog({ dataDir, account }: DataDirectory) {
  const logFile = logFileIn(dataDir);
  if (sizeOf(logFile) > LOG_ROTATION_BYTES) renameSync(logFile, `${logFile}.1`);
  const log = openSync(logFile, 'a', 0o600);
  if (account) fchownSync(log, account.uid, account.gid);
  return { logFile, logStart: sizeOf(logFile), log };
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

function hasEnded({ child, failure }: Launch): boolean {
  return failure !== undefined || child.exitCode !== null || child.signalCode !== null;
}

function logOf({ logFile, logStart }: Launch): string {
  try {
    return readFileSync(logFile).subarray(logStart).toString('utf8');
  } catch {
    return '';
  }
}

function couldNotStart(directory: DataDirectory, launch: Launch): StartError {
  const output = logOf(launch);
  if (isDiskFull(directory.dataDir, output)) return diskFull(directory.dataDir);
  return new StartError(
    `PostgreSQL could not start on ${directory.cluster}:\n${launch.failure?.message ?? lastLines(output)}`,
  );
}

function notReady(directory: DataDirectory, launch: Launch | undefined): StartError {
  return new StartError(
    `PostgreSQL on ${directory.cluster} is not ready after ${START_TIMEOUT_MS / 1000} seconds. ` +
      'If it is recovering from a crash, it continues to do so: start Burgee again later.' +
      (launch ? `\n${lastLines(logOf(launch))}` : ''),
  );
}

function lastLines(output: string): string {
  return output.trim().split('\n').slice(-12).join('\n');
}
