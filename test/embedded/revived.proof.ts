import { readFileSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findPostmaster } from '../../src/platform/db/embedded/postmaster.ts';
import type { BurgeeProcess } from './burgee-process.ts';
import { useGrounds } from './grounds.ts';

const grounds = useGrounds();

const AT_ONCE = [0];

function postmasterPid(dataDir: string): number {
  return Number(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]);
}

function killPostgres(dataDir: string): number {
  const pid = postmasterPid(dataDir);
  process.kill(pid, 'SIGKILL');
  return pid;
}

/** Retries until there is a result, as the pools of a server do. */
const answersAgain = (burgee: BurgeeProcess, sql: string) =>
  expect.poll(() => burgee.query(sql).catch(() => 'away'), { timeout: 120_000 });

describe('a PostgreSQL that is killed while Burgee runs', () => {
  test('is restarted with all committed data, and Burgee still holds its data folder', async () => {
    const dataDir = grounds.usedDataDir();
    const burgee = await grounds.start({ dataDir });
    await burgee.query('create table kept as select generate_series(1, 1000) as n');
    const killed = killPostgres(dataDir);

    await answersAgain(burgee, 'select count(*)::int from kept').toEqual([{ count: 1000 }]);
    expect(postmasterPid(dataDir)).not.toBe(killed);
    await expect
      .poll(() => grounds.start({ dataDir }).catch(({ message }) => message), { timeout: 120_000 })
      .toContain(`process ${burgee.pid}`);
    await burgee.stop();
    expect(findPostmaster(join(dataDir, 'postgres'))).toBeUndefined();
  });

  test('is also restarted if an earlier, killed Burgee had started it', async () => {
    const dataDir = grounds.usedDataDir();
    await (await grounds.start({ dataDir })).kill();
    const burgee = await grounds.start({ dataDir });
    expect(burgee.started.adopted).toBe(true);
    killPostgres(dataDir);
    await answersAgain(burgee, 'select 1 as n').toEqual([{ n: 1 }]);
  });

  test('is restarted at the same socket, also if that is in its own folder', async () => {
    const dataDir = join(grounds.folder(), 'a'.repeat(100));
    const burgee = await grounds.start({ dataDir });
    expect(burgee.started.connection.host).toMatch(/burgee-socket-/);
    killPostgres(dataDir);
    await answersAgain(burgee, 'select 1 as n').toEqual([{ n: 1 }]);
    await burgee.stop();
    expect(findPostmaster(join(dataDir, 'postgres'))).toBeUndefined();
  });

  test('ends Burgee with the reason and an error if it cannot be restarted', async () => {
    const dataDir = grounds.usedDataDir();
    const burgee = await grounds.start({ dataDir, pausesMs: AT_ONCE });
    truncateSync(join(dataDir, 'postgres/global/pg_control'), 100);
    killPostgres(dataDir);
    const { message, code } = await burgee.gone();
    expect(message).toMatch(
      /^PostgreSQL stopped unexpectedly and couldn't be restarted\. .*could not start/,
    );
    expect(message).toContain('pg_control');
    expect(code).toBe(1);
  });

  test('is not replaced by an empty database if its data was removed', async () => {
    const dataDir = grounds.usedDataDir();
    const burgee = await grounds.start({ dataDir, pausesMs: AT_ONCE });
    killPostgres(dataDir);
    rmSync(join(dataDir, 'postgres'), { recursive: true });
    const { message } = await burgee.gone();
    expect(message).toContain(`The database is no longer in ${join(dataDir, 'postgres')}`);
  });
});

describe('a Burgee that stops', () => {
  test('does not stop the PostgreSQL that its successor started on the same folder', async () => {
    const dataDir = grounds.usedDataDir();
    const former = await grounds.start({ dataDir });
    process.kill(former.pid, 'SIGSTOP');
    killPostgres(dataDir);
    const successor = await grounds.start({ dataDir });
    const pid = postmasterPid(dataDir);

    const stopping = former.stop();
    process.kill(former.pid, 'SIGCONT');
    await stopping;
    expect(postmasterPid(dataDir)).toBe(pid);
    expect(await successor.query('select 1 as n')).toEqual([{ n: 1 }]);
  });

  test('leaves no PostgreSQL behind if it stops while PostgreSQL restarts', async () => {
    const dataDir = grounds.usedDataDir();
    const burgee = await grounds.start({ dataDir });
    killPostgres(dataDir);
    await burgee.stop();
    expect(findPostmaster(join(dataDir, 'postgres'))).toBeUndefined();
  });
});
