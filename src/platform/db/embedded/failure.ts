import { closeSync, fstatSync, openSync, readSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from '../../start-error.ts';

const NEARLY_NOTHING_BYTES = 1024 * 1024;

export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** Creates the error for a full disk, with the system's code, so that callers need not parse the message. */
export function diskFull(folder: string): StartError {
  const error = new StartError(
    `The disk with ${folder} is full. Free some space and start again; stored data isn't affected.`,
  );
  return Object.assign(error, { code: 'ENOSPC' });
}

/** Checks the output and the disk: on a full disk PostgreSQL cannot always write its log. */
export function isDiskFull(folder: string, output: string): boolean {
  if (/no space left on device|disk quota exceeded/i.test(output)) return true;
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize < NEARLY_NOTHING_BYTES;
  } catch {
    return false;
  }
}

/** PostgreSQL's log of a data folder. */
export const logFileIn = (dataDir: string): string => join(dataDir, 'postgres.log');

const TAIL_BYTES = 8 * 1024;

/** The end of a text file; empty if there is none. */
function tailOf(file: string): string {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, 'r');
    const { size } = fstatSync(descriptor);
    const block = Buffer.alloc(Math.min(size, TAIL_BYTES));
    readSync(descriptor, block, 0, block.length, size - block.length);
    return block.toString('utf8');
  } catch {
    return '';
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/**
 * Whether PostgreSQL ran out of space. Its log says so, even if the file that did not fit is gone and there is some space
 * again.
 */
export const ranOutOfSpace = (dataDir: string): boolean =>
  isDiskFull(dataDir, tailOf(logFileIn(dataDir)));

/** Runs work that writes into the folder, and turns disk errors into readable messages. */
export async function writingInto<T>(folder: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    throw inWords(error, folder);
  }
}

function inWords(error: unknown, folder: string): unknown {
  const code = errorCode(error);
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return diskFull(folder);
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new StartError(
        `Burgee cannot write to its data folder ${folder} (${code}). Make it writable for this account, or set DATA_DIR to another folder.`,
      );
    case 'ENOTDIR':
    case 'EEXIST':
      return new StartError(
        `The data folder ${folder} cannot be created: a file with this path exists. Set DATA_DIR to another folder.`,
      );
    case 'ENOENT':
    case 'EINVAL':
    case 'ENOTSUP':
      return new StartError(
        `The data folder ${folder} cannot contain files (${code}). Set DATA_DIR to a folder on a disk.`,
      );
    default:
      return error;
  }
}
