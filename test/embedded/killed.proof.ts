import { type ChildProcess, spawn } from 'node:child_process';
import { chownSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Account } from '../../src/platform/db/embedded/account.ts';
import { findPostmaster } from '../../src/platform/db/embedded/postmaster.ts';
import { useGrounds } from './grounds.ts';

const grounds = useGrounds();

function postmasterPid(dataDir: string): number {
  return Number(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]);
}

describe('after kill -9', () => {
  test('of Burgee, the next start takes over the running PostgreSQL with all its data', async () => {
    const dataDir = grounds.usedDataDir();
    const killed = await grounds.start({ dataDir });
    await killed.query('create table kept as select 1 as n');
    const pid = postmasterPid(dataDir);
    await killed.kill();

    const next = await grounds.start({ dataDir });
    expect(next.started.adopted).toBe(true);
    expect(postmasterPid(dataDir)).toBe(pid);
    expect(await next.query('select n from kept')).toEqual([{ n: 1 }]);
    await next.stop();
    expect(findPostmaster(join(dataDir, 'postgres'))).toBeUndefined();
  });

  test('of PostgreSQL and Burgee, the next start recovers what was committed', async () => {
    const dataDir = grounds.usedDataDir();
    const killed = await grounds.start({ dataDir });
    await killed.query('create table kept as select generate_series(1, 1000) as n');
    process.kill(postmasterPid(dataDir), 'SIGKILL');
    await killed.kill();

    const next = await grounds.start({ dataDir });
    expect(next.started.adopted).toBe(false);
    expect(await next.query('select count(*)::int from kept')).toEqual([{ count: 1000 }]);
  });

  test('of one PostgreSQL connection, Burgee still holds its data folder', async () => {
    const dataDir = grounds.usedDataDir();
    const burgee = await grounds.start({ dataDir });
    const [backend] = await burgee.query(
      "select pid from pg_stat_activity where application_name like 'burgee serve%'",
    );
    process.kill(Number(backend?.pid), 'SIGKILL');
    await sleep(1500);

    await expect(grounds.start({ dataDir })).rejects.toThrow(`process ${burgee.pid}`);
  });

  test('of both, the next start ignores a stale process id that another program has now', async () => {
    const dataDir = grounds.usedDataDir();
    const burgee = await grounds.start({ dataDir });
    const lock = readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8');
    await burgee.stop();
    const owner = statSync(join(dataDir, 'postgres'));
    const stranger = someProcess(owner);
    const claimed = lock.replace(/^\d+/, `${stranger.pid}`);
    writeLock(join(dataDir, 'postgres/postmaster.pid'), claimed, owner);
    writeLock(join(dataDir, 'socket/.s.PGSQL.5432.lock'), claimed, owner);

    const next = await grounds.start({ dataDir });
    expect(next.started.adopted).toBe(false);
    expect(stranger.exitCode).toBe(null);
  });

  test('during the first start, the next start begins again', async () => {
    const dataDir = join(grounds.folder(), 'data');
    const starting = grounds.start({ dataDir }).catch(() => 'killed');
    await sleep(400);
    grounds.killAll();
    expect(await starting).toBe('killed');

    const next = await grounds.start({ dataDir });
    expect(await next.query('select 1 as n')).toEqual([{ n: 1 }]);
  });
});

describe('while PostgreSQL runs', () => {
  test('but its socket is missing, a start fails with instructions and does not stop it', async () => {
    const dataDir = grounds.usedDataDir();
    const burgee = await grounds.start({ dataDir });
    const pid = postmasterPid(dataDir);
    rmSync(join(dataDir, 'socket/.s.PGSQL.5432'));

    await expect(grounds.start({ dataDir, exclusive: false })).rejects.toThrow(`kill -INT ${pid}`);
    expect(postmasterPid(dataDir)).toBe(pid);
    await burgee.stop();
  });
});

/** A process of the account that PostgreSQL runs under: only such a process can be mistaken for it. */
function someProcess({ uid, gid }: Account): ChildProcess {
  const child = spawn('sleep', ['60'], { uid, gid, stdio: 'ignore', cwd: '/' });
  onTestFinished(() => void child.kill());
  return child;
}

function writeLock(file: string, text: string, { uid, gid }: Account): void {
  writeFileSync(file, text, { mode: 0o600 });
  chownSync(file, uid, gid);
}
