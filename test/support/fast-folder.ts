import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

/** Memory if there is a gigabyte of it: copying a database takes 15 ms there and 300 ms on disk. */
export function fastFolder(): string {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm');
    if (bavail * bsize > 2 ** 30) return '/dev/shm';
  } catch {
    // Not Linux, or no such mount: use the ordinary folder.
  }
  return tmpdir();
}
