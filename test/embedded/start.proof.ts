import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { asRoot, ordinaryUser, useGrounds } from './grounds.ts';
import { copyOf } from './installation.ts';

const grounds = useGrounds();
const REAL_SETTINGS = {};

describe('the embedded PostgreSQL', () => {
  test('starts for an ordinary user with a home folder of mode 700, first and later', async () => {
    const home = grounds.folder({ home: ordinaryUser });
    const installation = copyOf(grounds.installation, join(home, 'burgee'));
    const dataDir = join(home, 'data');
    const options = { installation, dataDir, account: ordinaryUser, settings: REAL_SETTINGS };

    const first = await grounds.start(options);
    expect(first.started.dataDir).toBe(dataDir);
    await first.query('create table kept as select 1 as n');
    await first.stop();

    const later = await grounds.start(options);
    expect(later.started.adopted).toBe(false);
    expect(await later.query('select n from kept')).toEqual([{ n: 1 }]);
  });

  test('restricts its data and socket to its account and opens no port', async () => {
    const dataDir = grounds.usedDataDir();
    const burgee = await grounds.start({ dataDir });
    const { host } = burgee.started.connection;
    expect(statSync(host).mode & 0o777).toBe(0o700);
    expect(statSync(join(dataDir, 'postgres')).mode & 0o777).toBe(0o700);
    expect(await burgee.query('show listen_addresses')).toEqual([{ listen_addresses: '' }]);
  });

  test('sorts by code point and finds words of all scripts', async () => {
    const burgee = await grounds.start({ dataDir: grounds.usedDataDir() });
    await burgee.query('create extension pg_trgm');
    const [row] = await burgee.query("select 'a' > 'B' as sorted, show_trgm('флаг') as trigrams");
    expect(row?.sorted).toBe(true);
    expect(row?.trigrams).toHaveLength(5);
  });

  test('does not keep a process alive that ends without stopping it', async () => {
    const dataDir = grounds.usedDataDir();
    const forgetful = await grounds.start({ dataDir });
    await forgetful.abandon();
    expect((await grounds.start({ dataDir })).started.adopted).toBe(true);
  });
});

/** Files in a folder that do not belong to an account. */
const foreignOwners = (folder: string, uid: number): string[] =>
  execFileSync('find', [folder, '!', '-uid', String(uid)], { encoding: 'utf8' })
    .split('\n')
    .filter((path) => path !== '');

describe.skipIf(!asRoot)(
  'the embedded PostgreSQL started by root (skipped for other users)',
  () => {
    test('runs under its own account, not shared with another service, in the given folder', async () => {
      const dataDir = join(grounds.folder(), 'data');
      const burgee = await grounds.start({ dataDir, settings: REAL_SETTINGS });
      expect(burgee.started).toMatchObject({ dataDir, notes: [] });
      const { uid, gid } = statSync(join(dataDir, 'postgres'));
      expect(readFileSync('/etc/passwd', 'utf8')).not.toContain(`:${uid}:`);
      expect(gid).toBe(uid);
      expect(foreignOwners(join(dataDir, 'postgres'), uid)).toEqual([]);
    });

    test('runs in place if only the mode 700 of the folder itself prevents access', async () => {
      const dataDir = grounds.folder({ home: undefined });
      const burgee = await grounds.start({ dataDir });
      expect(burgee.started).toMatchObject({ dataDir, notes: [] });
      expect(statSync(dataDir).mode & 0o777).toBe(0o710);
    });

    test('moves its data out of a home folder of mode 700, says where, and finds it again', async () => {
      const home = grounds.folder({ home: undefined });
      const installation = copyOf(grounds.installation, join(home, 'burgee'));
      const asked = join(home, 'data');
      const options = { installation, dataDir: asked, settings: REAL_SETTINGS };

      const first = await grounds.start(options);
      const { dataDir, notes } = first.started;
      onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
      expect(dataDir).toMatch(/^\/var\/lib\/burgee\/[0-9a-f]{12}$/);
      expect(notes).toEqual([expect.stringContaining(`the data is in ${dataDir}`)]);
      await first.query('create table kept as select 1 as n');
      await first.stop();

      const later = await grounds.start(options);
      expect(later.started.dataDir).toBe(dataDir);
      expect(await later.query('select n from kept')).toEqual([{ n: 1 }]);
      await later.stop();
    });

    test('uses the data of an ordinary user without changing their owner', async () => {
      const home = grounds.folder({ home: ordinaryUser });
      const dataDir = join(home, 'data');
      const his = await grounds.start({ dataDir, account: ordinaryUser });
      await his.query('create table kept as select 1 as n');
      await his.stop();

      const roots = await grounds.start({ dataDir });
      expect(roots.started.dataDir).toBe(dataDir);
      expect(await roots.query('select n from kept')).toEqual([{ n: 1 }]);
      await roots.stop();

      const hisAgain = await grounds.start({ dataDir, account: ordinaryUser });
      expect(await hisAgain.query('select n from kept')).toEqual([{ n: 1 }]);
    });
  },
);
