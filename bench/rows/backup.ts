import { spawn } from 'node:child_process';
import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Result } from '../experiment.ts';
import { executable } from '../process.ts';
import { temporaryFolder } from './starts.ts';

const targetSeconds = { backup: 120, restore: 300 } as const;
const targetMb = 300;
const watchMs = 50;

/** The most memory that a process has had so far. */
function peakMb(pid: number | undefined): number {
  try {
    const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kilobytes ?? 0) / 1024;
  } catch {
    return 0;
  }
}

/** Runs a command as an operator does. */
async function measure(
  name: keyof typeof targetSeconds,
  file: string,
  dataDir: string,
): Promise<Result[]> {
  const began = performance.now();
  const { DATABASE_URL: _, ...environment } = process.env;
  const child = spawn(process.execPath, [executable, name, file], {
    env: { ...environment, DATA_DIR: dataDir, LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  let most = 0;
  const watching = setInterval(() => {
    most = Math.max(most, peakMb(child.pid));
  }, watchMs);
  const code = await new Promise((resolve) => child.once('exit', resolve));
  clearInterval(watching);
  if (code !== 0) throw new Error(`burgee ${name} ended with ${code}`);
  const ms = performance.now() - began;
  return [
    {
      name: `${name}: the whole log, verified`,
      target: `< ${targetSeconds[name]} s`,
      met: ms < targetSeconds[name] * 1000,
      ours: { maxMs: ms, note: `${Math.round(statSync(file).size / 1e6)} MB` },
    },
    {
      name: `${name}: peak memory`,
      target: `< ${targetMb} MB`,
      ...(most > 0 && { met: most < targetMb }),
      ours: { ...(most > 0 && { megabytes: most }) },
    },
  ];
}

/** A backup of the log, and its restore into an empty folder. No server runs. */
export async function measureBackup(dataDir: string): Promise<Result[]> {
  const folder = temporaryFolder();
  try {
    const file = join(folder, 'log.backup');
    const written = await measure('backup', file, dataDir);
    const restored = await measure('restore', file, join(folder, 'restored'));
    return [...written, ...restored];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
