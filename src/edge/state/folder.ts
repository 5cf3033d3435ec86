import { constants } from 'node:fs';
import { chmod, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '../../platform/log.ts';
import { makeFolder } from '../../platform/make-folder.ts';
import { StartError } from '../../platform/start-error.ts';
import type { StateStore, StoredName } from './state.ts';

const ownerOnly = 0o600;

const fileOf = (name: StoredName): string => `burgee-edge-${name}.json`;

/** Writes a file beside, flushes it, and moves it into place: a reader finds the old one or the new one, whole. */
async function replaceFile(folder: string, name: StoredName, text: string): Promise<void> {
  const path = join(folder, fileOf(name));
  const fresh = `${path}.new`;
  // What an interrupted write left is replaced; it may belong to another account.
  await rm(fresh, { force: true });
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
  const file = await open(fresh, flags, ownerOnly);
  try {
    await file.writeFile(text);
    await file.sync();
  } catch (error) {
    await file.close();
    await rm(fresh, { force: true });
    throw error;
  }
  await file.close();
  await rename(fresh, path);
  // The name itself is durable once its folder is flushed.
  const parent = await open(folder, constants.O_RDONLY);
  await parent.sync().finally(() => parent.close());
}

/** An edge serves without its folder, so it starts all the same. */
async function warnIfUnwritable(folder: string, log: Pick<Logger, 'warn'>): Promise<void> {
  const file = join(folder, 'burgee-edge-probe');
  try {
    await writeFile(file, '', { mode: ownerOnly });
    await rm(file);
  } catch (error) {
    log.warn(
      { err: error },
      `BACKUP_FOLDER: ${folder} cannot be written: a restart while the upstream is unavailable loses features and unsent usage`,
    );
  }
}

/** The last state in a folder that only its owner can read. */
export async function openFolder(folder: string, log: Pick<Logger, 'warn'>): Promise<StateStore> {
  try {
    await makeFolder(folder, 0o700);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StartError(`BACKUP_FOLDER: ${folder} cannot be created (${code})`);
  }
  await warnIfUnwritable(folder, log);
  return {
    keepsUsage: true,
    async read(name) {
      const path = join(folder, fileOf(name));
      try {
        const text = await readFile(path, 'utf8');
        // A file that was copied here may be readable by others.
        await chmod(path, ownerOnly).catch(() => undefined);
        return text;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
        throw error;
      }
    },
    write: async (name, textFrom) => replaceFile(folder, name, textFrom()),
  };
}
