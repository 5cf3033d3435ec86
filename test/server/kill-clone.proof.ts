import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { dataDir } from '../support/data-dir.ts';
import { allEvents, postmasterOf } from '../support/killed-server.ts';
import { runCommand, type ServerProcess, startServer } from '../support/server-process.ts';

const rounds = 5;
const writers = 4;
const features = '/api/admin/projects/default/features';
/** The number of copies per request. */
const together = 3;

type Send = (method: 'POST' | 'PUT', path: string, body?: object) => Promise<number>;

const sendTo =
  (server: ServerProcess): Send =>
  async (method, path, body) => {
    const response = await server.ask(`${method} ${path}`, body ? { body } : {});
    await response.text();
    return response.status;
  };

/** A tag, a parent, a set of variants, and two strategies in each of two environments. */
async function makeSource(send: Send): Promise<void> {
  const tags = [{ type: 'simple', value: 'kept' }];
  expect(await send('POST', features, { name: 'parent' })).toBe(201);
  expect(await send('POST', features, { name: 'source', tags })).toBe(201);
  for (const environment of ['development', 'production']) {
    const at = `${features}/source/environments/${environment}`;
    const strategy = { name: 'flexibleRollout' };
    for (const _ of [1, 2]) expect(await send('POST', `${at}/strategies`, strategy)).toBe(200);
    expect(await send('PUT', `${at}/variants`, [{ name: 'v', weight: 1 }])).toBe(200);
  }
  expect(await send('POST', `${features}/source/dependencies`, { feature: 'parent' })).toBe(200);
}

/** Clones lists until the server dies, and collects the acknowledged names. */
async function cloneUntilDeath(
  server: ServerProcess,
  writer: string,
  acknowledged: Set<string>,
): Promise<void> {
  for (let number = 0; ; number += 1) {
    const names = Array.from({ length: together }, (_, copy) => `${writer}-${number}-${copy}`);
    const body = { features: names.map((name) => ({ feature: 'source', name })) };
    const status = await sendTo(server)('POST', `${features}/clone`, body).catch(() => 0);
    if (status !== 200) return;
    for (const name of names) acknowledged.add(name);
  }
}

interface Copy {
  readonly name: string;
  readonly tags: unknown[];
  readonly dependencies: unknown[];
  readonly environments: { strategies: unknown[]; variants: unknown[] }[];
}

test('after kill -9 during clones, each copy exists completely with its events, or not at all', async () => {
  const DATA_DIR = dataDir();
  const acknowledged = new Set<string>();
  for (let round = 0; round < rounds; round += 1) {
    const server = await startServer({ DATA_DIR });
    if (round === 0) await makeSource(sendTo(server));
    const before = acknowledged.size;
    const cloning = Array.from({ length: writers }, (_, writer) =>
      cloneUntilDeath(server, `r${round}w${writer}`, acknowledged),
    );
    // In the middle, however slow the machine is: some are done, and others are running.
    await expect
      .poll(() => acknowledged.size - before, { timeout: 60_000, interval: 5 })
      .toBeGreaterThan(together);
    await delay(round * 70);
    // In every other round, the database is killed with its server.
    if (round % 2 === 1) process.kill(postmasterOf(DATA_DIR), 'SIGKILL');
    await server.end('SIGKILL');
    await Promise.all(cloning);
  }

  const server = await startServer({ DATA_DIR });
  const listed = (await (await server.ask(`GET ${features}`)).json()) as { features: Copy[] };
  const copies = listed.features.map(({ name }) => name).filter((name) => /^r\d/.test(name));
  expect(acknowledged.size).toBeGreaterThan(rounds * together);
  expect([...acknowledged].filter((name) => !copies.includes(name))).toEqual([]);
  expect(copies.length % together).toBe(0);

  for (const name of copies) {
    const copy = (await (await server.ask(`GET ${features}/${name}`)).json()) as Copy;
    expect([copy.tags.length, copy.dependencies.length]).toEqual([1, 1]);
    expect(
      copy.environments.map(({ strategies, variants }) => [strategies.length, variants.length]),
    ).toEqual([
      [2, 1],
      [2, 1],
    ]);
  }
  const eventCounts = new Map<string, number>();
  for (const { featureName } of await allEvents(server)) {
    if (featureName && /^r\d/.test(featureName)) {
      eventCounts.set(featureName, (eventCounts.get(featureName) ?? 0) + 1);
    }
  }
  // Its creation, a tag, four strategies, two sets of variants, a parent.
  expect([...eventCounts].filter(([, events]) => events !== 9)).toEqual([]);
  expect([...eventCounts.keys()].sort()).toEqual([...copies].sort());
  expect((await runCommand(['verify'], { DATA_DIR })).output).toMatch(/^\d+ events verified/);
});
