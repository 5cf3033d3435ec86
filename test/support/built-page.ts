import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

const web = resolve(import.meta.dirname, '../../web');

const newest = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .reduce(
      (latest, file) => Math.max(latest, statSync(join(file.parentPath, file.name)).mtimeMs),
      0,
    );

/** Builds the UI if it is missing or older than its sources. */
export function buildPage(): void {
  const page = join(web, 'dist', 'index.html');
  if (existsSync(page) && statSync(page).mtimeMs >= newest(join(web, 'src'))) return;
  const { status, stderr } = spawnSync(process.execPath, [join(web, 'build.js')], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`The page could not be built: ${stderr}`);
}
