import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findPostmaster } from '../../src/platform/db/embedded/postmaster.ts';
import { useGrounds } from './grounds.ts';

const grounds = useGrounds();

describe('processes that share a data folder', () => {
  test('a second server fails with a clear message and the first keeps running', async () => {
    const dataDir = grounds.usedDataDir();
    const first = await grounds.start({ dataDir });

    await expect(grounds.start({ dataDir })).rejects.toThrow(
      `Burgee is already running on this data folder (${dataDir}, process ${first.pid}). Stop it first, or set another DATA_DIR.`,
    );
    expect(await first.query('select 1 as n')).toEqual([{ n: 1 }]);
  });

  test('a command uses the database of a running server and leaves it running', async () => {
    const dataDir = grounds.usedDataDir();
    const server = await grounds.start({ dataDir });
    await server.query('create table kept as select 1 as n');

    const command = await grounds.start({ dataDir, exclusive: false });
    expect(command.started.adopted).toBe(true);
    expect(await command.query('select n from kept')).toEqual([{ n: 1 }]);
    await command.stop();
    expect(await server.query('select n from kept')).toEqual([{ n: 1 }]);

    await server.stop();
    expect(findPostmaster(join(dataDir, 'postgres'))).toBeUndefined();
  });

  test('a command leaves the database running for a server that started later', async () => {
    const dataDir = grounds.usedDataDir();
    const command = await grounds.start({ dataDir, exclusive: false });
    const server = await grounds.start({ dataDir });
    await command.stop();
    expect(await server.query('select 1 as n')).toEqual([{ n: 1 }]);
  });

  test('a command without a running server stops the database when it ends', async () => {
    const dataDir = grounds.usedDataDir();
    const command = await grounds.start({ dataDir, exclusive: false });
    await command.stop();
    expect(findPostmaster(join(dataDir, 'postgres'))).toBeUndefined();
  });

  test('only one of two simultaneous first starts creates the database, and both use it', async () => {
    const dataDir = join(grounds.folder(), 'data');
    const [server, command] = await Promise.all([
      grounds.start({ dataDir }),
      grounds.start({ dataDir, exclusive: false }),
    ]);
    expect([server.started.adopted, command.started.adopted].sort()).toEqual([false, true]);
    await command.query('create table kept as select 1 as n');
    expect(await server.query('select n from kept')).toEqual([{ n: 1 }]);
    expect(readdirSync(dataDir).sort()).toEqual(['postgres', 'postgres.log', 'socket']);
  });

  test('only one of two servers that start simultaneously runs, and the other fails', async () => {
    const dataDir = grounds.usedDataDir();
    const outcomes = await Promise.allSettled([
      grounds.start({ dataDir }),
      grounds.start({ dataDir }),
    ]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const refused = outcomes.find((outcome) => outcome.status === 'rejected');
    expect(refused?.reason.message).toContain('Burgee is already running on this data folder');
    expect(findPostmaster(join(dataDir, 'postgres'))).toBeDefined();
  });

  test('commands that start and end at the same time never lose the database', async () => {
    const dataDir = grounds.usedDataDir();
    const command = async (n: number) => {
      const burgee = await grounds.start({ dataDir, exclusive: false });
      const rows = await burgee.query(`select ${n} as n`);
      await burgee.stop();
      return rows;
    };
    const rounds = [1, 2, 3, 4, 5, 6, 7, 8];
    const answers = await Promise.all(rounds.map(command));
    expect(answers).toEqual(rounds.map((n) => [{ n }]));
    expect(existsSync(join(dataDir, 'postgres/postmaster.pid'))).toBe(false);
  });
});
