import { EventEmitter } from 'node:events';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { expect, test, vi } from 'vitest';
import { testActor } from '../../../test/support/app.ts';
import { type Endpoint, endpoint } from '../contract/endpoint.ts';
import { createFairShare } from './fair-share.ts';

const about = { id: 'x', tag: 'Test', summary: 'For a test', permission: 'none' } as const;
const read = endpoint({ ...about, method: 'GET', path: '/read' });
const change = endpoint({ ...about, method: 'POST', path: '/change' });
const evaluation = endpoint({ ...change, path: '/evaluation', duringMaintenance: true });
const list = endpoint({ ...read, path: '/list', largeResponse: true });
const open = endpoint({ ...about, method: 'POST', path: '/open', permission: 'public' });
const health = endpoint({ ...about, method: 'GET', path: '/health', permission: 'public' });
const ofSdks = endpoint({ ...about, method: 'GET', path: '/sdk', audience: ['client'] });
const stream = endpoint({
  ...{ ...about, method: 'GET', path: '/stream' },
  alsoProduces: { 'text/event-stream': 'Events' },
});

/** Sends requests and lists those that may start. */
function server() {
  const awaitTurn = createFairShare();
  const begun: string[] = [];
  const send = (name: string, what: Endpoint, caller: number | string) => {
    const socket = { writableLength: 0, setTimeout: vi.fn(), destroy: vi.fn() };
    const raw = Object.assign(new EventEmitter(), {
      ...{ destroyed: false, socket },
      setTimeout: (_ms: number, onTimeout: () => void) => raw.on('timeout', onTimeout),
    });
    const timeOut = () => raw.emit('timeout');
    const actor = typeof caller === 'number' ? { ...testActor, id: caller } : null;
    const headers = { accept: 'text/event-stream' };
    const routeOptions = { url: what.path };
    const request = { actor, ip: caller, headers, routeOptions } as unknown as FastifyRequest;
    const waiting = awaitTurn(request, { raw } as unknown as FastifyReply, what).then(() => {
      begun.push(name);
    });
    return { waiting, close: () => raw.emit('close'), request, raw, socket, timeOut };
  };
  const settle = () => new Promise(setImmediate);
  return { send, begun, settle };
}

const times = <Result>(count: number, make: () => Result) => Array.from({ length: count }, make);

test('four reads of an account run at once, and each further read starts when one was sent', async () => {
  const { send, begun, settle } = server();
  const [first] = times(6, () => send('read', read, 1));
  await settle();
  expect(begun).toHaveLength(4);
  first?.close();
  await settle();
  expect(begun).toHaveLength(5);
});

test('reads of an account delay evaluations, but not changes, other accounts, SDKs, streams and probes', async () => {
  const { send, begun, settle } = server();
  times(20, () => send('read', read, 1));
  await settle();
  begun.length = 0;
  times(20, () => send('change', change, 1));
  send('evaluation', evaluation, 1);
  send('other account', read, 2);
  times(20, () => send('SDK', ofSdks, 1));
  times(20, () => send('stream', stream, 1));
  times(20, () => send('probe', health, '192.0.2.1'));
  await settle();
  expect(begun).toHaveLength(81);
  expect(begun).not.toContain('evaluation');
});

test('an account gets one large response at a time, which does not delay other reads', async () => {
  const { send, begun, settle } = server();
  const [first] = times(3, () => send('list', list, 1));
  send('read', read, 1);
  await settle();
  expect(begun).toEqual(['list', 'read']);
  first?.close();
  await settle();
  expect(begun).toEqual(['list', 'read', 'list']);
});

test('without an account, four requests per IP address run at once', async () => {
  const { send, begun, settle } = server();
  times(20, () => send('one', open, '192.0.2.1'));
  send('another', open, '192.0.2.2');
  await settle();
  expect(begun).toEqual(['one', 'one', 'one', 'one', 'another']);
});

test('without an account, all addresses of an IPv6 network share a limit, and ports do not matter', async () => {
  const { send, begun, settle } = server();
  for (const host of [1, 2, 3, 4, 5, 6]) send('network', open, `2001:db8:1::${host}`);
  for (const port of [1, 2, 3, 4, 5, 6]) send('port', open, `192.0.2.1:${port}`);
  await settle();
  expect(begun.filter((who) => who === 'network')).toHaveLength(4);
  expect(begun.filter((who) => who === 'port')).toHaveLength(4);
});

test('without an account, the next request starts when a response is ready, even if it is not read', async () => {
  const { send, begun, settle } = server();
  const [first] = times(5, () => send('one', open, '192.0.2.1'));
  await settle();
  expect(begun).toHaveLength(4);
  first?.request.endTurn?.();
  await settle();
  expect(begun).toHaveLength(5);
});

test('an account with more than 200 waiting requests gets 503', async () => {
  const { send } = server();
  const all = times(205, () => send('read', read, 1));
  await expect(all[204]?.waiting).rejects.toMatchObject({
    ...{ status: 503, name: 'UnavailableError', retryAfterSeconds: 5 },
    message: 'This account has too many requests in progress. Try again later',
  });
});

test('a client that disconnects while waiting takes no slot', async () => {
  const { send, begun, settle } = server();
  const first = times(4, () => send('read', read, 1));
  const left = send('left', read, 1);
  send('last', read, 1);
  left.close();
  await expect(left.waiting).rejects.toMatchObject({ status: 503 });
  first[0]?.close();
  await settle();
  expect(begun.at(-1)).toBe('last');
});

test.each([
  ['read', read, 4],
  ['large response', list, 1],
])('a %s that the client does not read frees its slot', async (_what, what, atOnce) => {
  const { send, begun, settle } = server();
  const [first] = times(atOnce + 1, () => send('one', what, 1));
  await settle();
  if (!first) return;
  first.timeOut();
  await settle();
  // Its first byte is not ready yet.
  expect(begun).toHaveLength(atOnce);
  first.socket.writableLength = 1;
  first.timeOut();
  await settle();
  expect(begun).toHaveLength(atOnce + 1);
  expect(first.socket.destroy).not.toHaveBeenCalled();
});

test('a large response that the client does not read for a minute is closed, a small one is not', async () => {
  const { send } = server();
  const unread = [send('list', list, 1), send('read', read, 1)];
  for (const { waiting, socket, timeOut } of unread) {
    await waiting;
    socket.writableLength = 1;
    timeOut();
  }
  expect(unread.map(({ socket }) => socket.setTimeout.mock.lastCall)).toEqual([[50_000], [0]]);
  unread[0]?.timeOut();
  expect(unread[0]?.socket.destroy).toHaveBeenCalledOnce();
});

test('a waiting request adds one listener to its response', async () => {
  const { send, settle } = server();
  const { raw } = send('read', read, 1);
  await settle();
  expect(raw.listenerCount('close')).toBe(1);
});
