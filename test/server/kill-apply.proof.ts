import { setTimeout as delay } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { dataDir } from '../support/data-dir.ts';
import { allEvents, postmasterOf } from '../support/killed-server.ts';
import { type ServerProcess, startServer } from '../support/server-process.ts';

const rounds = 6;
/** Few, because what was not applied stays in the draft, to which the next round adds. */
const size = 15;
const place = '/api/admin/projects/default/environments/production/change-requests';

const json = async (answer: ReturnType<ServerProcess['ask']>) => (await answer).json();

/** A request that enables features of its own. */
async function propose(server: ServerProcess, round: number): Promise<number> {
  const names = Array.from({ length: size }, (_, index) => `kill-${round}-${index}`);
  for (const name of names) {
    await json(server.ask('POST /api/admin/projects/default/features', { body: { name } }));
  }
  const body = names.map((feature) => ({
    feature,
    action: 'updateEnabled',
    payload: { enabled: true },
  }));
  const { id } = (await json(server.ask(`POST ${place}`, { body }))) as { id: number };
  expect(id).toBeGreaterThan(0);
  return id;
}

/** As many enabled features of a round as its request has, or none, by its state. */
async function expectAllOrNothing(server: ServerProcess, ids: readonly number[], first: number) {
  const enabled = (await allEvents(server)).filter(
    ({ type }) => type === 'feature-environment-enabled',
  );
  const states: string[] = [];
  for (const [index, id] of ids.entries()) {
    const { state } = (await json(server.ask(`GET ${pathOf(id)}`))) as { state: string };
    const prefix = `kill-${first + index}-`;
    const count = enabled.filter(({ featureName }) => featureName?.startsWith(prefix)).length;
    expect(count, `round ${first + index}`).toBe(state === 'Applied' ? size : 0);
    states.push(state);
  }
  return states;
}

const pathOf = (id: number) => `/api/admin/projects/default/change-requests/${id}`;

test('a request is applied completely or not at all if the server is killed while applying it', async () => {
  const DATA_DIR = dataDir();
  const ids: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const server = await startServer({ DATA_DIR });
    const id = await propose(server, round);
    ids.push(id);
    const applying = server
      .ask(`PUT ${pathOf(id)}/state`, { body: { state: 'Applied' } })
      .catch(() => undefined);
    await delay(round * 15);
    // In every other round, the database is killed with its server.
    if (round % 2 === 1) process.kill(postmasterOf(DATA_DIR), 'SIGKILL');
    await server.end('SIGKILL');
    await applying;
  }
  const server = await startServer({ DATA_DIR });
  for (const state of await expectAllOrNothing(server, ids, 0)) {
    expect(['Draft', 'Applied']).toContain(state);
  }
  await server.end('SIGTERM');
});

test('a scheduled request is applied once, completely, if the server is killed at its time', async () => {
  const DATA_DIR = dataDir();
  const ids: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const server = await startServer({ DATA_DIR });
    const id = await propose(server, rounds + round);
    ids.push(id);
    const at = Date.now() + 1_000;
    const body = { state: 'Scheduled', scheduledAt: new Date(at).toISOString() };
    expect((await server.ask(`PUT ${pathOf(id)}/state`, { body })).status).toBe(200);
    await delay(at - Date.now() + round * 15);
    if (round % 2 === 1) process.kill(postmasterOf(DATA_DIR), 'SIGKILL');
    await server.end('SIGKILL');
  }
  const server = await startServer({ DATA_DIR });
  await vi.waitFor(
    async () => {
      const states = await expectAllOrNothing(server, ids, rounds);
      expect(states.every((state) => state === 'Applied')).toBe(true);
    },
    { timeout: 60_000, interval: 200 },
  );
  const applied = (await allEvents(server)).filter(({ type }) => type === 'change-request-applied');
  expect(applied).toHaveLength(rounds);
  await server.end('SIGTERM');
});
