import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import Fastify from 'fastify';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type TestApp, testApp } from '../../../test/support/app.ts';
import { happen } from '../../../test/support/happen.ts';
import { adminToken, clientToken } from '../../../test/support/tokens.ts';
import { arrivalLimits, registerArrival } from './arrival.ts';
import type { LargeBodies } from './large-bodies.ts';

const shape = {
  id: expect.stringMatching(/^[0-9a-f-]{36}$/),
  name: expect.stringMatching(/^[A-Z]\w+$/),
  message: expect.stringMatching(/./),
  details: expect.any(Array),
};

let app: TestApp;
let port: number;

beforeAll(async () => {
  app = await testApp({ limits: { bodyMs: 200, largeBodyMs: 600_000, progressMs: 600_000 } });
  await app.app.listen({ port: 0, host: '127.0.0.1' });
  port = (app.app.server.address() as AddressInfo).port;
});

/** Returns the response received until the server closes the connection. */
const raw = (text: string): Promise<{ status: number; body: string }> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    let answer = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('error', reject);
    socket.on('close', () => {
      const [head = '', ...body] = answer.split('\r\n\r\n');
      resolve({ status: Number(head.split(' ')[1]), body: body.join('\r\n\r\n') });
    });
  });

describe('a request that Node would reject itself', () => {
  test.each([
    ['no Host', 'GET /health HTTP/1.1\r\nconnection: close\r\n\r\n', 400],
    ['two Hosts', 'GET /health HTTP/1.1\r\nhost: a\r\nhost: b\r\nconnection: close\r\n\r\n', 400],
    ['an unknown expectation', 'GET /health HTTP/1.1\r\nhost: a\r\nexpect: xyz\r\n\r\n', 417],
    ['an unknown method', 'PROPFIND / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n', 404],
  ])('gets the standard error format: %s', async (_what, request, expected) => {
    const { status, body } = await raw(request);
    expect(status).toBe(expected);
    expect(JSON.parse(body)).toEqual(shape);
  });

  test('with two Authorization headers is rejected with 401', async () => {
    const { status } = await raw(
      `GET /api/admin/projects HTTP/1.1\r\nhost: a\r\nauthorization: ${adminToken}\r\nauthorization: ${clientToken}\r\nconnection: close\r\n\r\n`,
    );
    expect(status).toBe(401);
  });

  test('without a Host header is accepted with HTTP/1.0', async () => {
    expect((await raw('GET /health HTTP/1.0\r\n\r\n')).status).toBe(200);
  });
});

describe('a body that does not arrive', () => {
  test('returns 408 and closes the connection', async () => {
    const { status, body } = await raw(
      'POST /auth/simple/login HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{',
    );
    expect(status).toBe(408);
    expect(JSON.parse(body)).toEqual({ ...shape, name: 'RequestTimeoutError' });
  });

  test('returns 408 with chunked encoding as well', async () => {
    const { status } = await raw(
      'POST /auth/simple/login HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n1\r\n{\r\n',
    );
    expect(status).toBe(408);
  });

  test('is limited by Node to the longest time that a body may take', () => {
    expect(app.app.server.requestTimeout).toBe(600_000);
  });
});

test('the time a body waits for its permit does not count', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const permits: (() => void)[] = [];
  const admitGrown = () => new Promise<void>((resolve) => permits.push(resolve));
  const small = Fastify();
  onTestFinished(() => small.close());
  registerArrival(small, {
    stopping: new AbortController().signal,
    limits: arrivalLimits,
    largeBodies: { admitGrown } as unknown as LargeBodies,
  });
  small.post('/', async ({ body }) => ({ length: (body as string).length }));
  await small.listen({ port: 0, host: '127.0.0.1' });
  const { port } = small.server.address() as AddressInfo;
  const body = JSON.stringify('x'.repeat(200_000));
  const request = httpRequest({
    ...{ port, host: '127.0.0.1', method: 'POST', agent: false },
    headers: { 'content-type': 'application/json' },
  });
  const answered = once(request, 'response');
  request.end(body);
  while (permits.length === 0) await new Promise(setImmediate);
  vi.advanceTimersByTime(10 * arrivalLimits.bodyMs);
  permits[0]?.();
  const [response] = (await answered) as [IncomingMessage];
  response.resume();
  expect(response.statusCode).toBe(200);
});

test('a stream may last longer than the time limit of requests', async () => {
  const abort = new AbortController();
  const response = await fetch(`http://127.0.0.1:${port}/api/admin/search/events`, {
    headers: { authorization: adminToken, accept: 'text/event-stream' },
    signal: abort.signal,
  });
  const reader = response.body?.getReader();
  // The slow body starts after the stream and reaches its time limit while the stream is open.
  await raw(
    'POST /auth/simple/login HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{',
  );
  // Not through the server, where a body has as little time as the slow one.
  await happen(app.db, { type: 'project-created', project: 'streamed' });
  let text = '';
  while (!text.includes('project-created')) {
    const chunk = await reader?.read();
    expect(chunk?.done).toBe(false);
    text += new TextDecoder().decode(chunk?.value);
  }
  abort.abort();
});

test('the server accepts only as many connections as configured', async () => {
  const small = await testApp({ config: { maxConnections: 3 } });
  await small.app.listen({ port: 0, host: '127.0.0.1' });
  const port = (small.app.server.address() as AddressInfo).port;
  const open = () =>
    new Promise<'open' | 'closed'>((resolve) => {
      const socket = connect(port, '127.0.0.1', () =>
        socket.write('GET /health HTTP/1.1\r\nhost: a\r\n\r\n'),
      );
      socket.once('data', () => resolve('open'));
      socket.once('close', () => resolve('closed'));
      socket.once('error', () => resolve('closed'));
    });
  const outcomes = [await open(), await open(), await open(), await open()];
  expect(outcomes).toEqual(['open', 'open', 'open', 'closed']);
});

test('a pipelined second stream waits for the first, and both end with the connection', async () => {
  const app = await testApp();
  await app.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.app.server.address() as AddressInfo;
  const tail = `GET /api/admin/search/events HTTP/1.1\r\nhost: x\r\nauthorization: ${adminToken}\r\naccept: text/event-stream\r\n\r\n`;
  const openStreams = async () =>
    /^http_open_streams (\d+)/m.exec(
      (await app.ask('GET /internal-backstage/prometheus')).body,
    )?.[1];
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(tail.repeat(5));
  await expect.poll(openStreams).toBe('1');
  socket.destroy();
  await expect.poll(openStreams).toBe('0');
});
