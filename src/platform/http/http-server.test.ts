import { once } from 'node:events';
import { connect } from 'node:net';
import { platform } from 'node:os';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { closeLater } from '../../../test/support/closing.ts';
import { alsoListen, closeIdleConnections, createHttpServer, listen } from './http-server.ts';

async function serve() {
  const app = Fastify({ serverFactory: createHttpServer });
  app.get('/health', async () => 'fine');
  await listen(app, { host: 'localhost', port: 0 });
  closeLater(() => app.close());
  const address = app.server.address();
  return { app, port: typeof address === 'object' && address ? address.port : 0 };
}

test('a server on localhost answers on 127.0.0.1', async () => {
  const { port } = await serve();
  expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200);
});

// macOS has no second IPv4 address for loopback.
test.skipIf(platform() === 'darwin')(
  'connections on a second address belong to the same server',
  async () => {
    const { app, port } = await serve();
    await alsoListen(app.server, '127.0.0.2');
    const seen: string[] = [];
    app.server.on('request', ({ socket }) => seen.push(String(socket.localAddress)));
    const socket = connect(port, '127.0.0.2');
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
    });
    closeLater(async () => void socket.destroy());
    socket.write('GET /health HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(3));
    await expect.poll(() => text.match(/fine/g)?.length).toBe(3);
    expect(seen[0]).toBe('127.0.0.2');
  },
);

test('an address that the machine does not have is skipped', async () => {
  const { app } = await serve();
  await expect(alsoListen(app.server, '192.0.2.1')).resolves.toBeUndefined();
});

test('idle connections include those that never sent a request, but not those that began one', async () => {
  const { app, port } = await serve();
  const [silent, begun] = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')];
  closeLater(async () => void begun.destroy());
  begun.write('GET /health HTTP/1.1\r\n');
  await expect
    .poll(() => new Promise((count) => app.server.getConnections((_, open) => count(open))))
    .toBe(2);
  const closed = once(silent, 'close');
  await expect
    .poll(() => {
      closeIdleConnections(app.server);
      return silent.readableEnded || silent.destroyed;
    })
    .toBe(true);
  await closed;
  begun.write('host: x\r\n\r\n');
  const [answer] = await once(begun, 'data');
  expect(String(answer)).toContain('200 OK');
});
