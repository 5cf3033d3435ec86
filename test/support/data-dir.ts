import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { startEmbedded } from '../../src/platform/db/embedded/index.ts';

/** A folder for an embedded database of its own; what still runs in it ends with the test. */
export function dataDir(): string {
  const folder = mkdtempSync(join(tmpdir(), 'burgee-server-'));
  onTestFinished(async () => {
    // The server was killed with the test, its database was not: take it over, and stop it.
    await delay(100);
    const left = await startEmbedded({ dataDir: folder, exclusive: true, log: () => undefined });
    await left.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}
