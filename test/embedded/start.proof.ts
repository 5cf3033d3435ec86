import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { asRoot, ordinaryUser, useGrounds } from './grounds.ts';
import { copyOf } from './installation.ts';

const grounds = useGrounds();
const REAL_SETTINGS = {};

describe('The embedded PostgreSQL', () => {
  test('answers an ordinary user from a home folder with mode 700, at the first start and at later ones', async () => {
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

  test('keeps its data and its socket to its own account and opens no port', async () => {
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

  test('does not keep alive a process that forgets to stop it', async () => {
    const dataDir = grounds.usedDataDir();
    const forgetful = await grounds.start({ dataDir });
    await forgetful.abandon();
    expect((await grounds.start({ dataDir })).started.adopted).toBe(true);
  });
});

/** What below a folder does not belong to an account. */
const foreignOwners = (folder: string, uid: number): string[] =>
  execFileSync('find', [folder, '!', '-uid', String(uid)], { encoding: 'utf8' })
    .split('\n')
    .filter((path) => path !== '');

describe.skipIf(!asRoot)('Started by root (skipped for other users)', () => {
  test('it runs under an account of its own, which no other service has, in the folder asked for', async () => {
    const dataDir = join(grounds.folder(), 'data');
    const burgee = await grounds.start({ dataDir, settings: REAL_SETTINGS });
    expect(burgee.started).toMatchObject({ dataDir, notes: [] });
    const { uid, gid } = statSync(join(dataDir, 'postgres'));
    expect(readFileSync('/etc/passwd', 'utf8')).not.toContain(`:${uid}:`);
    expect(gid).toBe(uid);
    expect(foreignOwners(join(dataDir, 'postgres'), uid)).toEqual([]);
  });

  test('in a folder of mode 700 that is itself the only obstacle it runs in place', async () => {
    const dataDir = grounds.folder({ home: undefined });
    const burgee = await grounds.start({ dataDir });
    expect(burgee.started).toMatchObject({ dataDir, notes: [] });
    expect(statSync(dataDir).mode & 0o777).toBe(0o710);
  });

  test('under a home folder with mode 700 it keeps the data where its account can reach it, says where, and finds it again', async () => {
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

  test('it serves the data of an ordinary user without taking them from him', async () => {
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
});
