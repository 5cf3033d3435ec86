import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

/** Memory where there is a gigabyte of it: a copied database takes 15 ms there, 300 ms on disk. */
export function fastFolder(): string {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm');
    if (bavail * bsize > 2 ** 30) return '/dev/shm';
  } catch {
    // Not Linux, or no such mount: the ordinary place will do.
  }
  return tmpdir();
}
