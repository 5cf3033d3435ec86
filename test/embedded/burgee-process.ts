import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Account } from '../../src/platform/db/embedded/account.ts';
import type { EmbeddedPostgres } from '../../src/platform/db/embedded/index.ts';
import { type Installation, nodeFor } from './installation.ts';

export interface BurgeeProcess {
  readonly pid: number;
  readonly started: Omit<EmbeddedPostgres, 'stop'> & { notes: string[] };
  /** From the start of the process to the result of its first query. */
  readonly firstAnswerMs: number;
  query(sql: string): Promise<Record<string, unknown>[]>;
  /** The exit code and the output of a process that ends because its database is lost. */
  gone(): Promise<{ message: string; code: number | null }>;
  /** Sends `stop` and waits for the end of the process. */
  stop(): Promise<void>;
  /** Ends the input without `stop`, as a process does that forgets to stop its database. */
  abandon(): Promise<void>;
  kill(): Promise<void>;
}

interface Launch {
  readonly dataDir: string;
  readonly exclusive?: boolean;
  readonly settings?: Record<string, string>;
  readonly pausesMs?: readonly number[];
  readonly account?: Account | undefined;
  readonly env?: NodeJS.ProcessEnv;
}

const FAST: Record<string, string> = { fsync: 'off' };

const children = new Set<ChildProcess>();

/** Kills all processes, including those that are still starting. */
export function killAll(): void {
  for (const child of children) child.kill('SIGKILL');
  children.clear();
}

/** Rejects with the message for the operator if Burgee does not start. */
export async function launch(installation: Installation, options: Launch): Promise<BurgeeProcess> {
  const { dataDir, exclusive = true, settings = FAST, pausesMs, account, env } = options;
  const begin = performance.now();
  const child = spawn(
    nodeFor(account, installation.root),
    [installation.driver, JSON.stringify({ dataDir, exclusive, settings, pausesMs })],
    {
      ...account,
      cwd: '/',
      env: { ...process.env, ...env },
      stdio: ['pipe', 'pipe', 'inherit'],
      detached: true,
    },
  );
  children.add(child);
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const answer = async () => {
    const { value } = await answers.next();
    if (value === undefined) throw new Error('The process ended without a word');
    return JSON.parse(value);
  };
  const started = await answer();
  const firstAnswerMs = performance.now() - begin;
  if (started.refused) throw new Error(started.refused);
  return {
    pid: child.pid ?? 0,
    started,
    firstAnswerMs,
    async query(sql) {
      child.stdin.write(`${sql.replaceAll('\n', ' ')}\n`);
      const rows = await answer();
      if (rows.failed) throw new Error(rows.failed);
      return rows;
    },
    async gone() {
      const { gone } = await answer();
      await ended(child);
      return { message: gone, code: child.exitCode };
    },
    async stop() {
      child.stdin.end('stop\n');
      await ended(child);
    },
    async abandon() {
      child.stdin.end();
      await ended(child);
    },
    async kill() {
      child.kill('SIGKILL');
      await ended(child);
    },
  };
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}
