import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { stopPostmaster } from '../../src/platform/db/embedded/postmaster.ts';
import { fastFolder } from './fast-folder.ts';

/** A folder for an embedded database. Processes that still use it end with the test. */
export function dataDir(): string {
  const folder = mkdtempSync(join(fastFolder(), 'burgee-server-'));
  onTestFinished(async () => {
    // The server was killed with the test, but its database was not.
    await stopPostmaster(join(folder, 'postgres'), 60_000);
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}
