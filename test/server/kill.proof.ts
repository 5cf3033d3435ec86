import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { dataDir } from '../support/data-dir.ts';
import { allEvents, postmasterOf } from '../support/killed-server.ts';
import { runCommand, type ServerProcess, startServer } from '../support/server-process.ts';

const rounds = 8;
const writers = 6;

interface Listed {
  readonly id: string;
}

/** Creates projects until the server dies, and collects the ids of acknowledged ones. */
async function writeUntilDeath(
  server: ServerProcess,
  writer: string,
  acknowledged: Set<string>,
): Promise<void> {
  for (let number = 0; ; number += 1) {
    const id = `${writer}-${number}`;
    const response = await server
      .ask('POST /api/admin/projects', { body: { id, name: id } })
      .catch(() => undefined);
    if (response?.status !== 201) return;
    await response.text();
    acknowledged.add(id);
  }
}

test('after each kill -9 under load, every acknowledged change has its event, and every event its change', async () => {
  const DATA_DIR = dataDir();
  const acknowledged = new Set<string>();
  for (let round = 0; round < rounds; round += 1) {
    const server = await startServer({ DATA_DIR });
    const before = acknowledged.size;
    const writing = Array.from({ length: writers }, (_, writer) =>
      writeUntilDeath(server, `r${round}w${writer}`, acknowledged),
    );
    // Under load, however slow the machine is: some changes are done, and others are running.
    await expect
      .poll(() => acknowledged.size - before, { timeout: 60_000, interval: 5 })
      .toBeGreaterThan(writers);
    await delay(round * 60);
    // In every other round, the database is killed with its server.
    if (round % 2 === 1) process.kill(postmasterOf(DATA_DIR), 'SIGKILL');
    await server.end('SIGKILL');
    await Promise.all(writing);
  }

  const server = await startServer({ DATA_DIR });
  const { projects } = (await (await server.ask('GET /api/admin/projects')).json()) as {
    projects: Listed[];
  };
  const stored = new Set(projects.map(({ id }) => id));
  const created = (await allEvents(server))
    .filter(({ type }) => type === 'project-created')
    .map(({ project }) => project);

  expect(acknowledged.size).toBeGreaterThan(rounds * writers);
  expect([...acknowledged].filter((id) => !stored.has(id))).toEqual([]);
  expect(created.slice().sort()).toEqual([...stored].sort());
  expect((await runCommand(['verify'], { DATA_DIR })).output).toMatch(/^\d+ events verified/);
});
