import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Makes a folder and its missing parents. The uppermost missing one comes first: where /proc refuses it, a recursive
 * mkdir of Node never returns.
 */
export async function makeFolder(folder: string, mode?: number): Promise<void> {
  await makeFirstFolder(folder, mode);
  await mkdir(folder, { recursive: true, mode });
}

async function makeFirstFolder(folder: string, mode: number | undefined): Promise<void> {
  const parent = dirname(folder);
  if (!existsSync(parent)) return makeFirstFolder(parent, mode);
  try {
    await mkdir(folder, { mode });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
