import { writeFileSync } from 'node:fs';
import { StartError } from '../platform/start-error.ts';

/** Writes the output of a command to a file that the operator named. */
export function writeText(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new StartError(`Couldn't write ${file} (${(error as NodeJS.ErrnoException).code})`);
  }
}
