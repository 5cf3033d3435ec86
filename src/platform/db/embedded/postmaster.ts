import { execFileSync } from 'node:child_process';
import {
  linkSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  statSync,
  unlinkSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ranOutOfSpace } from './failure.ts';

/** PostgreSQL's running main process, as described by its postmaster.pid. */
export interface Postmaster {
  readonly pid: number;
  /** In seconds since 1970. It tells a reused process id from the original. */
  readonly startedAt: number;
  readonly port: number;
  readonly socketDir: string;
  readonly ready: boolean;
  readonly stopping: boolean;
}

export const PRIVATE_SOCKET_DIR = 'burgee-socket-';

const EMPTY_LOCK_IS_STALE_AFTER_MS = 10_000;
const POLL_MS = 10;

export function findPostmaster(cluster: string): Postmaster | undefined {
  const lines = readText(pidFile(cluster))?.split('\n') ?? [];
  const pid = Number(lines[0]);
  if (!pid || !isPostmaster(pid, cluster)) return undefined;
  return {
    pid,
    startedAt: Number(lines[2]),
    port: Number(lines[3]),
    socketDir: lines[4]?.trim() ?? '',
    ready: lines[7]?.trim() === 'ready',
    stopping: lines[7]?.trim() === 'stopping',
  };
}

/**
 * Removes lock files of ended processes. PostgreSQL refuses to start while any process has the id in a lock file. After a reboot,
 * and always in containers, another program soon has that id.
 */
export function clearStaleLocks(cluster: string, socketLock: string): void {
  for (const file of [pidFile(cluster), socketLock]) {
    const text = readText(file);
    if (text !== undefined && isStale(file, text, cluster)) takeAway(file, text);
  }
}

const isSame = (one: Postmaster, other: Postmaster): boolean =>
  one.pid === other.pid && one.startedAt === other.startedAt;

/**
 * Stops PostgreSQL by fast shutdown: clients are disconnected, and commits are kept. Waits for the process to end. If a
 * postmaster is given, no other one is stopped: a successor may have started its own on the folder.
 */
export async function stopPostmaster(
  cluster: string,
  timeoutMs: number,
  only?: Postmaster,
  tell?: (message: string) => void,
): Promise<boolean> {
  const running = findPostmaster(cluster);
  if (!running || (only && !isSame(running, only))) return true;
  signal(running.pid, 'SIGINT');
  const deadline = performance.now() + timeoutMs;
  const endStuck = createStuckEnd(cluster, tell);
  while (isPostmaster(running.pid, cluster)) {
    endStuck(running);
    if (performance.now() > deadline) return false;
    await sleep(POLL_MS);
  }
  removeSocketDir(running.socketDir);
  return true;
}

/** A shutdown that takes longer after the disk was full does not end by itself. */
const STUCK_AFTER_MS = 3000;
const LOOK_MS = 250;

/**
 * Returns a function to call while waiting for a shutdown. PostgreSQL that is told to shut down while it restarts after it
 * ran out of space waits for ever (18.4). It is then ended as by a crash: commits are in its log, and the next start
 * recovers them.
 */
export function createStuckEnd(
  cluster: string,
  tell: ((message: string) => void) | undefined,
): (postmaster: Pick<Postmaster, 'pid'>) => void {
  const beganMs = performance.now();
  let lookedMs = beganMs;
  let isEnded = false;
  return ({ pid }) => {
    const nowMs = performance.now();
    if (isEnded || nowMs - beganMs < STUCK_AFTER_MS || nowMs - lookedMs < LOOK_MS) return;
    lookedMs = nowMs;
    if (!ranOutOfSpace(dirname(cluster))) return;
    isEnded = true;
    tell?.(
      `PostgreSQL (process ${pid}) ran out of space on the disk with ${cluster} and doesn't shut down. Stopping it immediately; stored data isn't affected.`,
    );
    signal(pid, 'SIGQUIT');
  };
}

export function removeSocketDir(folder: string): void {
  if (!basename(folder).startsWith(PRIVATE_SOCKET_DIR)) return;
  try {
    rmdirSync(folder);
  } catch {
    // The folder is empty after a clean stop. Otherwise it is in use, and its next user removes it.
  }
}

function pidFile(cluster: string): string {
  return join(cluster, 'postmaster.pid');
}

function isStale(file: string, text: string, cluster: string): boolean {
  const pid = Math.abs(Number(text.split('\n')[0]));
  if (!pid) {
    const writtenAt = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    return Date.now() - writtenAt > EMPTY_LOCK_IS_STALE_AFTER_MS;
  }
  return signal(pid, 0) && !isPostmaster(pid, cluster);
}

/** Removes a lock file by renaming it first. If another start replaced it after it was read, the lock is restored. */
function takeAway(file: string, judged: string): void {
  const aside = `${file}.${process.pid}`;
  try {
    renameSync(file, aside);
    if (readText(aside) !== judged) linkSync(aside, file);
    unlinkSync(aside);
  } catch {
    // Another start removed it at the same moment.
  }
}

function isPostmaster(pid: number, cluster: string): boolean {
  if (process.platform !== 'linux') {
    return signal(pid, 0) && commandOf(pid).includes(cluster);
  }
  // A postmaster's working directory is its data folder, even after a rename. Root without all capabilities may not
  // read it, and a zombie process has none.
  try {
    if (readlinkSync(`/proc/${pid}/cwd`) === cluster) return true;
  } catch {}
  return readText(`/proc/${pid}/cmdline`)?.split('\0').includes(cluster) ?? false;
}

function commandOf(pid: number): string {
  try {
    return execFileSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
  } catch {
    return '';
  }
}

function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
