import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { closeLater } from '../../../../test/support/closing.ts';
import { createReadingClient, type WaitingClock } from './client.ts';

/** A clock whose time passes only while something waits. */
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

/** Allows this many requests per second. */
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
  'a server that allows 10 requests per second is read completely at a lower rate (%s)',
  async (_, retryAfter) => {
    const clock = fakeClock();
    const limited = limiter(clock, 10, retryAfter);
    const url = await serve(limited.answer);
    const client = createReadingClient({ url, token: '', concurrency: 8, rate: 100, clock });
    const paths = Array.from({ length: 120 }, (_each, index) => `/api/${index}`);
    const found = await Promise.all(paths.map((path) => client.get(path)));
    expect(found).toHaveLength(120);
    expect(limited.refused).toBeGreaterThan(0);
    // Without slowing down, nine of ten requests would be rejected.
    expect(limited.refused).toBeLessThan(60);
  },
);

test('a server that keeps responding with 429 leads to an error that names --rate', async () => {
  const clock = fakeClock();
  let requests = 0;
  const url = await serve((response) => {
    requests += 1;
    response.writeHead(429, json).end('{}');
  });
  const client = createReadingClient({ url, token: '', concurrency: 1, rate: 100, clock });
  await expect(client.get('/api/x')).rejects.toThrow(/429 \(too many requests.*--rate below 100/);
  expect(requests).toBeLessThan(30);
  expect(clock.time).toBeLessThanOrEqual(5 * 60_000);
});

test('a Retry-After of an hour fails at once', async () => {
  const clock = fakeClock();
  const url = await serve((response) => {
    response.writeHead(429, { ...json, 'retry-after': '3600' }).end('{}');
  });
  const client = createReadingClient({ url, token: '', concurrency: 1, rate: 100, clock });
  await expect(client.get('/api/x')).rejects.toThrow('retry after 3600 s');
  expect(clock.time).toBe(0);
});

test('a long queue behind a slow server does not count as waiting for it', async () => {
  const clock = fakeClock();
  // One request in five seconds: 100 of them take longer than the limit for waiting of one request.
  const limited = limiter({ ...clock, now: () => clock.time / 5 }, 1, () => '5');
  const url = await serve(limited.answer);
  const client = createReadingClient({ url, token: '', concurrency: 4, rate: 100, clock });
  const paths = Array.from({ length: 100 }, (_each, index) => `/api/${index}`);
  await expect(Promise.all(paths.map((path) => client.get(path)))).resolves.toHaveLength(100);
  expect(clock.time).toBeGreaterThan(5 * 60_000);
});

test('a failing server is retried three times, and the error does not blame --url', async () => {
  const clock = fakeClock();
  const paths: string[] = [];
  const url = await serve((response, path) => {
    paths.push(path);
    response.writeHead(500, json).end('{"name":"InternalServerError"}');
  });
  const client = createReadingClient({ url, token: '', concurrency: 1, rate: 100, clock });
  const failure = await client.get('/api/client/features').catch((error: Error) => error.message);
  expect(failure).toBe(
    `${url} responded to GET /api/client/features with 500, even after 3 retries. Check its log and that of its proxy, or try again later.`,
  );
  expect(paths).toEqual(Array(4).fill('/api/client/features'));
});

const damaged: [what: string, respond: (response: ServerResponse) => void, message: string][] = [
  [
    'is not gzip although it says so',
    (response) => response.writeHead(200, { ...json, 'content-encoding': 'gzip' }).end('{}'),
    "its response can't be decompressed",
  ],
  [
    'ends in the middle of gzip',
    (response) =>
      response
        .writeHead(200, { ...json, 'content-encoding': 'gzip' })
        .end(gzipSync('{"a":"0123456789"}').subarray(0, -12)),
    'with invalid or incomplete JSON',
  ],
  [
    'ends before its length',
    (response) => {
      response.writeHead(200, { ...json, 'content-length': '100' });
      response.write('{}', () => response.destroy());
    },
    'it closed the connection before its response was complete',
  ],
  [
    'ends without its last chunk',
    (response) => {
      response.writeHead(200, json);
      response.write('{', () => response.destroy());
    },
    'it closed the connection before its response was complete',
  ],
  [
    'never begins',
    (response) => response.destroy(),
    'it closed the connection before its response was complete',
  ],
  [
    'is half of its JSON',
    (response) => response.writeHead(200, json).end('{"a":'),
    'with invalid or incomplete JSON',
  ],
];

test.each(damaged)('a response that %s is retried', async (_what, respond, message) => {
  let requests = 0;
  const url = await serve((response, path) => {
    requests += 1;
    if (path === '/api/first' || (path === '/api/now-and-then' && requests % 2 === 0)) {
      response.writeHead(200, json).end('{}');
    } else respond(response);
  });
  const options = { url, token: '', concurrency: 1, rate: 100, clock: fakeClock() };
  const client = createReadingClient(options);
  await client.get('/api/first');
  requests = 0;
  await expect(client.get('/api/now-and-then')).resolves.toEqual({});
  requests = 0;
  const failure = await client.get('/api/x').catch((error: Error) => error.message);
  expect(failure).toContain(`GET /api/x`);
  expect(failure).toContain(' after 3 retries');
  expect(failure).toContain(message);
  expect(failure).not.toContain('--url');
  expect(failure).not.toContain('cannot be reached');
  expect(requests).toBe(4);
});

test.each([
  [404, json, 'Is a proxy blocking it?'],
  [404, { 'content-type': 'text/html' }, 'Check its log and that of its proxy'],
  [302, { location: '/login' }, 'Check its log and that of its proxy'],
  [200, { 'content-type': 'text/html' }, 'Check its log and that of its proxy'],
])(
  'after a successful request, the error for %d with %j does not blame --url',
  async (status, headers, hint) => {
    let isRight = false;
    const url = await serve((response) => {
      if (isRight) response.writeHead(200, json).end('{}');
      else response.writeHead(status, headers).end('<html>');
    });
    const options = { url, token: '', concurrency: 1, rate: 100, clock: fakeClock() };
    const client = createReadingClient(options);
    await expect(client.get('/api/x')).rejects.toThrow('Is --url the URL of Unleash');
    isRight = true;
    await client.get('/api/x');
    isRight = false;
    const failure = await client.get('/api/x').catch((error: Error) => error.message);
    expect(failure).toContain(hint);
    expect(failure).not.toContain('--url');
  },
);

test.each(['0', '-5', '1e9', '99999999999999999999', 'soon', '', 'Fri, 01 Jan 2100 00:00:00 GMT'])(
  'a Retry-After of "%s" causes neither an endless wait nor endless requests',
  async (retryAfter) => {
    const clock = fakeClock();
    let requests = 0;
    const url = await serve((response) => {
      requests += 1;
      response.writeHead(429, { ...json, 'retry-after': retryAfter }).end('{}');
    });
    const client = createReadingClient({ url, token: '', concurrency: 1, rate: 100, clock });
    await expect(client.get('/api/x')).rejects.toThrow('429 (too many requests');
    expect(requests).toBeLessThan(30);
    expect(clock.time).toBeLessThanOrEqual(5 * 60_000);
  },
);
