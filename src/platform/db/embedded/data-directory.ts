import { createHash } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { chmod, chown, readdir, realpath } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { makeFolder } from '../../make-folder.ts';
import { StartError } from '../../start-error.ts';
import { type Account, canReach, ownAccount, runsAsRoot } from './account.ts';
import { errorCode, writingInto } from './failure.ts';
import { workFolder } from './unfinished.ts';

export interface DataDirectory {
  /** The folder in use, with symbolic links resolved. */
  readonly dataDir: string;
  readonly cluster: string;
  readonly account: Account | undefined;
}

const ROOTS_DATA = '/var/lib/burgee';

/** Root's data is here if PostgreSQL's account cannot reach the requested folder. */
const movedFrom = (wanted: string): string =>
  join(ROOTS_DATA, createHash('sha256').update(wanted).digest('hex').slice(0, 12));

/**
 * Returns whether a start would create a database for this folder, without creating anything. A folder with something
 * else in it, or that cannot be read, is for the start to refuse.
 */
export async function isUnused(requested: string): Promise<boolean> {
  const folder = resolve(requested);
  const wanted = await realpath(folder).catch(() => folder);
  for (const home of [wanted, movedFrom(wanted)]) {
    if (existsSync(workFolder(home))) return false;
    const found = await readdir(clusterIn(home)).catch(errorCode);
    if (found === 'ENOENT') continue;
    if (typeof found === 'string' || found === undefined || found.length > 0) return false;
  }
  return true;
}

/** Chooses the folder and the account of PostgreSQL. */
export async function chooseDataDirectory(
  requested: string,
  log: (message: string) => void,
): Promise<DataDirectory> {
  const wanted = await makeDataFolder(resolve(requested));
  const moved = movedFrom(wanted);
  const home = [wanted, moved].find((folder) => existsSync(clusterIn(folder)));

  if (!runsAsRoot) {
    refuseForeign(home, wanted);
    return { dataDir: wanted, cluster: clusterIn(wanted), account: undefined };
  }

  const account = ownerOf(home) ?? (await ownAccount(wanted));
  await letPass(account, wanted);
  const dataDir = home ?? (canReach(account, wanted) ? wanted : await makeDataFolder(moved));
  if (!canReach(account, dataDir)) {
    throw new StartError(
      `PostgreSQL refuses to run as root, and its account (user id ${account.uid}) has no access to the database in ${dataDir}. ` +
        'Give others search permission on each parent folder (chmod o+x), or start Burgee as the owner of the database.',
    );
  }
  if (dataDir !== wanted) {
    log(
      `PostgreSQL refuses to run as root, and its account has no access to ${wanted}: the data is in ${dataDir}`,
    );
  }
  return { dataDir, cluster: clusterIn(dataDir), account };
}

function clusterIn(dataDir: string): string {
  return join(dataDir, 'postgres');
}

async function makeDataFolder(folder: string): Promise<string> {
  return writingInto(folder, async () => {
    const isNew = !existsSync(folder);
    await makeFolder(folder);
    // Under a strict umask, a new folder of root would be closed to PostgreSQL's account.
    if (isNew && runsAsRoot) await chmod(folder, 0o755);
    return realpath(folder);
  });
}

/** Gives the account's group search permission on root's data folder, if that folder alone blocks it. */
async function letPass(account: Account, dataDir: string): Promise<void> {
  const { uid, mode } = statSync(dataDir);
  if (uid !== 0 || canReach(account, dataDir) || !canReach(account, dirname(dataDir))) return;
  await chown(dataDir, uid, account.gid);
  await chmod(dataDir, (mode & 0o707) | 0o010);
}

/**
 * Returns the owner of an existing cluster. The owner stays, so that a start with sudo does not take the cluster from
 * its user.
 */
function ownerOf(home: string | undefined): Account | undefined {
  if (!home) return undefined;
  const { uid, gid } = statSync(clusterIn(home));
  return uid === 0 ? undefined : { uid, gid };
}

function refuseForeign(home: string | undefined, wanted: string): void {
  if (!home) return;
  const { uid } = statSync(clusterIn(home));
  if (uid === process.getuid?.()) return;
  const whose = uid === 0 ? 'root' : `another account (${uid})`;
  throw new StartError(
    `The database of ${wanted} is in ${home} and belongs to ${whose}: Burgee was started as root or as another user. ` +
      'Start Burgee as that account or as root, or set DATA_DIR to another folder.',
  );
}
