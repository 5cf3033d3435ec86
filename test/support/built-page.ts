import { execFile } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const root = resolve(import.meta.dirname, '../..');
const web = join(root, 'web');

/** The page contains parts of the server, such as the contracts. */
const sources = ['src', 'web/src', 'web/public', 'web'];

const newestIn = (folder: string): number =>
  readdirSync(join(root, folder), { recursive: folder !== 'web', withFileTypes: true })
    .filter((file) => file.isFile() && !/\.(test|proof)\.ts$/.test(file.name))
    .reduce(
      (latest, file) => Math.max(latest, statSync(join(file.parentPath, file.name)).mtimeMs),
      0,
    );

/** Builds the page where it is missing or older than its sources. */
export async function buildPage(): Promise<void> {
  const page = join(web, 'dist', 'index.html');
  if (existsSync(page) && statSync(page).mtimeMs >= Math.max(...sources.map(newestIn))) return;
  await promisify(execFile)(process.execPath, [join(web, 'build.js')]);
}
