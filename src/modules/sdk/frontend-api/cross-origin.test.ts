import type { InjectOptions } from 'fastify';
import { beforeAll, describe, expect, test } from 'vitest';
import { appOn, type TestApp, testApp } from '../../../../test/support/app.ts';
import { clientToken, frontendToken } from '../../../../test/support/tokens.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});

const allow = (...frontendApiOrigins: string[]) =>
  app.ask('POST /api/admin/ui-config/cors', { payload: { frontendApiOrigins } });

const shop = 'https://shop.example.com';

const preflight = (url: string, { app: server }: TestApp = app, origin = shop) =>
  server.inject({
    method: 'OPTIONS',
    url,
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type,unleash-sdk',
    },
  });

const send = (method: 'GET' | 'POST', url: string, more: InjectOptions = {}) =>
  app.app.inject({
    method,
    url,
    ...more,
    headers: { origin: shop, authorization: frontendToken, ...more.headers },
  });

const paths = [
  '/api/frontend',
  '/api/frontend/client/metrics',
  '/api/frontend/client/register',
  '/ofrep/v1/evaluate/flags',
  '/ofrep/v1/evaluate/flags/some-flag',
];

describe('cross-origin requests', () => {
  // Must run first, before any origin is configured.
  test.each(paths)('to %s are allowed from any origin by default', async (url) => {
    const { statusCode, body, headers } = await preflight(url);
    expect([statusCode, body]).toEqual([204, '']);
    expect(headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-headers': 'authorization,content-type,unleash-sdk',
      'access-control-allow-methods': 'GET, HEAD, POST',
      'access-control-max-age': '7200',
      vary: 'Origin, Access-Control-Request-Headers',
    });
    expect(headers['access-control-allow-credentials']).toBeUndefined();
  });

  test.each(paths)('to %s are allowed from configured origins only', async (url) => {
    await allow(shop, 'https://other.example.com');
    const allowed = await preflight(url);
    expect(allowed.headers['access-control-allow-origin']).toBe(shop);
    for (const origin of ['https://evil.example.com', 'http://shop.example.com', 'null']) {
      const refused = await preflight(url, app, origin);
      expect(refused.headers['access-control-allow-origin']).toBeUndefined();
      expect(refused.headers.vary).toContain('Origin');
    }
    await allow();
    expect((await preflight(url)).headers['access-control-allow-origin']).toBeUndefined();
  });

  test('can read the response and its ETag from another site', async () => {
    await allow(shop);
    const { headers } = await send('GET', '/api/frontend');
    expect(headers).toMatchObject({
      'access-control-allow-origin': shop,
      'access-control-expose-headers': 'ETag, x-burgee-stale-seconds',
      'cross-origin-resource-policy': 'cross-origin',
      vary: 'Accept-Encoding, Origin',
    });
    const again = await send('GET', '/api/frontend', {
      headers: { 'if-none-match': String(headers.etag) },
    });
    expect([again.statusCode, again.headers['access-control-allow-origin']]).toEqual([304, shop]);
  });

  test('can read every error', async () => {
    await allow(shop);
    const flag = '/ofrep/v1/evaluate/flags/none';
    const answers = [
      [401, await send('GET', '/api/frontend', { headers: { authorization: '' } })],
      [403, await send('GET', '/api/frontend', { headers: { authorization: clientToken } })],
      [400, await send('GET', '/api/frontend?userId=1&userId=2')],
      [404, await send('GET', '/api/frontend/all')],
      [415, await send('POST', '/api/frontend', { payload: '<a/>' })],
      [401, await send('POST', flag, { headers: { authorization: '' } })],
      [404, await send('POST', flag, { payload: {} })],
      [400, await send('POST', flag, { payload: { context: 7 } })],
      [404, await send('POST', '/ofrep/v2/anything')],
    ] as const;
    for (const [status, { statusCode, headers, body }] of answers) {
      expect([statusCode, headers['access-control-allow-origin']], body).toEqual([status, shop]);
    }
  });

  test('are not allowed to other endpoints, and responses without an origin have no CORS headers', async () => {
    await allow('*');
    const admin = await send('GET', '/api/admin/projects');
    expect(admin.headers['access-control-allow-origin']).toBeUndefined();
    expect(admin.headers['cross-origin-resource-policy']).toBe('same-origin');
    expect((await preflight('/api/admin/projects')).statusCode).toBe(401);
    const program = await app.app.inject({
      url: '/api/frontend',
      headers: { authorization: frontendToken },
    });
    expect(program.headers['access-control-allow-origin']).toBeUndefined();
  });
});

test('changed origins take effect on every instance', async () => {
  await allow('*');
  const other = await appOn(app);
  const allowedThere = async () =>
    (await preflight('/api/frontend', other)).headers['access-control-allow-origin'];
  expect(await allowedThere()).toBe('*');
  await allow(shop);
  await expect.poll(allowedThere).toBe(shop);
  expect((await preflight('/api/frontend')).headers['access-control-allow-origin']).toBe(shop);
});
