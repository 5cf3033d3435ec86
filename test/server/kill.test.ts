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

/** Creates projects until the server dies; gives back the ids of those that were acknowledged. */
async function writeUntilDeath(server: ServerProcess, writer: string): Promise<string[]> {
  const acknowledged: string[] = [];
  for (let number = 0; ; number += 1) {
    const id = `${writer}-${number}`;
    const response = await server
      .ask('POST /api/admin/projects', { body: { id, name: id } })
      .catch(() => undefined);
    if (response?.status !== 201) return acknowledged;
    await response.text();
    acknowledged.push(id);
  }
}

test('kill -9 under load, again and again: every acknowledged change has its event, no event lacks its change', async () => {
  const DATA_DIR = dataDir();
  const acknowledged = new Set<string>();
  for (let round = 0; round < rounds; round += 1) {
    const server = await startServer({ DATA_DIR });
    const writing = Array.from({ length: writers }, (_, writer) =>
      writeUntilDeath(server, `r${round}w${writer}`),
    );
    await delay(150 + round * 60);
    // Every other round the database dies with its server.
    if (round % 2 === 1) process.kill(postmasterOf(DATA_DIR), 'SIGKILL');
    await server.end('SIGKILL');
    for (const ids of await Promise.all(writing)) for (const id of ids) acknowledged.add(id);
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
}, 120_000);
