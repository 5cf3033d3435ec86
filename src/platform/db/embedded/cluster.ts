import { type ExecFileException, execFile } from 'node:child_process';
import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { chmod, chown, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { StartError } from '../../start-error.ts';
import { type Account, unprivilegedAccount } from './account.ts';
import type { Binaries } from './binaries.ts';
import type { DataDirectory } from './data-directory.ts';
import { diskFull, isDiskFull, writingInto } from './failure.ts';
import { completeFolder, workFolder } from './unfinished.ts';

export const SUPERUSER = 'burgee';

/** The locale with the letters of all scripts. Without it, trigrams exist for ASCII only. */
const LETTERS = process.platform === 'darwin' ? 'UTF-8' : 'C.UTF-8';

/**
 * Returns whether the folder contains a cluster of the installed version. Refuses another version's without changing
 * it.
 */
export function hasCluster({ dataDir, cluster }: DataDirectory, installed: string): boolean {
  const written = versionOf(cluster);
  if (written === undefined) {
    if (!existsSync(workFolder(dataDir))) return false;
    // Creating a new database now would hide the old one.
    throw new StartError(
      `An upgrade of the database in ${dataDir} was interrupted. Run \`npx burgee upgrade\` to complete it.`,
    );
  }
  if (written === installed) return true;
  const what = `The data in ${cluster} was written by PostgreSQL ${written}, but this version of Burgee includes PostgreSQL ${installed}, which cannot read it. `;
  throw new StartError(
    Number(written) < Number(installed)
      ? `${what}Run \`npx burgee upgrade\` to convert it; the old folder is kept. Nothing was changed.`
      : `${what}Use the newer Burgee that wrote it, or restore a backup with another DATA_DIR. Nothing was changed.`,
  );
}

/** The major version of PostgreSQL that wrote a cluster, if there is one. */
export function versionOf(cluster: string): string | undefined {
  const file = versionFile(cluster);
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
}

export async function createCluster(
  directory: DataDirectory,
  binaries: Binaries,
  durable: boolean,
): Promise<void> {
  const { cluster, account } = directory;
  const isWhole = () => existsSync(versionFile(cluster));
  if (existsSync(cluster) && (await readdir(cluster)).length > 0 && !isWhole()) {
    throw notACluster(cluster);
  }
  await writingInto(directory.dataDir, () =>
    completeFolder(cluster, isWhole, async (folder) => {
      // initdb needs an account with a name, which a bare user id lacks. The group stays, because it may be what gives
      // PostgreSQL access to the folder.
      const maker = account && { uid: unprivilegedAccount().uid, gid: account.gid };
      if (maker) await chown(folder, maker.uid, maker.gid);
      await initdb(folder, directory, { ...binaries, maker, durable });
      if (maker && account) await giveTo(folder, account, maker.uid);
    }),
  );
}

/**
 * Fixes owner and mode of a cluster restored from a backup. PostgreSQL refuses one that belongs to root or is open to
 * others.
 */
export async function makeAcceptable({ cluster, account }: DataDirectory): Promise<void> {
  if (account) await giveTo(cluster, account, 0);
  await chmod(cluster, 0o700);
}

/** Changes the owner of files that belong to one account, and of no others. */
async function giveTo(path: string, account: Account, owner: number): Promise<void> {
  const entry = lstatSync(path);
  if (entry.uid !== owner) return;
  if (entry.isDirectory()) {
    for (const name of await readdir(path)) await giveTo(join(path, name), account, owner);
  }
  if (!entry.isSymbolicLink()) await chown(path, account.uid, account.gid);
}

interface ClusterOptions extends Binaries {
  readonly maker: Account | undefined;
  readonly durable: boolean;
}

async function initdb(
  folder: string,
  directory: DataDirectory,
  { bin, env, maker, durable }: ClusterOptions,
) {
  const args = [
    `--pgdata=${folder}`,
    `--username=${SUPERUSER}`,
    '--auth=trust',
    '--encoding=UTF8',
    '--locale=C',
    `--lc-ctype=${LETTERS}`,
    '--no-instructions',
    '--set=timezone=UTC',
    '--set=log_timezone=UTC',
    ...syncing(durable),
  ];
  const options = { ...maker, env, cwd: '/' };
  const failure = await new Promise<string | undefined>((done) => {
    execFile(join(bin, 'initdb'), args, options, (error, stdout, stderr) => {
      done(error ? lastLines(stdout + stderr, error) : undefined);
    });
  });
  if (failure === undefined) return;
  if (isDiskFull(directory.dataDir, failure)) throw diskFull(directory.dataDir);
  throw new StartError(`The database in ${directory.dataDir} could not be created:\n${failure}`);
}

/** Returns how initdb syncs the 1,000 new files: in one call, because a call for each takes seconds on a busy disk. */
function syncing(durable: boolean): string[] {
  if (!durable) return ['--no-sync'];
  return process.platform === 'linux' ? ['--sync-method=syncfs'] : [];
}

function lastLines(output: string, error: ExecFileException): string {
  return output.trim().split('\n').slice(-12).join('\n') || error.message;
}

function notACluster(folder: string): StartError {
  return new StartError(
    `${folder} exists but contains no database. Move it, or set DATA_DIR to another folder.`,
  );
}

function versionFile(cluster: string): string {
  return join(cluster, 'PG_VERSION');
}
