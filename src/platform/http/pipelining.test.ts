import { channel } from 'node:diagnostics_channel';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { closeLater } from '../../../test/support/closing.ts';
import { limitPipelining } from './pipelining.ts';

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

async function serverWith(handle: Handle) {
  const server = createServer();
  limitPipelining(server, handle);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closeLater(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  const open = () => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    closeLater(async () => void socket.destroy());
    return socket;
  };
  return { server, open };
}

/** Collects what a connection receives. */
function read(socket: Socket): () => string {
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk) => {
    text += chunk;
  });
  return () => text;
}

const get = (path: string | number) => `GET /${path} HTTP/1.1\r\nhost: x\r\n\r\n`;
const numbers = (count: number) => Array.from({ length: count }, (_, nth) => nth);
const namedIn = (text: string) => [...text.matchAll(/<(\w+)>/g)].map(([, name]) => name);

test('pipelined requests are handled one after the other and answered in order', async () => {
  let underWay = 0;
  let most = 0;
  const { open } = await serverWith(async ({ url }, response) => {
    underWay += 1;
    most = Math.max(most, underWay);
    await new Promise(setImmediate);
    underWay -= 1;
    response.end(`<${url?.slice(1)}>`);
  });
  const socket = open();
  const received = read(socket);
  socket.write(numbers(2_000).map(get).join(''));
  await expect.poll(() => namedIn(received()).length, { timeout: 60_000 }).toBe(2_000);
  expect(namedIn(received())).toEqual(numbers(2_000).map(String));
  expect(most).toBe(1);
});

test('a client that does not read gets only one response prepared, and others are served', async () => {
  const large = Buffer.alloc(64 * 1024 * 1024);
  const begun = { large: 0, small: 0 };
  const { open } = await serverWith(({ url }, response) => {
    begun[url === '/large' ? 'large' : 'small'] += 1;
    response.end(url === '/large' ? large : '<small>');
  });
  const greedy = open();
  greedy.pause();
  greedy.write(get('large').repeat(1_000));
  await expect.poll(() => begun.large).toBe(1);
  const modest = open();
  const received = read(modest);
  for (const nth of numbers(20)) {
    modest.write(get('small'));
    await expect.poll(() => namedIn(received()).length).toBe(nth + 1);
  }
  expect(begun).toEqual({ large: 1, small: 20 });
});

test('at most two kilobytes are parsed ahead', async () => {
  const parsed = channel('http.server.request.start');
  let count = 0;
  const seen = () => {
    count += 1;
  };
  parsed.subscribe(seen);
  closeLater(async () => void parsed.unsubscribe(seen));
  let answer: () => void = () => undefined;
  const { open } = await serverWith((_, response) => {
    answer = () => response.end();
  });
  const shortest = 'GET / HTTP/1.1\r\n\r\n';
  const socket = open();
  const received = read(socket);
  socket.write(`GET / HTTP/1.1\r\nhost: x\r\n\r\n`);
  socket.write(get(1).repeat(1_000));
  await expect.poll(() => count).toBeGreaterThan(1);
  const ahead = count;
  expect(ahead).toBeLessThanOrEqual(2 + (2 * 1024) / shortest.length);
  answer();
  await expect.poll(received).toContain('200 OK');
  expect(count).toBe(ahead);
});

test('bodies between requests arrive complete', async () => {
  const { open } = await serverWith((request, response) => {
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
    });
    request.on('end', () => response.end(`<${length}>`));
  });
  const socket = open();
  const received = read(socket);
  const lengths = numbers(40).map((nth) => nth * 5_000);
  for (const length of lengths) {
    socket.write(`POST / HTTP/1.1\r\nhost: x\r\ncontent-length: ${length}\r\n\r\n`);
    socket.write('x'.repeat(length));
  }
  await expect.poll(() => namedIn(received()).length, { timeout: 60_000 }).toBe(40);
  expect(namedIn(received())).toEqual(lengths.map(String));
});

test('an unread body does not block the connection', async () => {
  const { open } = await serverWith((_, response) => response.end('<answered>'));
  const socket = open();
  const received = read(socket);
  const body = 'x'.repeat(300_000);
  const post = `POST / HTTP/1.1\r\nhost: x\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
  socket.write(post.repeat(5));
  await expect.poll(() => namedIn(received()).length, { timeout: 60_000 }).toBe(5);
});

test('a request after a stream waits, and a client that disconnects ends both', async () => {
  const begun: string[] = [];
  let closed = 0;
  const { open, server } = await serverWith(({ url = '' }, response) => {
    begun.push(url);
    response.on('close', () => {
      closed += 1;
    });
    response.write('<streaming>');
  });
  const socket = open();
  const received = read(socket);
  socket.write(get('stream') + get('next'));
  await expect.poll(() => namedIn(received())).toEqual(['streaming']);
  socket.destroy();
  await expect.poll(() => closed).toBe(1);
  const connections = () =>
    new Promise<number>((resolve) => server.getConnections((_, open) => resolve(open)));
  await expect.poll(connections).toBe(0);
  expect(begun).toEqual(['/stream']);
});

test('requests after one with Connection: close are not handled', async () => {
  const begun: string[] = [];
  const { open } = await serverWith(({ url = '' }, response) => {
    begun.push(url);
    response.end('<answered>');
  });
  const socket = open();
  const received = read(socket);
  const ended = new Promise((resolve) => socket.once('close', resolve));
  socket.write(`GET /last HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n${get('after')}`);
  await ended;
  expect([begun, namedIn(received())]).toEqual([['/last'], ['answered']]);
});

test.each([
  ['CONNECT', 'CONNECT x:443 HTTP/1.1\r\nhost: x\r\n\r\n'],
  ['an upgrade', 'GET /b HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n'],
  [
    '100-continue',
    'POST /b HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\ncontent-length: 1\r\n\r\nx',
  ],
  ['nonsense', 'nonsense\r\n\r\n'],
])('%s between other requests does not disturb other connections', async (_name, text) => {
  const { open } = await serverWith(({ url }, response) => response.end(`<${url?.slice(1)}>`));
  const odd = open();
  const ofOdd = read(odd);
  odd.write(get('a') + text + get('c').repeat(200));
  const usual = open();
  const ofUsual = read(usual);
  usual.write(numbers(200).map(get).join(''));
  await expect.poll(() => namedIn(ofUsual()).length, { timeout: 60_000 }).toBe(200);
  expect(namedIn(ofUsual())).toEqual(numbers(200).map(String));
  expect(
    ofOdd().startsWith('HTTP/1.1 200') || ofOdd().startsWith('HTTP/1.1 400') || ofOdd() === '',
  ).toBe(true);
});
