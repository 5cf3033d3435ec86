import { expect, test } from 'vitest';
import { makeDecided } from '../sdk/decided-features.ts';
import { addressOf } from '../sdk/server-sdk.ts';
import { testApp } from '../support/app.ts';
import { testEdge } from '../support/edge.ts';
import { proofSeed } from '../support/random-cases.ts';
import { clientToken, frontendToken } from '../support/tokens.ts';
import { compareDecisions } from './decisions.ts';

test('real SDKs decide the same at the server, an edge, and an edge behind it', async () => {
  const server = await testApp();
  await makeDecided(server.ask, 'userId');
  const TOKENS = [clientToken, frontendToken].join();
  const near = await testEdge({ UPSTREAM_URL: await addressOf(server), TOKENS });
  const far = await testEdge({ UPSTREAM_URL: await near.url(), TOKENS });
  for (const edge of [near, far]) {
    await expect
      .poll(async () => (await edge.ask('GET /internal-backstage/ready')).statusCode)
      .toBe(200);
  }
  const places = [
    { name: 'the server', url: await addressOf(server), hasOfrep: true },
    { name: 'near', url: await near.url(), hasOfrep: true },
    { name: 'far', url: await far.url(), hasOfrep: true },
  ];
  const { differences, compared, features } = await compareDecisions(
    places,
    { backend: clientToken, frontend: frontendToken },
    { contexts: 5_000, seed: Number(proofSeed ?? 1) },
  );
  expect(differences).toEqual([]);
  expect(features).toBe(7);
  expect(compared).toBeGreaterThan(35_000);
});
