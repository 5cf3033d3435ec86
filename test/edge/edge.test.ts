import { beforeAll, describe, expect, test } from 'vitest';
import { addressOf, modes, startSdk } from '../sdk/server-sdk.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { type TestEdge, temporaryFolder, testEdge } from '../support/edge.ts';
import { make } from '../support/make.ts';
import { clientToken, frontendToken } from '../support/tokens.ts';
import { usageOfFeature } from '../support/usage.ts';

const [backend, frontend] = [clientToken, frontendToken];
let server: TestApp;
let near: TestEdge;
let far: TestEdge;
let folder: string;

const nameOfFeatures = (body: string) =>
  (JSON.parse(body) as { features: { name: string }[] }).features.map(({ name }) => name);

/** What SDKs receive, without the revision, which differs on each edge. */
const contentOf = (body: string) => {
  const { meta: _, ...content } = JSON.parse(body);
  return content;
};

async function createEnabled(name: string): Promise<void> {
  await make(server.ask).feature(name);
  await make(server.ask).strategy(name, { parameters: { rollout: '100' } });
  await make(server.ask).switchedOn(name);
}

beforeAll(async () => {
  server = await testApp();
  folder = temporaryFolder();
  await createEnabled('dark-mode');
  const settings = { TOKENS: `${backend},${frontend}`, METRICS_INTERVAL_SECONDS: '1' };
  near = await testEdge({
    ...settings,
    UPSTREAM_URL: await addressOf(server),
    BACKUP_FOLDER: folder,
  });
  far = await testEdge({ ...settings, UPSTREAM_URL: await near.url() });
});

const isReady = (edge: TestEdge) =>
  expect.poll(async () => (await edge.ask('GET /internal-backstage/ready')).statusCode).toBe(200);

describe('an edge behind an edge', () => {
  test('sends SDKs what the server sends', async () => {
    await isReady(near);
    await isReady(far);
    const asked = { headers: { authorization: backend, 'unleash-client-spec': '5.2.0' } };
    const expected = await server.app.inject({ url: '/api/client/features', ...asked });
    for (const edge of [near, far]) {
      await expect
        .poll(async () => contentOf((await edge.ask('GET /api/client/features')).body))
        .toEqual(contentOf(expected.body));
      const { body } = await edge.ask('GET /api/frontend?userId=ada', { token: frontend });
      expect(JSON.parse(body).toggles).toMatchObject([{ name: 'dark-mode', enabled: true }]);
    }
  });

  test('streams a change to SDKs as it happens', async () => {
    const { unleash } = await startSdk(await far.url(), {
      token: backend,
      experimentalMode: modes.streaming,
    });
    await createEnabled('on-its-way');
    await expect.poll(() => unleash.isEnabled('on-its-way')).toBe(true);
    const { body } = await far.ask('GET /api/client/features');
    expect(nameOfFeatures(body)).toContain('on-its-way');
  });

  test('reports usage to the server, each count once', async () => {
    const now = new Date().toISOString();
    const toggles = { 'dark-mode': { yes: 3, no: 2 } };
    const payload = {
      appName: 'shop',
      instanceId: 'one',
      bucket: { start: now, stop: now, toggles },
    };
    const { statusCode } = await far.ask('POST /api/client/metrics', { payload });
    expect(statusCode).toBe(202);
    await expect
      .poll(() => usageOfFeature(server, 'dark-mode'))
      .toMatchObject([{ appName: 'shop', environment: 'development', yes: 3, no: 2 }]);
  });

  test('serves the last state after a restart without the server', async () => {
    const { body: before } = await near.ask('GET /api/client/features');
    await near.close();
    const restarted = await testEdge({
      UPSTREAM_URL: await addressOf(server),
      TOKENS: `${backend},${frontend}`,
      BACKUP_FOLDER: folder,
    });
    const { body, statusCode } = await restarted.ask('GET /api/client/features');
    expect(statusCode).toBe(200);
    expect(nameOfFeatures(body)).toEqual(nameOfFeatures(before));
  });
});
