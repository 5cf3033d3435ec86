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

/** Resolves when so much of the body of the next answer has been read here. */
const bodyArrived = (expected: RegExp): Promise<void> =>
  new Promise((resolve) => {
    const listen = (message: unknown) => {
      let text = '';
      (message as { response: IncomingMessage }).response.on('data', (chunk: Buffer) => {
        text += chunk;
        // All who listen have it by then.
        if (expected.test(text)) setImmediate(resolve);
      });
    };
    subscribe('http.client.response.finish', listen);
    onTestFinished(() => void unsubscribe('http.client.response.finish', listen));
  });

describe('what is sent', () => {
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

  test('arrives as it was sent, and the answer comes back whole', async () => {
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

  test('without a body says so', async () => {
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
    ['nobody', '', {}, undefined],
    [
      'user and password of the URL',
      'us%40er:p%3Ass%C3%A9@',
      {},
      Buffer.from('us@er:p:ssé').toString('base64'),
    ],
    ['a user alone', 'user@', {}, Buffer.from('user:').toString('base64')],
    ['an escape that is none', 'user:50%zz@', {}, Buffer.from('user:50%zz').toString('base64')],
    ['the header before the URL', 'user:password@', { Authorization: 'Basic own' }, 'own'],
  ])('is authorised by %s', async (_title, credentials, headers, basic) => {
    const url = (await echo()).replace('//', `//${credentials}`);
    const seen = JSON.parse((await send(url, { headers })).body);
    expect(seen.headers.authorization).toBe(basic && `Basic ${basic}`);
    expect(seen.url).toBe('/');
  });

  test('has our length and framing, whatever headers are given', async () => {
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

  test('never follows a redirect: that is an answer', async () => {
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

describe('an answer whose status is there counts', () => {
  test('with the first 64 kB of a body that is longer, without half a character', async () => {
    const { url: base } = await receiver((_request, response) => {
      response.end(`x${'é'.repeat(500_000)}`);
    });
    const { status, body } = await send(base);
    expect(status).toBe(200);
    expect(body).toBe(`x${'é'.repeat(32 * 1024 - 1)}`);
  });

  test('when the body never ends, and the receiver is cut off', async () => {
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

  test('when the body drips beyond the deadline, with what came', async () => {
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
    ['breaks off in the body', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf'],
    ['breaks off after the headers', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n'],
    [
      'writes a body that is no HTTP',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\nzz\r\n',
    ],
    ['does not say how long the body is', 'HTTP/1.0 200 OK\r\n\r\nwhole'],
  ])('when the receiver %s', async (_title, answer) => {
    const { url } = await rawReceiver((socket) => socket.end(answer));
    const { status, body } = await send(url);
    expect(status).toBe(200);
    expect('half whole').toContain(body);
  });

  test('even if the receiver did not wait for all that we had to say', async () => {
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
