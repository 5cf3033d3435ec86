import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { closeLater } from '../../../../test/support/closing.ts';
import { createReadingClient, type WaitingClock } from './client.ts';

/** A clock whose time passes only while somebody waits. */
function fakeClock(): WaitingClock & { time: number } {
  const clock = {
    time: 0,
    now: () => clock.time,
    sleep: async (ms: number) => {
      const until = clock.time + ms;
      await new Promise((resolve) => setImmediate(resolve));
      clock.time = Math.max(clock.time, until);
    },
  };
  return clock;
}

async function serve(answer: (response: ServerResponse, path: string) => void): Promise<string> {
  const server = createServer((request, response) => answer(response, request.url ?? ''));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closeLater(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const json = { 'content-type': 'application/json' };

/** Allows so many requests in each second. */
function limiter(clock: WaitingClock, perSecond: number, retryAfter: () => string) {
  let [second, count, refused] = [0, 0, 0];
  return {
    get refused() {
      return refused;
    },
    answer(response: ServerResponse) {
      const now = Math.floor(clock.now() / 1000);
      if (now !== second) [second, count] = [now, 0];
      count += 1;
      if (count <= perSecond) {
        response.writeHead(200, json).end('{}');
        return;
      }
      refused += 1;
      response.writeHead(429, { ...json, 'retry-after': retryAfter() }).end('{}');
    },
  };
}

test.each([
  ['seconds', () => '1'],
  ['a date', () => new Date(Date.now() + 2000).toUTCString()],
])(
  'a server that allows 10 requests a second is read completely, more slowly (%s)',
  async (_, retryAfter) => {
    const clock = fakeClock();
    const limited = limiter(clock, 10, retryAfter);
    const url = await serve(limited.answer);
    const client = createReadingClient({ url, token: '', concurrency: 8, rate: 100, clock });
    const paths = Array.from({ length: 120 }, (_each, index) => `/api/${index}`);
    const found = await Promise.all(paths.map((path) => client.get(path)));
    expect(found).toHaveLength(120);
    expect(limited.refused).toBeGreaterThan(0);
    // It does not go on asking at the old pace: without slowing down, nine of ten requests would be refused.
    expect(limited.refused).toBeLessThan(60);
  },
);

test('a server that goes on refusing is given up, with the option that helps', async () => {
  const clock = fakeClock();
  let requests = 0;
  const url = await serve((response) => {
    requests += 1;
    response.writeHead(429, json).end('{}');
  });
  const client = createReadingClient({ url, token: '', concurrency: 1, rate: 100, clock });
  await expect(client.get('/api/x')).rejects.toThrow(/429: too many requests.*--rate below 100/);
  expect(requests).toBeLessThan(30);
  expect(clock.time).toBeLessThanOrEqual(5 * 60_000);
});

test('a server that asks to wait for an hour is not waited for', async () => {
  const clock = fakeClock();
  const url = await serve((response) => {
    response.writeHead(429, { ...json, 'retry-after': '3600' }).end('{}');
  });
  const client = createReadingClient({ url, token: '', concurrency: 1, rate: 100, clock });
  await expect(client.get('/api/x')).rejects.toThrow('asks to wait 3600 s');
  expect(clock.time).toBe(0);
});

test('a long queue behind a slow server does not count as waiting for it', async () => {
  const clock = fakeClock();
  // One request in five seconds: 100 of them take longer than any request may be refused.
  const limited = limiter({ ...clock, now: () => clock.time / 5 }, 1, () => '5');
  const url = await serve(limited.answer);
  const client = createReadingClient({ url, token: '', concurrency: 4, rate: 100, clock });
  const paths = Array.from({ length: 100 }, (_each, index) => `/api/${index}`);
  await expect(Promise.all(paths.map((path) => client.get(path)))).resolves.toHaveLength(100);
  expect(clock.time).toBeGreaterThan(5 * 60_000);
});

test('a server that fails is asked again, and then blamed instead of --url', async () => {
  const clock = fakeClock();
  const paths: string[] = [];
  const url = await serve((response, path) => {
    paths.push(path);
    response.writeHead(500, json).end('{"name":"InternalServerError"}');
  });
  const client = createReadingClient({ url, token: '', concurrency: 1, rate: 100, clock });
  const failure = await client.get('/api/client/features').catch((error: Error) => error.message);
  expect(failure).toBe(
    `${url} responds to GET /api/client/features with 500, even after 3 retries. Look for the reason in its log, or try again later.`,
  );
  expect(paths).toEqual(Array(4).fill('/api/client/features'));
});
