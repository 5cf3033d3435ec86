import { beforeAll, describe, expect, test } from 'vitest';
import { testEdge } from '../support/edge.ts';
import { type FakeUpstream, fakeUpstream, sentFeature } from '../support/fake-upstream.ts';
import { clientToken } from '../support/tokens.ts';

const ofOne = 'one:development.secret-of-one';
const stranger = { 'x-forwarded-for': '203.0.113.7' };
let upstream: FakeUpstream;

beforeAll(async () => {
  upstream = await fakeUpstream();
  upstream.state.tokens = [
    { token: clientToken, type: 'client', projects: ['*'] },
    { token: ofOne, type: 'client', projects: ['one'] },
  ];
  upstream.state.features = {
    '*': [sentFeature('a', { project: 'one' }), sentFeature('b', { project: 'two' })],
  };
});

test('the backstage shows a token only the features and tokens that it has access to', async () => {
  const edge = await testEdge({
    UPSTREAM_URL: upstream.url,
    TOKENS: [clientToken, ofOne].join(),
    TRUST_PROXY: 'true',
  });
  const seen = async (token: string) => {
    const asked = { token, headers: stranger };
    const { body: features } = await edge.ask('GET /internal-backstage/features', asked);
    const { body: tokens } = await edge.ask('GET /internal-backstage/tokens', asked);
    const [{ features: found } = { features: [] }] = JSON.parse(features).environments ?? [];
    return [
      found.map(({ name }: { name: string }) => name),
      JSON.parse(tokens).token_refreshes?.map(({ projects }: { projects: string[] }) => projects),
    ];
  };
  await expect
    .poll(() => seen(clientToken))
    .toEqual([
      ['a', 'b'],
      [['*'], ['one']],
    ]);
  expect(await seen(ofOne)).toEqual([['a'], [['one']]]);
});

test.each(['Bearer ', 'bearer  '])(
  'an edge accepts a token after "%s", as the server does',
  async (word) => {
    const edge = await testEdge({ UPSTREAM_URL: upstream.url, TOKENS: clientToken });
    const status = async (token: string) =>
      (await edge.ask('GET /api/client/features', { token })).statusCode;
    await expect.poll(() => status(clientToken)).toBe(200);
    expect(await status(`${word}${clientToken}`)).toBe(200);
    expect(await status(`${word}${clientToken}x`)).toBe(401);
  },
);

describe('an address that is not allowed', () => {
  test.each([
    'GET /api/client/features',
    'GET /api/unknown',
    'GET /api/%E0',
    'GET /internal-backstage/tokens',
    'POST /edge/validate',
  ] as const)('gets 403 for %s before its token is validated', async (request) => {
    const edge = await testEdge({
      UPSTREAM_URL: upstream.url,
      TRUST_PROXY: 'true',
      ALLOW_LIST: '10.0.0.0/8',
    });
    const before = upstream.asked.get('/edge/validate');
    const token = '*:development.invented';
    const { statusCode } = await edge.ask(request, { token, headers: stranger });
    expect(statusCode).toBe(403);
    expect(upstream.asked.get('/edge/validate')).toBe(before);
  });
});

test('usage of features outside the projects of its token is dropped', async () => {
  const browser = 'one:development.browser';
  upstream.state.tokens.push({ token: browser, type: 'frontend', projects: ['one'] });
  const edge = await testEdge({
    UPSTREAM_URL: upstream.url,
    TOKENS: [clientToken, browser].join(),
    METRICS_INTERVAL_SECONDS: '1',
  });
  await expect
    .poll(async () => (await edge.ask('GET /internal-backstage/ready')).statusCode)
    .toBe(200);
  const now = new Date().toISOString();
  const counts = { yes: 1, no: 0 };
  const bucket = { start: now, stop: now, toggles: { a: counts, b: counts, unknown: counts } };
  const { statusCode } = await edge.ask('POST /api/frontend/client/metrics', {
    token: browser,
    payload: { appName: 'shop', instanceId: 'one', bucket },
  });
  expect(statusCode).toBe(200);
  const sent = () =>
    upstream.reports
      .map(({ token, body }) => ({ token, body: body as { metrics?: object[] } }))
      .filter(({ body: { metrics = [] } }) => metrics.length > 0);
  const metrics = [{ featureName: 'a' }, { featureName: 'unknown' }];
  await expect
    .poll(sent)
    .toMatchObject([{ token: clientToken, body: { isPublic: true, metrics } }]);
});
