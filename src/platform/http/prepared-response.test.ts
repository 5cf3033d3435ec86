import { connect } from 'node:net';
import Fastify from 'fastify';
import { describe, expect, test } from 'vitest';
import { closeLater } from '../../../test/support/closing.ts';
import { createPreparedResponses, sendPrepared } from './prepared-response.ts';

const megabyte = 1024 * 1024;
const piece = 'x'.repeat(megabyte);
function* pieces(count: number): Generator<string> {
  for (let nth = 0; nth < count; nth += 1) yield piece;
}

/** Prepares responses of 1 MB within a limit of 10 MB. */
function preparing() {
  const prepare = createPreparedResponses({ maxBytes: 10 * megabyte });
  return (key: string, version = '1') =>
    prepare({ key, version, entityTag: `"${version}"`, pieces: () => pieces(1) });
}

describe('prepared responses', () => {
  test('are cached until another version is requested', () => {
    const prepare = preparing();
    const first = prepare('a');
    expect(prepare('a')).toBe(first);
    expect(prepare('b')).not.toBe(first);
    const second = prepare('a', '2');
    expect(second.entityTag).toBe('"2"');
    expect(prepare('a', '2')).toBe(second);
  });

  test('are evicted if their total size is too large, least recently requested first', async () => {
    const prepare = preparing();
    const [first, second] = [prepare('first'), prepare('second')];
    await Promise.all([first.plain(), second.plain()]);
    for (let nth = 0; nth < 7; nth += 1) await prepare(`${nth}`).plain();
    expect(prepare('first')).toBe(first);
    await prepare('one more').plain();
    await prepare('and another').plain();
    expect(prepare('first')).toBe(first);
    expect(prepare('second')).not.toBe(second);
  });

  test('are evicted if there are too many small ones', () => {
    const prepare = preparing();
    const first = prepare('first');
    for (let nth = 0; nth < 20_000; nth += 1) prepare(`${nth}`);
    expect(prepare('first')).not.toBe(first);
  });

  test('are rendered once for all concurrent callers', async () => {
    let times = 0;
    const response = createPreparedResponses({ maxBytes: 64 * megabyte })({
      ...{ key: 'a', version: 1, entityTag: '"a"' },
      pieces: () => {
        times += 1;
        return pieces(10);
      },
    });
    const [one, other] = await Promise.all([response.plain(), response.plain()]);
    expect(one).toHaveLength(10 * megabyte);
    expect(other).toBe(one);
    expect(response.atOnce()).toBe(one);
    expect(times).toBe(1);
  });

  test('larger than a quarter of the limit are neither rendered completely nor compressed', async () => {
    let times = 0;
    const response = createPreparedResponses({ maxBytes: 10 * megabyte, level: 1 })({
      ...{ key: 'a', version: 1, entityTag: '"a"' },
      pieces: () => {
        times += 1;
        return pieces(1_000_000);
      },
    });
    expect(await response.plain()).toBeUndefined();
    expect(await response.gzipped()).toBeUndefined();
    expect(times).toBe(1);
  });

  test('are compressed for the next caller if compression failed', async () => {
    let times = 0;
    const prepare = createPreparedResponses({
      maxBytes: 5 * megabyte,
      level: 6,
      compress: async () => {
        times += 1;
        if (times === 1) throw new Error('no memory');
        return Buffer.from('compressed');
      },
    });
    const response = prepare({ key: 'a', version: 1, entityTag: '"a"', pieces: () => [piece] });
    await expect(response.gzipped()).rejects.toThrow('no memory');
    expect(String(await response.gzipped())).toBe('compressed');
    expect(String(await response.gzipped())).toBe('compressed');
    expect(times).toBe(2);
  });
});

test('at most two responses that are too large to cache are rendered at once per address', async () => {
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
    return sendPrepared(request, reply, {
      entityTag: '"x"',
      gzipped: async () => undefined,
      plain: async () => undefined,
      pieces: endless,
      atOnce: () => Buffer.alloc(0),
    });
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
