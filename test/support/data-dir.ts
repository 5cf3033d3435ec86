import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { fastFolder } from './fast-folder.ts';

const isThere = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** Ends the database that runs in a folder, if one does: whoever started it may have been killed. */
async function endDatabase(folder: string): Promise<void> {
  let pid: number;
  try {
    pid = Number(readFileSync(join(folder, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
  } catch {
    return;
  }
  if (isThere(pid)) process.kill(pid, 'SIGQUIT');
  while (isThere(pid)) await delay(10);
}

/** A folder for an embedded database of its own; what still runs in it ends with the test. */
export function dataDir(): string {
  const folder = mkdtempSync(join(fastFolder(), 'burgee-server-'));
  onTestFinished(async () => {
    await endDatabase(folder);
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}
