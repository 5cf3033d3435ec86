import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** The flags of `npm start`. */
const flags = ['--max-semi-space-size=4', '--max-old-space-size=1024'];

export const executable = fileURLToPath(new URL('../bin/burgee.js', import.meta.url));
const startTimeoutMs = 120_000;
const pollMs = 5;

export const adminToken = '*:*.bench';

export interface RunningServer {
  readonly url: string;
  readonly pid: number;
  /** From the start of the process to its first response. */
  readonly startMs: number;
  readonly stop: () => Promise<void>;
  /** Kills the process without any cleanup. */
  readonly kill: () => Promise<void>;
}

/** Builds Burgee if needed, so that a start is measured without the compiler. */
export function buildBurgee(): void {
  const { status } = spawnSync(process.execPath, [executable, 'help'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error('Burgee does not build');
}

export const freePort = () =>
  new Promise<number>((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });

async function firstAnswer(url: string, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + startTimeoutMs;
  while (Date.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`Burgee ended with ${child.exitCode}`);
    const answer = await fetch(`${url}/ready`).catch(() => undefined);
    await answer?.arrayBuffer();
    if (answer?.ok) return;
    await sleep(pollMs);
  }
  throw new Error(`no answer within ${startTimeoutMs / 1000} s`);
}

/**
 * Starts Burgee as users run it: in a separate process, with the embedded database in `dataDir` unless the settings name
 * another one.
 */
export async function startBurgee(
  dataDir: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<RunningServer> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  // Vitest sets BASE_URL to the path of its own pages, which is not a server's URL.
  const { DATABASE_URL: _database, BASE_URL: _address, ...environment } = process.env;
  const began = performance.now();
  const child = spawn(process.execPath, [...flags, executable, 'serve'], {
    env: {
      ...environment,
      DATA_DIR: dataDir,
      HOST: '127.0.0.1',
      PORT: String(port),
      LOG_LEVEL: 'warn',
      INIT_ADMIN_API_TOKENS: adminToken,
      ...settings,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  // Stops the server if the bench is interrupted.
  const takeAlong = () => child.kill('SIGTERM');
  process.once('exit', takeAlong);
  const ended = new Promise<void>((resolve) =>
    child.once('exit', () => {
      process.off('exit', takeAlong);
      resolve();
    }),
  );
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
  };
  const kill = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  try {
    await firstAnswer(url, child);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, pid: child.pid ?? 0, startMs: performance.now() - began, stop, kill };
}

/** Clock ticks in a second, on every Linux that Node runs on. */
const ticksPerSecond = 100;

/** Returns the CPU time that a process has used, in seconds; undefined without /proc. */
export function cpuSeconds(pid: number): number | undefined {
  try {
    // The name of the program may contain blanks.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
  } catch {
    return undefined;
  }
}

/** Returns the resident memory of a process in MB; undefined without /proc. */
export function residentMb(pid: number): number | undefined {
  try {
    const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
  } catch {
    return undefined;
  }
}
