import type { Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { failureOf, rawReceiver } from '../../../test/support/outgoing.ts';
import { describeFailure } from './failures.ts';
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

describe('a request without a response', () => {
  const secretly = (url: string) => `${url.replace('//', '//user:hidden@')}/hidden?key=hidden`;

  test.each([
    ['before its response', ''],
    ['in its headers', 'HTTP/1.1 200 OK\r\nContent-Le'],
  ])('times out if the receiver hangs %s', async (_title, words) => {
    const { url, where, sockets } = await rawReceiver((socket) => socket.write(words));
    const started = performance.now();
    const failure = await failureOf(send(secretly(url), {}, { timeoutMs: 120 }));
    expect(performance.now() - started).toBeGreaterThan(110);
    expect(failure).toMatchObject({
      kind: 'timeout',
      message: `${where} didn't respond within 120 ms.`,
    });
    await expect.poll(() => sockets[0]?.destroyed).toBe(true);
  });

  test('times out if the name server hangs', async () => {
    const outgoing = createOutgoing(policy, { lookup: () => {} });
    onTestFinished(outgoing.close);
    const failure = await failureOf(
      outgoing.send({ method: 'GET', url: 'http://slow.test/', headers: {} }, { timeoutMs: 50 }),
    );
    expect(failure).toMatchObject({
      kind: 'timeout',
      message: "slow.test didn't respond within 50 ms.",
    });
  });

  test.each<[string, (socket: Socket) => void, string, string]>([
    [
      'closes the connection',
      (socket) => socket.end(),
      'ECONNRESET',
      'closed the connection without responding.',
    ],
    [
      'resets the connection',
      (socket) => socket.resetAndDestroy(),
      'ECONNRESET',
      'closed the connection without responding.',
    ],
    [
      'closes the connection within its headers',
      (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-'),
      'ECONNRESET',
      'closed the connection without responding.',
    ],
    [
      'does not use HTTP',
      (socket) => socket.end('220 smtp.test ESMTP\r\n'),
      'HPE_INVALID_CONSTANT',
      "didn't return a valid HTTP response.",
    ],
    [
      'sends too many headers',
      (socket) => socket.end(`HTTP/1.1 200 OK\r\nX-Long: ${'x'.repeat(100_000)}\r\n\r\n`),
      'HPE_HEADER_OVERFLOW',
      'sent too many headers.',
    ],
    [
      'switches the protocol',
      (socket) =>
        socket.write(
          'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: h2c\r\n\r\n',
        ),
      'ECONNRESET',
      'closed the connection without responding.',
    ],
  ])(
    'fails with the name of a receiver that %s, without a retry',
    async (_title, answer, code, words) => {
      const { url, where, sockets } = await rawReceiver(answer);
      const failure = await failureOf(send(secretly(url)));
      expect(failure).toMatchObject({ kind: 'network', code, message: `${where} ${words}` });
      expect(sockets).toHaveLength(1);
    },
  );

  test('fails if nothing listens at the address', async () => {
    // A port that nothing listens on, and that no server of another test is given.
    const where = '127.0.0.1:1';
    expect(await failureOf(send(secretly(`http://${where}`)))).toMatchObject({
      kind: 'network',
      code: 'ECONNREFUSED',
      message: `${where} refused the connection.`,
    });
  });

  test('can be aborted before and after it was sent', async () => {
    const { url, where, sockets } = await rawReceiver((socket) => socket.write('HTTP/1.1 200'));
    const controller = new AbortController();
    const sent = failureOf(send(url, {}, { signal: controller.signal }));
    await expect.poll(() => sockets.length).toBe(1);
    controller.abort();
    const expected = {
      kind: 'network',
      code: 'ABORT_ERR',
      message: `The request to ${where} was interrupted.`,
    };
    expect(await sent).toMatchObject(expected);
    await expect.poll(() => sockets[0]?.destroyed).toBe(true);
    expect(await failureOf(send(url, {}, { signal: controller.signal }))).toMatchObject(expected);
    expect(sockets).toHaveLength(1);
  });

  test('can be aborted together with many others by one signal, without a leak warning', async () => {
    const warnings: Error[] = [];
    const note = (warning: Error) => warnings.push(warning);
    process.on('warning', note);
    onTestFinished(() => void process.off('warning', note));
    const { url, sockets } = await rawReceiver(() => {});
    const controller = new AbortController();
    const outgoing = opened();
    const sent = Array.from({ length: 30 }, () =>
      failureOf(
        outgoing.send(
          { method: 'POST', url, headers: {} },
          { timeoutMs: 60_000, signal: controller.signal },
        ),
      ),
    );
    await expect.poll(() => sockets.length).toBe(30);
    controller.abort();
    const codes = (await Promise.all(sent)).map(({ code }) => code);
    expect(new Set(codes)).toEqual(new Set(['ABORT_ERR']));
    expect(warnings).toEqual([]);
  });

  test.each([
    ['no URL at all: hidden', 'The address is not a URL.', 'network'],
    ['http://hidden:x@[half/', 'The address is not a URL.', 'network'],
    [
      'ftp://user:hidden@files.test/hidden',
      'The URL must begin with http:// or https://.',
      'refused',
    ],
    ['file:///hidden', 'The URL must begin with http:// or https://.', 'refused'],
  ])('is not sent to %s', async (url, message, kind) => {
    expect(await failureOf(send(url))).toMatchObject({ kind, message });
  });

  test.each([
    [{ 'x-own': 'hidden\r\nx-other: 1' }, 'contains an invalid character.'],
    [{ 'x own': 'hidden' }, 'has an invalid name.'],
  ])('is not sent with the invalid headers %s', async (headers, words) => {
    const { url, sockets } = await rawReceiver((socket) => socket.end());
    const { message } = await failureOf(send(url, { headers }));
    expect(message).toContain(words);
    expect(message).not.toContain('hidden');
    expect(sockets).toHaveLength(0);
  });
});

test.each([
  ['EAI_AGAIN', "Couldn't resolve host.test: no DNS server responded."],
  ['ENETUNREACH', 'No route to host.test:81.'],
  ['ETIMEDOUT', 'Connecting to host.test:81 timed out.'],
  ['CERT_NOT_YET_VALID', "The TLS certificate of host.test:81 isn't valid yet."],
  ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', 'The TLS handshake with host.test:81 failed.'],
  ['HPE_INVALID_HEADER_TOKEN', "host.test:81 didn't return a valid HTTP response."],
  ['EWHATEVER', 'The request to host.test:81 failed (EWHATEVER).'],
  [undefined, 'The request to host.test:81 failed.'],
])('the error code %s has a readable message', (code, message) => {
  const failure = describeFailure(Object.assign(new Error('hidden'), { code }), 'host.test:81');
  expect(failure).toMatchObject({ kind: 'network', code, message });
});
