import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

const MARK = '.new-';
const ABANDONED_AFTER_MS = 60 * 60 * 1000;

/** The folder in which an upgrade prepares a new cluster. It is gone when the upgrade is complete. */
export const workFolder = (dataDir: string): string => join(dataDir, 'upgrade');

/**
 * Creates a folder under a temporary name and renames it, so that it is complete even after a power cut. If two
 * processes create the same folder, the first one wins and both use it.
 */
export async function completeFolder(
  target: string,
  isWhole: () => boolean,
  fill: (folder: string) => Promise<void>,
): Promise<void> {
  await removeAbandoned(target);
  const unfinished = target + MARK + randomBytes(6).toString('hex');
  try {
    await mkdir(unfinished, { mode: 0o700 });
    await fill(unfinished);
    await rename(unfinished, target);
  } catch (error) {
    if (!isWhole()) throw error;
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

async function removeAbandoned(target: string): Promise<void> {
  const folder = dirname(target);
  for (const name of await readdir(folder)) {
    if (!name.startsWith(basename(target) + MARK)) continue;
    const path = join(folder, name);
    const made = await stat(path).catch(() => undefined);
    if (made && Date.now() - made.mtimeMs > ABANDONED_AFTER_MS) {
      await rm(path, { recursive: true, force: true });
    }
  }
}
