import { beforeAll, expect, test } from 'vitest';
import { testApp } from '../../../test/support/app.ts';
import { clientToken } from '../../../test/support/tokens.ts';

let local: ReturnType<typeof testApp>;
beforeAll(() => {
  local = testApp();
});

const streaming = '/api/client/streaming';

test('streams are counted while open, and not in response times', async () => {
  const { app, ask } = await testApp();
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  const metrics = async () => (await ask('GET /internal-backstage/prometheus')).body;
  const open = async () => Number(/^http_open_streams (\d+)$/m.exec(await metrics())?.[1]);
  const follow = (authorization: string, signal: AbortSignal | null = null) =>
    fetch(`${address}${streaming}`, {
      headers: { authorization, accept: 'text/event-stream' },
      signal,
    });
  const payload = { tokenName: 'streamer', type: 'client' };
  const { id, secret } = (await ask('POST /api/admin/api-tokens', { payload })).json();
  const abort = new AbortController();
  const [ended] = [await follow(secret), await follow(clientToken, abort.signal)];
  expect(await open()).toBe(2);
  // The server ends one, the client the other.
  await ask(`DELETE /api/admin/api-tokens/${id}`);
  expect(await ended.text()).toContain('unleash-connected');
  abort.abort();
  await expect.poll(open).toBe(0);
  expect(await metrics()).not.toContain(streaming);
  // JSON responses and rejections of the same route are not counted as streams.
  for (const authorization of [clientToken, 'unknown']) {
    await fetch(`${address}${streaming}`, { headers: { authorization, accept: 'text/html' } });
  }
  for (const status of [200, 401]) {
    await expect.poll(metrics).toContain(`method="GET",route="${streaming}",status="${status}"`);
  }
  expect(await open()).toBe(0);
});

test.each([
  ['localhost', 200],
  ['LOCALHOST:4242', 200],
  ['127.0.0.1:4242', 200],
  ['[::1]:4242', 200],
  ['evil.example', 401],
  ['localhost.evil.example', 401],
  ['127.0.0.1.evil.example:4242', 401],
  ['localhost@evil.example', 401],
  ['192.0.2.7', 401],
])(
  'metrics without a token, requested locally with the Host %s, return %i',
  async (host, status) => {
    const { app } = await local;
    const response = await app.inject({ url: '/internal-backstage/prometheus', headers: { host } });
    expect(response.statusCode).toBe(status);
  },
);
