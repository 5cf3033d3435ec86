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

/** As the pools of a server do: they ask again until there is an answer. */
const answersAgain = (burgee: BurgeeProcess, sql: string) =>
  expect.poll(() => burgee.query(sql).catch(() => 'away'), { timeout: 120_000 });

describe('A PostgreSQL that was killed while Burgee runs', () => {
  test('is started again with what was committed, and Burgee still holds its data folder', async () => {
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

  test('is started again as well when it was left by a Burgee that was killed before', async () => {
    const dataDir = grounds.usedDataDir();
    await (await grounds.start({ dataDir })).kill();
    const burgee = await grounds.start({ dataDir });
    expect(burgee.started.adopted).toBe(true);
    killPostgres(dataDir);
    await answersAgain(burgee, 'select 1 as n').toEqual([{ n: 1 }]);
  });

  test('is found at its former socket, where that lies in a folder of its own', async () => {
    const dataDir = join(grounds.folder(), 'a'.repeat(100));
    const burgee = await grounds.start({ dataDir });
    expect(burgee.started.connection.host).toMatch(/burgee-socket-/);
    killPostgres(dataDir);
    await answersAgain(burgee, 'select 1 as n').toEqual([{ n: 1 }]);
    await burgee.stop();
    expect(findPostmaster(join(dataDir, 'postgres'))).toBeUndefined();
  });

  test('and cannot start any more is given up: Burgee says why and ends with an error', async () => {
    const dataDir = grounds.usedDataDir();
    const burgee = await grounds.start({ dataDir, pausesMs: AT_ONCE });
    truncateSync(join(dataDir, 'postgres/global/pg_control'), 100);
    killPostgres(dataDir);
    const { message, code } = await burgee.gone();
    expect(message).toMatch(
      /^PostgreSQL stopped unexpectedly and could not be restarted\. .*could not start/,
    );
    expect(message).toContain('pg_control');
    expect(code).toBe(1);
  });

  test('and whose data were removed is not replaced by an empty one', async () => {
    const dataDir = grounds.usedDataDir();
    const burgee = await grounds.start({ dataDir, pausesMs: AT_ONCE });
    killPostgres(dataDir);
    rmSync(join(dataDir, 'postgres'), { recursive: true });
    const { message } = await burgee.gone();
    expect(message).toContain(`The database is no longer in ${join(dataDir, 'postgres')}`);
  });
});

describe('A Burgee that stops', () => {
  test('leaves alone the PostgreSQL that its successor started on the folder', async () => {
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

  test('while it waits for its PostgreSQL to come back leaves none behind', async () => {
    const dataDir = grounds.usedDataDir();
    const burgee = await grounds.start({ dataDir });
    killPostgres(dataDir);
    await burgee.stop();
    expect(findPostmaster(join(dataDir, 'postgres'))).toBeUndefined();
  });
});
