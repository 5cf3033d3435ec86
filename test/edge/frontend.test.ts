import { beforeAll, describe, expect, test, vi } from 'vitest';
import { type TestEdge, testEdge } from '../support/edge.ts';
import { type FakeUpstream, fakeUpstream, sentFeature } from '../support/fake-upstream.ts';
import { clientToken, frontendToken } from '../support/tokens.ts';

let upstream: FakeUpstream;
let edge: TestEdge;

const settings = () => ({
  UPSTREAM_URL: upstream.url,
  TOKENS: [clientToken, frontendToken].join(),
  CORS_ORIGIN: 'https://shop.example.com',
});

const asked = (by: TestEdge) => by.ask('GET /api/frontend', { token: frontendToken });
const isServed = (by: TestEdge) => expect.poll(async () => (await asked(by)).statusCode).toBe(200);

beforeAll(async () => {
  upstream = await fakeUpstream();
  upstream.state.tokens = [
    { token: clientToken, type: 'client', projects: ['*'] },
    { token: frontendToken, type: 'frontend', projects: ['*'] },
  ];
  const constraints = [{ contextName: 'plan', operator: 'IN', values: ['gold'] }];
  upstream.state.features = {
    '*': [
      sentFeature('for-gold', {
        strategies: [{ name: 'default', constraints, parameters: {}, variants: [] }],
      }),
      sentFeature('off', { enabled: false }),
    ],
  };
  edge = await testEdge(settings());
  await vi.waitUntil(async () => (await asked(edge)).statusCode === 200, { timeout: 60_000 });
});

const statesOf = (body: string) =>
  Object.fromEntries(
    (JSON.parse(body) as { toggles: { name: string; enabled: boolean }[] }).toggles.map(
      ({ name, enabled }) => [name, enabled],
    ),
  );

const gold = { payload: { context: { properties: { plan: 'gold' } } } };
const asBrowser = { token: frontendToken, headers: { origin: 'https://shop.example.com' } };

describe('a browser that requests', () => {
  test.each([
    ['GET /api/frontend/all?properties[plan]=gold', {}, { 'for-gold': true, off: false }],
    ['GET /api/proxy/all', {}, { 'for-gold': false, off: false }],
    ['POST /api/frontend/all', gold, { 'for-gold': true, off: false }],
    ['GET /api/proxy?properties[plan]=gold', {}, { 'for-gold': true }],
    ['GET /api/proxy', {}, {}],
    ['POST /api/proxy', gold, { 'for-gold': true }],
  ] as const)('%s gets the matching features', async (request, options, states) => {
    const { statusCode, body, headers } = await edge.ask(request, { ...asBrowser, ...options });
    expect([statusCode, statesOf(body)]).toEqual([200, states]);
    expect(headers['access-control-allow-origin']).toBe('https://shop.example.com');
  });

  test.each([
    ['GET /api/frontend/features/for-gold?properties[plan]=gold', {}, 200, { enabled: true }],
    ['GET /api/frontend/features/for-gold', {}, 200, { name: 'for-gold', enabled: false }],
    ['POST /api/proxy/features/for-gold', gold, 200, { enabled: true, variant: {} }],
    ['GET /api/frontend/features/none', {}, 404, { name: 'NotFoundError' }],
    ['GET /api/frontend/features/__proto__', {}, 404, { name: 'NotFoundError' }],
    ['GET /api/proxyfeatures', {}, 404, {}],
  ] as const)('%s gets one feature, or 404', async (request, options, status, content) => {
    const { statusCode, body } = await edge.ask(request, { ...asBrowser, ...options });
    expect([statusCode, JSON.parse(body)]).toMatchObject([status, content]);
  });

  test('any of these with a backend token or an invalid token is refused', async () => {
    for (const path of ['all', 'features/off']) {
      expect((await edge.ask(`GET /api/frontend/${path}`)).statusCode).toBe(403);
      expect((await edge.ask(`GET /api/proxy/${path}`, { token: 'none' })).statusCode).toBe(401);
    }
  });
});

test('usage reported to /api/proxy/client/metrics is accepted', async () => {
  const now = new Date().toISOString();
  const bucket = { start: now, stop: now, toggles: { off: { yes: 0, no: 1 } } };
  const payload = { appName: 'shop', instanceId: 'one', bucket };
  const reported = await edge.ask('POST /api/proxy/client/metrics', { ...asBrowser, payload });
  expect(reported.statusCode).toBe(200);
});

test('an edge with BASE_PATH serves /api/proxy with and without that path', async () => {
  const below = await testEdge({ ...settings(), BASE_PATH: '/flags' });
  await isServed(below);
  for (const path of ['/flags/api/proxy', '/api/proxy', '/flags/api/frontend']) {
    expect((await below.ask(`GET ${path}`, asBrowser)).statusCode).toBe(200);
  }
  expect((await below.ask('GET /flagsapi/proxy', asBrowser)).statusCode).toBe(404);
});

test('DISABLE_ALL_ENDPOINT disables the endpoints that list disabled features', async () => {
  const shy = await testEdge({ ...settings(), DISABLE_ALL_ENDPOINT: 'true' });
  await isServed(shy);
  expect((await shy.ask('GET /api/frontend/all', asBrowser)).statusCode).toBe(404);
  expect((await shy.ask('GET /api/proxy/all', asBrowser)).statusCode).toBe(404);
  expect((await shy.ask('GET /api/frontend/features/off', asBrowser)).statusCode).toBe(200);
});
