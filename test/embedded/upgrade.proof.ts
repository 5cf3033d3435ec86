import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, test } from 'vitest';
import { checkBackup } from '../../src/backup/check.ts';
import { restoreBackup } from '../../src/backup/restore.ts';
import {
  nativePackageIn,
  packageName,
  prepareBinaries,
} from '../../src/platform/db/embedded/binaries.ts';
import { createCluster } from '../../src/platform/db/embedded/cluster.ts';
import { chooseDataDirectory } from '../../src/platform/db/embedded/data-directory.ts';
import { findPostmaster, stopPostmaster } from '../../src/platform/db/embedded/postmaster.ts';
import { connectionTo, join as joinServer } from '../../src/platform/db/embedded/presence.ts';
import { findOrStart } from '../../src/platform/db/embedded/server.ts';
import { openSession } from '../../src/platform/db/one-session.ts';
import { commandLine } from '../support/command-line.ts';
import { dataDir } from '../support/data-dir.ts';
import { startServer } from '../support/server-process.ts';

/** Older versions of PostgreSQL in the package registry. */
const versions = { 16: '16.14.0-beta.17', 17: '17.10.0-beta.17' } as const;

const folder = mkdtempSync(join(tmpdir(), 'burgee-upgrade-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The package of an older PostgreSQL, downloaded once. */
function olderPackage(major: 16 | 17): string {
  const root = join(folder, `postgresql-${major}`);
  const found = join(root, 'node_modules', packageName());
  if (existsSync(found)) return found;
  execFileSync('mkdir', ['-p', root]);
  const what = `${packageName()}@${versions[major]}`;
  const how = ['--prefix', root, '--ignore-scripts', '--no-audit', '--no-fund', '--no-save'];
  execFileSync('npm', ['install', ...how, what], { cwd: root });
  execFileSync('chmod', ['a+rx', folder]);
  return found;
}

const settingsOf = (DATA_DIR: string) => ({ DATA_DIR, LOG_LEVEL: 'error' });

/** A backup of an installation with data. */
async function demoBackup(): Promise<string> {
  const file = join(folder, 'demo.backup');
  if (existsSync(file)) return file;
  const settings = settingsOf(dataDir());
  expect(await commandLine(['demo'], settings)).toMatchObject({ code: 0 });
  expect(await commandLine(['backup', file], settings)).toMatchObject({ code: 0 });
  copyFileSync(join(settings.DATA_DIR, 'encryption.key'), join(folder, 'encryption.key'));
  return file;
}

/** A data folder as an older Burgee with an older PostgreSQL leaves it. */
async function olderFolder(major: 16 | 17): Promise<string> {
  const file = await demoBackup();
  const home = dataDir();
  const directory = await chooseDataDirectory(home, () => undefined);
  const work = { ...directory, dataDir: join(home, 'work') };
  await mkdir(work.dataDir);
  execFileSync('chmod', ['a+rx', work.dataDir]);
  const binaries = await prepareBinaries(nativePackageIn(olderPackage(major)), work);
  await createCluster(directory, binaries, false);
  const { postmaster } = await findOrStart(directory, {
    prepare: async () => binaries,
    settings: { fsync: 'off' },
  });
  const connection = connectionTo(postmaster);
  const presence = await joinServer(connection, directory, { exclusive: false });
  const session = await openSession(connection, 'test');
  const { manifest } = await checkBackup(file);
  await restoreBackup(session, file, manifest, { schema: 'public', acceptBrokenLog: false });
  await session.end();
  await presence.leave();
  await stopPostmaster(directory.cluster, 60_000, postmaster);
  rmSync(work.dataDir, { recursive: true });
  rmSync(join(home, 'libraries'), { recursive: true, force: true });
  execFileSync('cp', [join(folder, 'encryption.key'), home]);
  return home;
}

const versionIn = (home: string, cluster = 'postgres') =>
  readFileSync(join(home, cluster, 'PG_VERSION'), 'utf8').trim();

describe('burgee upgrade', () => {
  test.each([16, 17] as const)(
    'converts a folder of PostgreSQL %i with programs from the registry and keeps the old one',
    async (major) => {
      const home = await olderFolder(major);
      const settings = settingsOf(home);
      expect(await commandLine(['verify'], settings)).toMatchObject({
        code: 3,
        stderr: expect.stringMatching(/Run `npx burgee upgrade` to convert it/),
      });
      const upgraded = await commandLine(['upgrade'], settings);
      expect(upgraded).toMatchObject({ code: 0, stderr: '' });
      expect(upgraded.stdout).toMatch(/\d{3} events verified in the new database/);
      const kept = `postgres-${major}-kept`;
      expect(upgraded.stdout).toContain(`The old database is kept in ${join(home, kept)}`);
      expect(versionIn(home)).toBe('18');
      expect(versionIn(home, kept)).toBe(String(major));
      expect(readdirSync(home)).not.toContain('upgrade');
      expect(await commandLine(['verify'], settings)).toMatchObject({ code: 0 });
      expect(await commandLine(['upgrade'], settings)).toMatchObject({
        code: 0,
        stdout: 'Already up to date.\n',
      });
      const server = await startServer(settings);
      expect((await server.ask('GET /api/admin/projects')).status).toBe(200);
      await server.end('SIGTERM');
    },
  );

  test('leaves the old database usable when it is killed, and succeeds the next time', async () => {
    const home = await olderFolder(17);
    const settings = settingsOf(home);
    const { PATH = '', HOME = '' } = process.env;
    const args = ['bin/burgee.js', 'upgrade', '--binaries', olderPackage(17)];
    for (const reached of ['new', 'new/postgres/PG_VERSION', 'new/postgres/postmaster.pid']) {
      const child = spawn(process.execPath, args, {
        env: { PATH, HOME, ...settings },
        stdio: 'ignore',
      });
      await expect.poll(() => existsSync(join(home, 'upgrade', reached))).toBe(true);
      child.kill('SIGKILL');
      await once(child, 'exit');
      expect(versionIn(home)).toBe('17');
      expect(await commandLine(['verify'], settings)).toMatchObject({ code: 3 });
    }
    // The server that it started keeps running. It is not stopped while a command uses it.
    const directory = await chooseDataDirectory(home, () => undefined);
    const leftOver = findPostmaster(directory.cluster);
    if (!leftOver) throw new Error('The killed upgrade has left no server');
    const guest = await joinServer(connectionTo(leftOver), directory, { exclusive: false });
    expect(await commandLine(['upgrade', '--binaries', olderPackage(17)], settings)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('and is in use'),
    });
    await guest.leave();
    const again = await commandLine(['upgrade', '--binaries', olderPackage(17)], settings);
    expect(again).toMatchObject({ code: 0, stderr: '' });
    expect(await commandLine(['verify'], settings)).toMatchObject({ code: 0 });
  });

  test('stops both servers and removes its files when a signal interrupts the copy', async () => {
    const home = await olderFolder(17);
    const before = readdirSync(home).sort();
    const { PATH = '', HOME = '' } = process.env;
    const args = ['bin/burgee.js', 'upgrade', '--binaries', olderPackage(17)];
    const child = spawn(process.execPath, args, {
      env: { PATH, HOME, ...settingsOf(home) },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const said = text(child.stderr);
    const work = join(home, 'upgrade');
    await expect
      .poll(() => existsSync(work) && readdirSync(work).join())
      .toContain('database.backup');
    child.kill('SIGINT');
    expect(await once(child, 'exit')).toEqual([1, null]);
    expect(await said).toBe('Interrupted by SIGINT.\n');
    expect(readdirSync(home).sort()).toEqual(before);
    expect(findPostmaster(join(home, 'postgres'))).toBeUndefined();
    expect(versionIn(home)).toBe('17');
  });

  test('completes an upgrade that was interrupted between its last two steps, and a start never hides the old data', async () => {
    const home = await olderFolder(17);
    const settings = settingsOf(home);
    expect(await commandLine(['upgrade', '--binaries', olderPackage(17)], settings)).toMatchObject({
      code: 0,
    });
    // As if the new cluster had not been moved yet.
    await mkdir(join(home, 'upgrade/new'), { recursive: true });
    await writeFile(join(home, 'upgrade/complete'), '17 18\n');
    renameSync(join(home, 'postgres'), join(home, 'upgrade/new/postgres'));
    expect(await commandLine(['verify'], settings)).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/was interrupted\. Run `npx burgee upgrade` to complete it/),
    });
    expect(await commandLine(['upgrade'], settings)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('postgres-17-kept'),
    });
    expect(await commandLine(['verify'], settings)).toMatchObject({ code: 0 });
  });
});
