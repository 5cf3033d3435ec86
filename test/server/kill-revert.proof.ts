import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { dataDir } from '../support/data-dir.ts';
import { allEvents, postmasterOf } from '../support/killed-server.ts';
import { type ServerProcess, startServer } from '../support/server-process.ts';

const rounds = 8;
const size = 25;
const own = '/api/admin/projects/default';

const json = async (answer: ReturnType<ServerProcess['ask']>) => (await answer).json();

/** Enables features with one request. Returns its ID, which its events have. */
async function enable(server: ServerProcess, names: readonly string[]): Promise<string> {
  for (const name of names) {
    await json(server.ask(`POST ${own}/features`, { body: { name } }));
    await json(
      server.ask(`POST ${own}/features/${name}/environments/production/strategies`, {
        body: { name: 'default' },
      }),
    );
  }
  const path = `${own}/bulk_features/environments/production/on`;
  const response = await server.ask(`POST ${path}`, { body: { features: names } });
  expect(response.status).toBe(200);
  return response.headers.get('x-request-id') as string;
}

const revert = (server: ServerProcess, requestId: string) =>
  server.ask('POST /api/admin/events/revert', { body: { requestId } });

test('a revert is made completely or not at all if the server is killed during it', async () => {
  const DATA_DIR = dataDir();
  const requestIds: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const server = await startServer({ DATA_DIR });
    const [practice, killed] = ['practice', 'kill'].map((prefix) =>
      Array.from({ length: size }, (_, nth) => `${prefix}-${round}-${nth}`),
    ) as [string[], string[]];
    const tried = await enable(server, practice);
    const began = performance.now();
    expect((await revert(server, tried)).status).toBe(200);
    const tookMs = performance.now() - began;
    const requestId = await enable(server, killed);
    requestIds.push(requestId);
    const reverting = revert(server, requestId).catch(() => undefined);
    // From its beginning until after its end.
    await delay((tookMs * round) / (rounds - 2));
    if (round === rounds - 1) await reverting;
    // In every other round, the database is killed with its server.
    if (round % 2 === 1) process.kill(postmasterOf(DATA_DIR), 'SIGKILL');
    await server.end('SIGKILL');
    await reverting;
  }
  const server = await startServer({ DATA_DIR });
  const disabled = (await allEvents(server)).filter(
    ({ type }) => type === 'feature-environment-disabled',
  );
  for (let round = 0; round < rounds; round += 1) {
    const isOfRound = (name: unknown) => String(name).startsWith(`kill-${round}-`);
    const count = disabled.filter(({ featureName }) => isOfRound(featureName)).length;
    expect([0, size], `round ${round}`).toContain(count);
    const { features } = (await json(server.ask(`GET ${own}/features`))) as {
      features: { name: string; environments: { name: string; enabled: boolean }[] }[];
    };
    const enabled = features.filter(
      ({ name, environments }) =>
        isOfRound(name) && environments.some((each) => each.name === 'production' && each.enabled),
    );
    expect(enabled, `round ${round}`).toHaveLength(size - count);
    // What was not made can be made now, and what was made is not made twice.
    const again = await revert(server, requestIds[round] as string);
    expect(again.status, `round ${round}`).toBe(count === 0 ? 200 : 409);
  }
  // The last one was answered before the server was killed.
  const last = disabled.filter(({ featureName }) => featureName?.startsWith(`kill-${rounds - 1}-`));
  expect(last).toHaveLength(size);
  await server.end('SIGTERM');
});
