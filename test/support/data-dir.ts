import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { stopPostmaster } from '../../src/platform/db/embedded/postmaster.ts';
import { fastFolder } from './fast-folder.ts';

/** A folder for an embedded database of its own; what still runs in it ends with the test. */
export function dataDir(): string {
  const folder = mkdtempSync(join(fastFolder(), 'burgee-server-'));
  onTestFinished(async () => {
    // The server was killed with the test, its database was not.
    await stopPostmaster(join(folder, 'postgres'), 60_000);
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}
