import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Result } from '../experiment.ts';
import { residentMb, startBurgee } from '../process.ts';

/** Returns a folder that PostgreSQL's account can reach, if the bench runs as root. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'burgee-bench-'));
  chmodSync(folder, 0o755);
  return folder;
}

/** V8 gives back what the start needed when nothing has happened for a while. */
const idleMs = 60_000;

/** Measures the first start until its first response, and a second start with the database in place. */
export async function measureStarts(): Promise<Result[]> {
  const folder = temporaryFolder();
  try {
    const first = await startBurgee(folder);
    await first.stop();
    const later = await startBurgee(folder);
    await sleep(idleMs);
    const idleMb = residentMb(later.pid);
    await later.stop();
    return [
      {
        name: 'start: first, creates the database',
        target: '< 3 s',
        met: first.startMs < 3_000,
        ours: { maxMs: first.startMs },
      },
      {
        name: 'start: existing database, empty log',
        target: '< 1 s',
        met: later.startMs < 1_000,
        ours: { maxMs: later.startMs },
      },
      {
        name: 'memory: after a minute without requests',
        target: '≤ 130 MB',
        ...(idleMb !== undefined && { met: idleMb <= 130 }),
        ours: { ...(idleMb !== undefined && { megabytes: idleMb }) },
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
