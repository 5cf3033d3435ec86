import { connect } from 'node:net';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { closeLater } from '../../../../test/support/closing.ts';
import { sendAnswer } from './send.ts';

test('at most two responses that are too large to cache are rendered concurrently per address', async () => {
  let arrived = 0;
  let begun = 0;
  function* endless() {
    begun += 1;
    for (;;) yield 'x'.repeat(1_000);
  }
  const app = Fastify({ forceCloseConnections: true });
  app.get('/health', async () => 'fine');
  app.get('/large', (request, reply) => {
    arrived += 1;
    const answer = {
      entityTag: '"x"',
      gzipped: async () => undefined,
      plain: async () => undefined,
      pieces: endless,
      atOnce: () => Buffer.alloc(0),
    };
    return sendAnswer(request, reply, answer);
  });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  closeLater(() => app.close());
  const sockets = Array.from({ length: 6 }, () => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.on('error', () => undefined);
    socket.pause();
    socket.write('GET /large HTTP/1.1\r\nhost: x\r\n\r\n');
    return socket;
  });
  await expect.poll(() => arrived).toBe(6);
  await expect.poll(() => begun).toBe(2);
  expect((await fetch(`${url}/health`)).status).toBe(200);
  expect(begun).toBe(2);
  sockets[0]?.destroy();
  await expect.poll(() => begun).toBe(3);
  for (const socket of sockets) socket.destroy();
});
