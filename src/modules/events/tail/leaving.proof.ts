import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../test/support/app.ts';
import { happen } from '../../../../test/support/happen.ts';
import { make } from '../../../../test/support/make.ts';
import { person } from '../../../../test/support/people.ts';
import { raceRounds } from '../../../../test/support/random-cases.ts';
import { adminToken, clientToken } from '../../../../test/support/tokens.ts';
import { createLogger } from '../../../platform/log.ts';

let app: TestApp;
let port: number;
let lines: string[] = [];
beforeAll(async () => {
  app = await testApp({
    log: createLogger('warn', { write: (line: string) => void lines.push(line) }),
  });
  await app.app.listen({ port: 0, host: '127.0.0.1' });
  port = (app.app.server.address() as AddressInfo).port;
  await make(app.ask).feature('watched');
  // More than the buffers of a connection can hold.
  const note = 'x'.repeat(500_000);
  await happen(
    app.db,
    ...Array.from({ length: 12 }, () => ({ project: 'default', data: { note } })),
  );
});
beforeEach(() => {
  lines = [];
});

const requests = {
  'a tail': ['/api/admin/search/events', 'text/event-stream', adminToken],
  'a tail that catches up': [
    '/api/admin/search/events?cursor=YXNjOjA',
    'text/event-stream',
    adminToken,
  ],
  'an export': ['/api/admin/search/events', 'application/x-ndjson', adminToken],
  'a CSV export': ['/api/admin/search/events', 'text/csv', adminToken],
  'a stream of an SDK': ['/api/client/streaming', 'text/event-stream', clientToken],
} as const;

async function send([path, accept, token]: readonly [string, string, string]) {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(
    `GET ${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: ${token}\r\naccept: ${accept}\r\n\r\n`,
  );
  return socket;
}

const untilConnectionsAre = (expected: number) =>
  expect
    .poll(() => new Promise((count) => app.app.server.getConnections((_, open) => count(open))))
    .toBe(expected);

/** The requests run on the same thread, so the effects of a closed connection have happened afterwards. */
async function settle() {
  await untilConnectionsAre(0);
  for (let turn = 0; turn < 5; turn += 1) await app.ask('GET /api/admin/search/events?limit=1');
}

for (const [name, request] of Object.entries(requests)) {
  test(`a client that disconnects from ${name} at any time logs no warning`, async () => {
    for (let nth = 0; nth < raceRounds; nth += 1) {
      const before = await send(request);
      before.destroy();
      const meanwhile = await send(request);
      setImmediate(() => meanwhile.destroy());
      const after = await send(request);
      after.once('data', () => after.destroy());
      await once(after, 'close');
    }
    await settle();
    expect(lines).toEqual([]);
  });
}

test('a client that disconnects while its export waits for others logs no warning', async () => {
  const unread = await Promise.all(Array.from({ length: 4 }, () => send(requests['an export'])));
  await Promise.all(unread.map((socket) => once(socket, 'readable')));
  (await send(requests['an export'])).destroy();
  await untilConnectionsAre(4);
  for (const socket of unread) socket.destroy();
  await settle();
  expect(lines).toEqual([]);
});

test('a client that disconnects while a tail is being opened frees its slot', async () => {
  const { token } = await person(app);
  const request = ['/api/admin/search/events', 'text/event-stream', token] as const;
  for (let nth = 0; nth < 60; nth += 1) (await send(request)).destroy();
  await settle();
  const all = await Promise.all(Array.from({ length: 20 }, () => send(request)));
  for (const socket of all) {
    const [answer] = await once(socket, 'data');
    expect(String(answer)).toMatch(/^HTTP\/1.1 200 /);
  }
  const [refusal] = await once(await send(request), 'data');
  expect(String(refusal)).toMatch(/^HTTP\/1.1 503 /);
  expect(String(refusal)).toContain('retry-after: 30');
  expect(String(refusal)).toContain('Your account has reached the limit of 20 live event streams');
  for (const socket of all) socket.destroy();
});
