#!/usr/bin/env node
import { spawnSync } from 'node:child_process';
// Builds what is not built, then runs the command line. Plain JavaScript: it runs before any build.
import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const entry = join(root, 'dist', 'cli', 'index.js');

/** What goes into the bundle: the sources, and which packages, and how. */
const newest = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile() && !/\.test\.tsx?$/.test(file.name))
    .map((file) => join(file.parentPath, file.name))
    .concat(['package.json', 'package-lock.json', 'build.js'].map((file) => join(root, file)))
    .reduce((latest, file) => Math.max(latest, statSync(file).mtimeMs), 0);

/** A published package has no sources; a checkout is built again when a source is newer. */
const isBuilt = () => {
  const sources = join(root, 'src');
  if (!existsSync(sources)) return true;
  return existsSync(entry) && statSync(entry).mtimeMs >= newest(sources);
};

/** Without the development packages the UI can't be built: the server runs, and explains at `/` how to get it. */
function buildPage() {
  const web = join(root, 'web');
  const page = join(web, 'dist', 'index.html');
  if (!existsSync(join(web, 'src')) || !existsSync(join(root, 'node_modules', 'vite'))) return;
  const sources = ['index.html', 'sign-in.html', 'vite.config.ts', 'build.js'];
  const changed = [
    newest(join(web, 'src')),
    ...sources.map((file) => statSync(join(web, file)).mtimeMs),
  ];
  if (existsSync(page) && statSync(page).mtimeMs >= Math.max(...changed)) return;
  // Standard output has only the log.
  process.stderr.write('Building the UI. This takes about ten seconds and happens only once.\n');
  const { status } = spawnSync(process.execPath, [join(web, 'build.js')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) process.stderr.write("Couldn't build the UI. The API works without it.\n");
}

const hasCompiler = existsSync(join(root, 'node_modules', 'esbuild'));

/** What cannot be built anew is run as it is, and says so. */
const mayBuild = () => {
  if (!hasCompiler) {
    if (!existsSync(entry)) {
      process.stderr.write(
        'Burgee has to be built, and the packages for it are not installed: run npm ci.\n',
      );
      process.exit(1);
    }
    process.stderr.write(
      'dist/ is older than the sources, and the packages to build it are not installed: it is run as it is.\n',
    );
    return false;
  }
  if (!existsSync(entry)) return true;
  try {
    accessSync(root, constants.W_OK);
    return true;
  } catch (error) {
    process.stderr.write(
      `dist/ is older than the sources, and ${root} cannot be written (${error.code}): it is run as it is.\n`,
    );
    return false;
  }
};

if (!isBuilt() && mayBuild()) await import('../build.js');
if (process.argv[2] === 'serve') buildPage();

await import(new URL('../dist/cli/index.js', import.meta.url).href);
