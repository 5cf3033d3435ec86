import type { LookupAddress } from 'node:dns';
import { createServer } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { failureOf, listening } from '../../../test/support/outgoing.ts';
import type { TargetPolicy } from '../module.ts';
import { createGuard, type Resolve } from './guard.ts';
import { createOutgoing } from './send.ts';

const closed: TargetPolicy = { privateTargets: false, loopback: false };

/** A server on every address of this machine. Records the addresses that were called. */
async function listeningEverywhere() {
  const calledOn: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    calledOn.push(request.socket.localAddress);
    response.setHeader('connection', 'close').end('here');
  });
  const { port } = await listening(server, '0.0.0.0');
  return { port, calledOn };
}

/** A resolver with one list of addresses per query; the last one is repeated. */
function answering(...answers: string[][]) {
  const asked: string[] = [];
  const lookup: Resolve = (host, _options, callback) => {
    const answer = answers[Math.min(asked.length, answers.length - 1)] ?? [];
    asked.push(host);
    const addresses: LookupAddress[] = answer.map((address) => ({
      address,
      family: address.includes(':') ? 6 : 4,
    }));
    setImmediate(() => callback(null, addresses));
  };
  return { lookup, asked };
}

/** Sends requests that may reach this machine, if the policy allows it. */
const opened = (policy: TargetPolicy, lookup?: Resolve) => {
  const outgoing = createOutgoing(policy, lookup ? { lookup } : {});
  onTestFinished(outgoing.close);
  return (url: string) =>
    outgoing.send(
      { method: 'POST', url, headers: {}, body: '{}' },
      { timeoutMs: 60_000, loopback: true },
    );
};

describe('a host name', () => {
  test('is connected to at the address that was checked, not at a later one', async () => {
    const { port, calledOn } = await listeningEverywhere();
    const { lookup, asked } = answering(['127.0.0.1'], ['127.0.0.2']);
    const send = opened({ privateTargets: ['127.0.0.1'], loopback: false }, lookup);

    const { status } = await send(`http://moving.test:${port}/`);
    expect(status).toBe(200);
    expect(asked).toEqual(['moving.test']);

    const { kind, message } = await failureOf(send(`http://moving.test:${port}/`));
    expect(kind).toBe('refused');
    expect(message).toContain('127.0.0.2');
    expect(calledOn).toEqual(['127.0.0.1']);
  });

  test('with allowed and forbidden addresses is connected to at allowed ones only', async () => {
    const { port, calledOn } = await listeningEverywhere();
    const { lookup } = answering(['10.0.0.5', '127.0.0.2', '169.254.169.254', '127.0.0.3']);
    const send = opened({ privateTargets: ['127.0.0.3'], loopback: false }, lookup);
    await send(`http://mixed.test:${port}/`);
    expect(calledOn).toEqual(['127.0.0.3']);
  });

  test('is resolved once for concurrent requests', async () => {
    const { port, calledOn } = await listeningEverywhere();
    const { lookup, asked } = answering(['127.0.0.1']);
    const send = opened({ privateTargets: false, loopback: true }, lookup);
    await Promise.all(Array.from({ length: 20 }, () => send(`http://busy.test:${port}/`)));
    expect(calledOn).toHaveLength(20);
    expect(asked.length).toBeLessThan(5);
  });

  test.each([
    [
      ['10.0.0.5'],
      'hooks.internal resolves to 10.0.0.5, a private address; add it to ALLOW_PRIVATE_TARGETS to allow it.',
    ],
    [
      ['169.254.169.254', '10.0.0.5'],
      'hooks.internal resolves to 10.0.0.5, a private address; add it to ALLOW_PRIVATE_TARGETS to allow it.',
    ],
    [
      ['::1'],
      'hooks.internal resolves to ::1, an address of this machine itself; add it to ALLOW_PRIVATE_TARGETS to allow it.',
    ],
    [
      ['64:ff9b::a00:5'],
      'hooks.internal resolves to 64:ff9b::a00:5, which leads to 10.0.0.5, a private address; add it to ALLOW_PRIVATE_TARGETS to allow it.',
    ],
    [
      ['169.254.169.254'],
      'hooks.internal resolves to 169.254.169.254, an address of cloud metadata; these addresses are always blocked.',
    ],
    [
      ['fe80::1%eth0'],
      'hooks.internal resolves to fe80::1%eth0, a link-local address; these addresses are always blocked.',
    ],
  ])('that resolves to %s is rejected with the reason', async (addresses, message) => {
    const send = opened(closed, answering(addresses).lookup);
    const failure = await failureOf(send('https://user:secret@hooks.internal/path?key=secret'));
    expect(failure).toMatchObject({ kind: 'refused', message });
  });

  test('without an address is not found', async () => {
    const send = opened(closed, answering([]).lookup);
    expect(await failureOf(send('http://nowhere.test:81/'))).toMatchObject({
      kind: 'network',
      code: 'ENOTFOUND',
      message: "Couldn't resolve nowhere.test. Check the host name in the URL.",
    });
  });
});

describe('an address in the URL', () => {
  test.each([
    'http://127.0.0.1/',
    'http://127.1/',
    'http://0x7f.1/',
    'http://2130706433/',
    'http://0177.0.0.1/',
    'http://017700000001/',
    'http://127.0.0.1./',
    'http://１２７.0.0.1/',
    'http://0/',
    'http://[::1]/',
    'http://[::]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::127.0.0.1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[2002:7f00:1::]/',
    'http://10.0.0.5/',
    'http://[fd00::1]/',
    'https://192.168.1.1:8443/',
  ])('%s is rejected unless ALLOW_PRIVATE_TARGETS allows it', async (url) => {
    const failure = await failureOf(opened(closed)(url));
    expect(failure.kind).toBe('refused');
    expect(failure.message).toMatch(/; add it to ALLOW_PRIVATE_TARGETS to allow it\.$/);
    const { hostname } = new URL(url);
    const { checkHost } = createGuard({ privateTargets: true, loopback: false });
    expect(() => checkHost(hostname.replace(/[[\]]/g, ''))).not.toThrow();
  });

  test.each([
    'http://169.254.169.254/latest/meta-data/',
    'http://0xa9fea9fe/',
    'http://[::ffff:169.254.169.254]/',
    'http://[fe80::1]/',
    'http://[fd00:ec2::254]/',
    'http://100.100.100.200/',
    'http://168.63.129.16/',
    'http://192.0.0.192/',
    'http://224.0.0.1/',
    'http://255.255.255.255/',
  ])('%s is always rejected', async (url) => {
    for (const privateTargets of [true, ['0.0.0.0/0', '::/0', '169.254.169.254']]) {
      const failure = await failureOf(opened({ privateTargets, loopback: true })(url));
      expect(failure.kind).toBe('refused');
      expect(failure.message).toMatch(/; these addresses are always blocked\.$/);
    }
  });

  test('is named in the error together with the address embedded in it', async () => {
    const { message } = await failureOf(opened(closed)('http://[::ffff:10.0.0.5]/'));
    expect(message).toBe(
      '::ffff:a00:5 leads to 10.0.0.5, a private address; add it to ALLOW_PRIVATE_TARGETS to allow it.',
    );
  });
});

describe('a request to this machine', () => {
  test.each<[string, TargetPolicy, boolean]>([
    ['is rejected by default', closed, false],
    [
      'is allowed while Burgee is only reachable locally',
      { privateTargets: false, loopback: true },
      true,
    ],
    ['is allowed with all private targets', { privateTargets: true, loopback: false }, true],
    [
      'is allowed with a range that contains it',
      { privateTargets: ['127.0.0.0/8'], loopback: false },
      true,
    ],
    ['is allowed with its address', { privateTargets: ['127.0.0.1'], loopback: false }, true],
    ['is rejected with another range', { privateTargets: ['10.0.0.0/8'], loopback: false }, false],
  ])('%s', async (_title, policy, reached) => {
    const { port, calledOn } = await listeningEverywhere();
    const sent = opened(policy)(`http://127.0.0.1:${port}/`);
    if (reached) expect(await sent).toMatchObject({ status: 200, body: 'here' });
    else expect(await failureOf(sent)).toMatchObject({ kind: 'refused' });
    expect(calledOn).toHaveLength(reached ? 1 : 0);
  });
});
