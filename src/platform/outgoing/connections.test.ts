import { EventEmitter, once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { createServer as createRawServer, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { failureOf, listening, receiver } from '../../../test/support/outgoing.ts';
import type { Outgoing } from './outgoing.ts';
import { createOutgoing } from './send.ts';

const fixture = (name: string) =>
  readFileSync(new URL(`../../../test/fixtures/tls/${name}.pem`, import.meta.url), 'utf8');
const key = fixture('key');
const cert = fixture('cert');

const policy = { privateTargets: ['127.0.0.0/8', '::1'], loopback: false };

/** Resolves every name to this machine. */
function opened(options: { readonly ca?: string; readonly idleMs?: number } = {}): Outgoing {
  const outgoing = createOutgoing(policy, {
    lookup: (_host, _options, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }]),
    ...options,
  });
  onTestFinished(outgoing.close);
  return outgoing;
}

const post = (outgoing: Outgoing, url: string, timeoutMs = 60_000) =>
  outgoing.send({ method: 'POST', url, headers: {}, body: '{}' }, { timeoutMs });

const secureReceiver = (listener: RequestListener, certificate = cert) =>
  listening(createSecureServer({ key, cert: certificate }, listener));

describe('an outgoing connection', () => {
  test('is reused for the next request, and at most 64 are open per receiver', async () => {
    const { port, sockets } = await receiver((request, response) => {
      request.resume().on('end', () => setTimeout(() => response.end('ok'), 10));
    });
    const outgoing = opened();
    const url = `http://receiver.test:${port}/`;
    const answers = await Promise.all(Array.from({ length: 300 }, () => post(outgoing, url)));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(sockets).toHaveLength(64);
    await post(outgoing, url);
    expect(sockets).toHaveLength(64);
  });

  test('that is not free in time causes a timeout, and the next request gets one', async () => {
    let hang = true;
    const held: (() => void)[] = [];
    const { port } = await receiver((_request, response) => {
      if (hang) held.push(() => response.end('late'));
      else response.end('ok');
    });
    const outgoing = opened();
    const url = `http://receiver.test:${port}/`;
    const first = Array.from({ length: 64 }, () => post(outgoing, url));
    await expect.poll(() => held.length).toBe(64);
    expect(await failureOf(post(outgoing, url, 50))).toMatchObject({ kind: 'timeout' });
    hang = false;
    for (const release of held) release();
    await Promise.all(first);
    expect(await post(outgoing, url)).toMatchObject({ status: 200, body: 'ok' });
    expect(held).toHaveLength(64);
  });

  test('is closed by Burgee when idle, before the receiver closes it', async () => {
    const { port, sockets } = await receiver((_request, response) => void response.end('ok'));
    const outgoing = opened({ idleMs: 40 });
    await post(outgoing, `http://receiver.test:${port}/`);
    // The receiver itself would wait for 5 s.
    await expect.poll(() => sockets[0]?.destroyed).toBe(true);
  });

  test('is not idle while it waits for a response', async () => {
    const { port } = await receiver((_request, response) => {
      setTimeout(() => response.end('at last'), 150);
    });
    const outgoing = opened({ idleMs: 40 });
    const answer = await post(outgoing, `http://receiver.test:${port}/`);
    expect(answer).toMatchObject({ status: 200, body: 'at last' });
  });

  test('is not reused if the receiver announces that it will close it soon', async () => {
    const { port, sockets } = await receiver((_request, response) => {
      response.setHeader('keep-alive', 'timeout=1').end('ok');
    });
    const outgoing = opened();
    await post(outgoing, `http://receiver.test:${port}/`);
    await post(outgoing, `http://receiver.test:${port}/`);
    expect(sockets).toHaveLength(2);
  });

  test.each([
    ['http', receiver],
    ['https', secureReceiver],
  ] as const)('over %s is replaced if the receiver closed it when idle', async (scheme, start) => {
    const { port, sockets } = await start((request, response) => {
      request.resume().on('end', () => response.end('ok'));
    });
    const outgoing = opened({ ca: cert });
    const url = `${scheme}://receiver.test:${port}/`;
    await post(outgoing, url);
    sockets[0]?.end();
    await expect.poll(() => sockets[0]?.destroyed).toBe(true);
    expect(await post(outgoing, url)).toMatchObject({ status: 200 });
    expect(sockets).toHaveLength(2);
  });

  test.each([
    ['http', 'closes', receiver, (socket: Socket) => socket.destroy()],
    ['http', 'resets', receiver, (socket: Socket) => socket.resetAndDestroy()],
    ['https', 'closes', secureReceiver, (socket: Socket) => socket.destroy()],
    ['https', 'ends', secureReceiver, (socket: Socket) => socket.end()],
  ] as const)(
    'over %s is replaced once if it was reused and the receiver %s it during a request',
    async (scheme, _how, start, close) => {
      let requests = 0;
      const { port, sockets } = await start((request, response) => {
        requests++;
        // The second request uses the connection of the first; every later one is answered.
        if (requests === 2) close(request.socket);
        else request.resume().on('end', () => response.end('ok'));
      });
      const outgoing = opened({ ca: cert });
      const url = `${scheme}://receiver.test:${port}/`;
      await post(outgoing, url);
      expect(await post(outgoing, url)).toMatchObject({ status: 200, body: 'ok' });
      expect(requests).toBe(3);
      expect(sockets).toHaveLength(2);
    },
  );

  test('is not replaced if it is new or part of the response arrived', async () => {
    let requests = 0;
    const { port } = await receiver((request, response) => {
      requests++;
      if (requests === 1) request.resume().on('end', () => response.end('ok'));
      else if (requests === 2) request.socket.end('HTTP/1.1 2');
      else request.socket.destroy();
    });
    const outgoing = opened();
    const url = `http://receiver.test:${port}/`;
    await post(outgoing, url);
    expect(await failureOf(post(outgoing, url))).toMatchObject({ code: 'ECONNRESET' });
    expect(requests).toBe(2);
    expect(await failureOf(post(outgoing, url))).toMatchObject({ code: 'ECONNRESET' });
    expect(requests).toBe(3);
  });

  test('is replaced within the same deadline', async () => {
    let requests = 0;
    const received = new EventEmitter();
    const { port } = await receiver((request, response) => {
      requests++;
      if (requests === 1) request.resume().on('end', () => response.end('ok'));
      else received.emit('request', request);
    });
    const outgoing = opened();
    const url = `http://receiver.test:${port}/`;
    await post(outgoing, url);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    let isOver = false;
    const failing = failureOf(post(outgoing, url, 3_000)).finally(() => {
      isOver = true;
    });
    const [second] = (await once(received, 'request')) as [IncomingMessage];
    vi.advanceTimersByTime(500);
    second.socket.destroy();
    await once(received, 'request');
    vi.advanceTimersByTime(2_490);
    await nextTurn();
    expect(isOver).toBe(false);
    vi.advanceTimersByTime(10);
    expect((await failing).message).toBe(`receiver.test:${port} didn't respond within 3 s.`);
    expect(requests).toBe(3);
  });
});

describe('closing the outgoing client', () => {
  test('interrupts running, waiting and new requests and leaves no connection open', async () => {
    const { port, sockets } = await receiver((request, response) => {
      if (request.url === '/fast') response.end('ok');
    });
    const outgoing = opened();
    const url = `http://receiver.test:${port}`;
    await post(outgoing, `${url}/fast`);
    const sent = Array.from({ length: 70 }, () => failureOf(post(outgoing, `${url}/slow`)));
    await expect.poll(() => sockets.length).toBe(64);
    outgoing.close();
    const failures = await Promise.all(sent);
    failures.push(await failureOf(post(outgoing, `${url}/fast`)));
    expect(new Set(failures.map(({ message }) => message))).toEqual(
      new Set([`The request to receiver.test:${port} was interrupted.`]),
    );
    await expect.poll(() => sockets.every(({ destroyed }) => destroyed)).toBe(true);
    expect(sockets).toHaveLength(64);
  });
});

describe('an outgoing request over TLS', () => {
  const ok: RequestListener = (request, response) => void response.end(request.headers.host);

  test('reaches a receiver by the name in its certificate', async () => {
    const { port } = await secureReceiver(ok);
    const url = `https://receiver.test:${port}/`;
    expect(await post(opened({ ca: cert }), url)).toMatchObject({ body: `receiver.test:${port}` });
  });

  test('verifies the name in the URL, not the one in a Host header', async () => {
    const { port } = await secureReceiver(ok);
    const failure = await failureOf(
      opened({ ca: cert }).send(
        { method: 'GET', url: `https://other.test:${port}/`, headers: { Host: 'receiver.test' } },
        { timeoutMs: 60_000 },
      ),
    );
    expect(failure.code).toBe('ERR_TLS_CERT_ALTNAME_INVALID');
  });

  test.each([
    [
      'from an unknown authority',
      'receiver.test',
      cert,
      undefined,
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      "isn't trusted (self-signed or unknown authority).",
    ],
    [
      'for another name',
      'other.test',
      cert,
      cert,
      'ERR_TLS_CERT_ALTNAME_INVALID',
      'is for a different host name.',
    ],
    [
      'for a name if the URL has an IP address',
      '127.0.0.1',
      cert,
      cert,
      'ERR_TLS_CERT_ALTNAME_INVALID',
      'is for a different host name.',
    ],
    [
      'that has expired',
      'receiver.test',
      fixture('expired-cert'),
      fixture('expired-cert'),
      'CERT_HAS_EXPIRED',
      'has expired.',
    ],
  ])(
    'reports a certificate %s with a clear error',
    async (_t, host, shown, trusted, code, words) => {
      let requests = 0;
      const { port } = await secureReceiver(() => requests++, shown);
      const failure = await failureOf(
        post(
          opened(trusted === undefined ? {} : { ca: trusted }),
          `https://user:hidden@${host}:${port}/hidden`,
        ),
      );
      expect(failure).toMatchObject({
        kind: 'network',
        code,
        message: `The TLS certificate of ${host}:${port} ${words}`,
      });
      expect(requests).toBe(0);
    },
  );

  test('distinguishes a receiver that uses plain HTTP from one that closes the connection', async () => {
    const { port } = await receiver(ok);
    const failure = await failureOf(post(opened(), `https://receiver.test:${port}/`));
    expect(failure.message).toBe(
      `receiver.test:${port} doesn't support TLS. Should the URL start with http://?`,
    );
    const silent = await listening(createRawServer((socket) => void socket.destroy()));
    const broken = await failureOf(post(opened(), `https://receiver.test:${silent.port}/`));
    expect(broken).toMatchObject({
      code: 'ECONNRESET',
      message: `receiver.test:${silent.port} closed the connection without responding.`,
    });
  });
});
