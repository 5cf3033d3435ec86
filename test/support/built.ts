import { execFile } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const root = resolve(import.meta.dirname, '../..');

/** Only their own files: their folders contain what is built, and packages. */
const folders = new Set(['.', 'web']);

const newestIn = (folder: string): number =>
  readdirSync(join(root, folder), { recursive: !folders.has(folder), withFileTypes: true })
    .filter((file) => file.isFile() && !/\.(test|proof)\.ts$/.test(file.name))
    .reduce(
      (latest, file) => Math.max(latest, statSync(join(file.parentPath, file.name)).mtimeMs),
      0,
    );

/** Runs a script where its result is missing or older than its sources. */
async function build(script: string, result: string, sources: readonly string[]): Promise<void> {
  const built = join(root, result);
  if (existsSync(built) && statSync(built).mtimeMs >= Math.max(...sources.map(newestIn))) return;
  await promisify(execFile)(process.execPath, [join(root, script)]);
}

/** Tests of the command line run what is built; built once, they cannot race for it. */
export const buildCommandLine = (): Promise<void> =>
  build('build.js', 'dist/cli/index.js', ['src', '.']);

/** The page contains parts of the server, such as the contracts. */
export const buildPage = (): Promise<void> =>
  build('web/build.js', 'web/dist/index.html', ['src', 'web/src', 'web/public', 'web']);
