import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { rawReceiver, receiver } from '../../../test/support/outgoing.ts';
import type { OutgoingRequest } from './outgoing.ts';
import { createOutgoing } from './send.ts';

const policy = { privateTargets: ['127.0.0.0/8', '::1'], loopback: false };

function opened() {
  const outgoing = createOutgoing(policy);
  onTestFinished(outgoing.close);
  return outgoing;
}

const send = (
  url: string,
  request: Partial<OutgoingRequest> = {},
  options: { timeoutMs?: number; signal?: AbortSignal } = {},
) =>
  opened().send(
    { method: 'POST', url, headers: {}, body: '{}', ...request },
    { timeoutMs: 60_000, ...options },
  );

/** Resolves when the matching part of the body of the next response has been read. */
const bodyArrived = (expected: RegExp): Promise<void> =>
  new Promise((resolve) => {
    const listen = (message: unknown) => {
      let text = '';
      (message as { response: IncomingMessage }).response.on('data', (chunk: Buffer) => {
        text += chunk;
        // By then, all listeners have it.
        if (expected.test(text)) setImmediate(resolve);
      });
    };
    subscribe('http.client.response.finish', listen);
    onTestFinished(() => void unsubscribe('http.client.response.finish', listen));
  });

describe('an outgoing request', () => {
  const echo = async () => {
    const { url } = await receiver(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      response.setHeader('x-answer', 'yes').setHeader('set-cookie', ['a=1', 'b=2']);
      response.statusCode = 201;
      const { method, url, headers } = request;
      response.end(JSON.stringify({ method, url, headers, body }));
    });
    return url;
  };

  test('arrives unchanged, and its response is returned completely', async () => {
    const base = await echo();
    const answer = await send(`${base}/hook?key=1`, {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json', 'X-Own': 'one' },
      body: '{"name":"Zoë ✓"}',
    });
    expect(answer.status).toBe(201);
    expect(answer.headers).toMatchObject({ 'x-answer': 'yes', 'set-cookie': 'a=1, b=2' });
    expect(JSON.parse(answer.body)).toMatchObject({
      method: 'PUT',
      url: '/hook?key=1',
      body: '{"name":"Zoë ✓"}',
      headers: {
        'content-type': 'application/json',
        'content-length': '19',
        'x-own': 'one',
        host: new URL(base).host,
      },
    });
  });

  test('without a body has Content-Length 0', async () => {
    const { headers, body } = JSON.parse(
      (
        await opened().send(
          { method: 'POST', url: await echo(), headers: {} },
          { timeoutMs: 60_000 },
        )
      ).body,
    );
    expect(headers['content-length']).toBe('0');
    expect(body).toBe('');
  });

  test.each<[string, string, Record<string, string>, string | undefined]>([
    ['nothing', '', {}, undefined],
    [
      'the user and password in the URL',
      'us%40er:p%3Ass%C3%A9@',
      {},
      Buffer.from('us@er:p:ssé').toString('base64'),
    ],
    ['a user without a password', 'user@', {}, Buffer.from('user:').toString('base64')],
    [
      'a password with an invalid escape',
      'user:50%zz@',
      {},
      Buffer.from('user:50%zz').toString('base64'),
    ],
    ['the header rather than the URL', 'user:password@', { Authorization: 'Basic own' }, 'own'],
  ])('is authorized by %s', async (_title, credentials, headers, basic) => {
    const url = (await echo()).replace('//', `//${credentials}`);
    const seen = JSON.parse((await send(url, { headers })).body);
    expect(seen.headers.authorization).toBe(basic && `Basic ${basic}`);
    expect(seen.url).toBe('/');
  });

  test('has its own Content-Length and framing, whatever headers are given', async () => {
    const { headers, body } = JSON.parse(
      (
        await send(await echo(), {
          headers: {
            'Content-Length': '1',
            'Transfer-Encoding': 'chunked',
            Connection: 'upgrade',
            Upgrade: 'websocket',
            Expect: '100-continue',
          },
          body: 'four',
        })
      ).body,
    );
    expect(headers['content-length']).toBe('4');
    expect(headers.connection).toBe('keep-alive');
    expect(headers).not.toHaveProperty('transfer-encoding');
    expect(headers).not.toHaveProperty('upgrade');
    expect(headers).not.toHaveProperty('expect');
    expect(body).toBe('four');
  });

  test('does not follow redirects but returns them', async () => {
    const paths: (string | undefined)[] = [];
    const { url: base } = await receiver((request, response) => {
      paths.push(request.url);
      response.writeHead(302, { location: '/elsewhere' }).end('gone there');
    });
    expect(await send(`${base}/hook`)).toMatchObject({
      status: 302,
      headers: { location: '/elsewhere' },
      body: 'gone there',
    });
    expect(paths).toEqual(['/hook']);
  });
});

describe('a response with a status is successful', () => {
  test('with the first 64 kB of a longer body, without half a character', async () => {
    const { url: base } = await receiver((_request, response) => {
      response.end(`x${'é'.repeat(500_000)}`);
    });
    const { status, body } = await send(base);
    expect(status).toBe(200);
    expect(body).toBe(`x${'é'.repeat(32 * 1024 - 1)}`);
  });

  test('if the body never ends, and the connection is closed', async () => {
    let cutOff = false;
    const { url: base } = await receiver((_request, response) => {
      const pour = () => {
        while (response.write('x'.repeat(10_000)));
        response.once('drain', pour);
      };
      pour();
      response.on('close', () => {
        cutOff = true;
      });
    });
    const { status, body } = await send(base);
    expect(status).toBe(200);
    expect(body).toHaveLength(64 * 1024);
    await expect.poll(() => cutOff).toBe(true);
  });

  test('if the body is slower than the deadline, with what arrived', async () => {
    let cutOff = false;
    const { url: base } = await receiver((_request, response) => {
      response.writeHead(202);
      response.write('drip ');
      const timer = setInterval(() => response.write('drop '), 20);
      response.on('close', () => {
        clearInterval(timer);
        cutOff = true;
      });
    });
    const arrived = bodyArrived(/drop /);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    let isOver = false;
    const sent = send(base, {}, { timeoutMs: 150 }).finally(() => {
      isOver = true;
    });
    await arrived;
    vi.advanceTimersByTime(140);
    await nextTurn();
    expect(isOver).toBe(false);
    vi.advanceTimersByTime(10);
    const { status, body } = await sent;
    expect(status).toBe(202);
    expect(body).toMatch(/^drip (drop )+$/);
    await expect.poll(() => cutOff).toBe(true);
  });

  test.each([
    ['closes the connection within the body', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf'],
    ['closes the connection after the headers', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n'],
    [
      'sends a malformed chunk',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\nzz\r\n',
    ],
    ['sends no Content-Length', 'HTTP/1.0 200 OK\r\n\r\nwhole'],
  ])('if the receiver %s', async (_title, answer) => {
    const { url } = await rawReceiver((socket) => socket.end(answer));
    const { status, body } = await send(url);
    expect(status).toBe(200);
    expect('half whole').toContain(body);
  });

  test('even if the receiver responds before the whole request was sent', async () => {
    const { url, sockets } = await rawReceiver((socket) => {
      socket.pause();
      socket.write('HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n');
    });
    expect(await send(url, { body: 'x'.repeat(20_000_000) })).toMatchObject({ status: 413 });
    // The rest is not sent: the connection is closed.
    sockets[0]?.resume();
    await expect.poll(() => sockets[0]?.destroyed).toBe(true);
  });
});
