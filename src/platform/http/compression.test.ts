import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import Fastify, { type FastifyReply, type InjectOptions } from 'fastify';
import { describe, expect, test } from 'vitest';
import { closeLater } from '../../../test/support/closing.ts';
import type { Endpoint } from '../contract/endpoint.ts';
import { registerCompression } from './compression.ts';
import { registerErrorHandler } from './error-handler.ts';
import { sendPieces } from './prepared-response.ts';
import { addVary } from './vary.ts';

const text = JSON.stringify({ text: 'größer '.repeat(500) });
const gzip = { 'accept-encoding': 'gzip' };

/** A server with one route, whose handler sends the response. */
function server(send: (reply: FastifyReply) => unknown, endpoint: Partial<Endpoint> = {}) {
  const app = Fastify({ forceCloseConnections: true });
  app.decorateRequest('routeConfig', null);
  app.addHook('onRequest', async (request) => {
    request.routeConfig = request.routeOptions.config;
  });
  registerErrorHandler(app);
  registerCompression(app);
  const config = { endpoint: { permission: 'none', ...endpoint } as Endpoint };
  app.get('/', { config }, async (_request, reply) => send(reply));
  closeLater(() => app.close());
  const get = (headers: Record<string, string> = {}, options: InjectOptions = {}) =>
    app.inject({ url: '/', headers, ...options });
  return { app, get };
}

describe('a response', () => {
  const { get } = server((reply) => reply.type('application/json').send(text));

  test.each([
    ['gzip', true],
    ['gzip, deflate, br, zstd', true],
    ['deflate;q=0.5, GZIP;q=0.001', true],
    ['identity;q=0, gzip', true],
    ['gzip;q=0', false],
    ['gzip;q=0.000', false],
    ['br', false],
    ['*', false],
    ['identity', false],
    ['identity;q=0', false],
    ['', false],
    [',;=,gzipped, x-gzip', false],
  ])('for Accept-Encoding "%s" is compressed: %s', async (coding, isCompressed) => {
    const { headers, rawPayload } = await get({ 'accept-encoding': coding });
    expect(headers['content-encoding']).toBe(isCompressed ? 'gzip' : undefined);
    expect(headers['content-length']).toBe(String(rawPayload.length));
    expect(headers.vary).toBe('Accept-Encoding');
    expect(String(isCompressed ? gunzipSync(rawPayload) : rawPayload)).toBe(text);
  });

  test('without Accept-Encoding is not compressed', async () => {
    const { headers, body } = await get();
    expect([headers['content-encoding'], body]).toEqual([undefined, text]);
  });

  test('to HEAD has the headers of GET', async () => {
    const ofGet = await get(gzip);
    const ofHead = await get(gzip, { method: 'HEAD' });
    expect(ofHead.body).toBe('');
    expect({ ...ofHead.headers, date: '' }).toEqual({ ...ofGet.headers, date: '' });
  });
});

test.each([
  [1023, undefined],
  [1024, 'gzip'],
])('a response of %i bytes has the content encoding %s', async (bytes, encoding) => {
  // Half as many characters as bytes.
  const { get } = server((reply) =>
    reply.send(`${'ä'.repeat(Math.floor(bytes / 2))}${'x'.repeat(bytes % 2)}`),
  );
  expect((await get(gzip)).headers['content-encoding']).toBe(encoding);
});

test('a response that is compressed already is sent unchanged', async () => {
  const { get } = server((reply) =>
    reply.header('content-encoding', 'gzip').send(Buffer.from(text)),
  );
  const { headers, rawPayload } = await get(gzip);
  expect([headers['content-encoding'], String(rawPayload)]).toEqual(['gzip', text]);
});

test.each<[string, Partial<Endpoint>]>([
  ['with a secret', { secretInResponse: true }],
  ['that anybody may request', { permission: 'public' }],
])('a response %s is not compressed', async (_what, endpoint) => {
  const { get } = server((reply) => reply.send(text), endpoint);
  expect((await get(gzip)).headers).not.toHaveProperty('content-encoding');
});

test('an error is not compressed', async () => {
  const { get } = server((reply) => reply.status(400).send(text));
  expect((await get(gzip)).headers).not.toHaveProperty('content-encoding');
});

test('other headers on which a response depends stay in Vary', async () => {
  const { app, get } = server((reply) => reply.header('vary', 'Origin').send(text));
  app.addHook('onSend', async (_request, reply) => {
    addVary(reply, 'Origin');
    addVary(reply, 'Accept');
  });
  expect((await get(gzip)).headers.vary).toBe('Origin, Accept-Encoding, Accept');
});

describe('a stream', () => {
  const pieces = Array.from({ length: 20_000 }, (_, nth) => `{"id":${nth},"name":"größer"}\n`);

  test('is compressed while it is sent', async () => {
    const { get } = server((reply) => sendPieces(reply, pieces));
    const { headers, rawPayload } = await get(gzip);
    expect(headers['content-encoding']).toBe('gzip');
    expect(headers).not.toHaveProperty('content-length');
    expect(String(gunzipSync(rawPayload)) === pieces.join('')).toBe(true);
    expect((await get()).body === pieces.join('')).toBe(true);
    const head = await get(gzip, { method: 'HEAD' });
    expect([head.statusCode, head.body]).toEqual([200, '']);
  });

  test('that fails before its first byte is answered with an error that is not compressed', async () => {
    const { app } = server((reply) =>
      reply.send(
        new Readable({
          read() {
            this.destroy(new Error('no such list'));
          },
        }),
      ),
    );
    const url = await app.listen({ port: 0, host: '127.0.0.1' });
    const response = await fetch(url, { headers: gzip });
    expect([response.status, response.headers.get('content-encoding')]).toEqual([500, null]);
    expect(await response.json()).toMatchObject({ name: 'InternalError' });
  });

  test('that fails later ends the connection', async () => {
    const { app } = server((reply) => {
      // Incompressible, so that a part of it is sent.
      function* failing() {
        for (let nth = 0; nth < 20; nth += 1) yield randomBytes(64 * 1024);
        throw new Error('lost');
      }
      return reply.send(Readable.from(failing(), { objectMode: false }));
    });
    const url = await app.listen({ port: 0, host: '127.0.0.1' });
    const response = await fetch(url, { headers: gzip });
    expect(response.status).toBe(200);
    await expect(response.arrayBuffer()).rejects.toThrow();
  });

  test('ends when the client leaves', async () => {
    let isClosed = false;
    const { app } = server((reply) => {
      function* endless() {
        try {
          for (;;) yield `${Math.random()}`.repeat(4_000);
        } finally {
          isClosed = true;
        }
      }
      return sendPieces(reply, endless());
    });
    const url = await app.listen({ port: 0, host: '127.0.0.1' });
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nhost: x\r\naccept-encoding: gzip\r\n\r\n');
    await once(socket, 'data');
    expect(isClosed).toBe(false);
    socket.destroy();
    await expect.poll(() => isClosed).toBe(true);
  });
});
