import { expect, test } from 'vitest';
import { testApp } from '../../../test/support/app.ts';
import { adminToken, clientToken, frontendToken } from '../../../test/support/tokens.ts';
import { createLogger } from '../log.ts';

interface Line {
  readonly level: number;
  readonly msg: string;
  readonly path?: string;
  readonly status?: number;
  readonly actor?: number;
  readonly ip?: string;
}

async function logged(level: 'info' | 'debug') {
  const lines: Line[] = [];
  const log = createLogger(level, { write: (text) => void lines.push(JSON.parse(text)) });
  const app = await testApp({ log });
  const answered = () => lines.filter(({ msg }) => msg === 'request completed');
  return { ...app, lines, answered };
}

test('a log line contains the id and IP address of the caller', async () => {
  const { ask, answered } = await logged('info');
  await ask('GET /api/admin/projects');
  await ask('GET /api/admin/projects', { headers: { authorization: 'unknown' } });
  expect(answered()).toMatchObject([
    { path: '/api/admin/projects', actor: -2000, ip: '127.0.0.1' },
    { path: '/api/admin/projects', ip: '127.0.0.1' },
  ]);
  expect(answered()[1]).not.toHaveProperty('actor');
});

test('IP addresses of end users are not logged', async () => {
  const { ask, answered } = await logged('info');
  const headers = { authorization: frontendToken };
  await ask('GET /api/frontend', { headers });
  await ask('POST /ofrep/v1/evaluate/flags', { headers, payload: { context: {} } });
  expect(answered()).toHaveLength(2);
  for (const line of answered()) {
    expect(line).toHaveProperty('actor');
    expect(line).not.toHaveProperty('ip');
  }
});

test('successful probes are logged at debug level', async () => {
  const quiet = await logged('info');
  const loud = await logged('debug');
  for (const { ask, lines } of [quiet, loud]) {
    // A probe waits only a second for the first snapshot.
    await ask('GET /api/client/features', { headers: { authorization: clientToken } });
    lines.length = 0;
    await ask('GET /ready');
    await ask('GET /health');
    await ask('GET /internal-backstage/prometheus');
  }
  expect(quiet.answered()).toEqual([]);
  expect(loud.answered().map(({ path, level }) => [path, level])).toEqual([
    ['/ready', 20],
    ['/health', 20],
    ['/internal-backstage/prometheus', 20],
  ]);
});

test('a rejected request for metrics is logged', async () => {
  const { app, answered } = await logged('info');
  const headers = { 'x-forwarded-for': '192.0.2.1' };
  await app.inject({ url: '/internal-backstage/prometheus', headers });
  expect(answered()).toMatchObject([{ path: '/internal-backstage/prometheus', status: 401 }]);
});

test('a client that disconnects causes one log line and no error', async () => {
  const { app, lines } = await logged('info');
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const leaving = new AbortController();
  const tail = await fetch(`${url}/api/admin/search/events`, {
    headers: { authorization: adminToken, accept: 'text/event-stream' },
    signal: leaving.signal,
  });
  expect(tail.status).toBe(200);
  leaving.abort();
  const ofTail = () => lines.filter(({ path }) => path === '/api/admin/search/events');
  await expect
    .poll(ofTail)
    .toMatchObject([{ level: 30, msg: 'client disconnected', status: 200, actor: -2000 }]);
});
