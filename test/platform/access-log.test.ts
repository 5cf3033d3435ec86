import { expect, test } from 'vitest';
import { createLogger } from '../../src/platform/log.ts';
import { testApp } from '../support/app.ts';
import { frontendToken } from '../support/tokens.ts';

interface Line {
  readonly level: number;
  readonly msg: string;
  readonly path?: string;
  readonly actor?: number;
  readonly ip?: string;
}

async function logged(level: 'info' | 'debug') {
  const lines: Line[] = [];
  const log = createLogger(level, { write: (text) => void lines.push(JSON.parse(text)) });
  const on = await testApp({ log });
  const answered = () => lines.filter(({ msg }) => msg === 'answered');
  return { ...on, answered };
}

test('a line says who asked, by number, and from where', async () => {
  const { ask, answered } = await logged('info');
  await ask('GET /api/admin/projects');
  await ask('GET /api/admin/projects', { headers: { authorization: 'unknown' } });
  expect(answered()).toMatchObject([
    { path: '/api/admin/projects', actor: -2000, ip: '127.0.0.1' },
    { path: '/api/admin/projects', ip: '127.0.0.1' },
  ]);
  expect(answered()[1]).not.toHaveProperty('actor');
});

test('addresses of end users are not written', async () => {
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

test('probes that are answered well are lines for debugging', async () => {
  const quiet = await logged('info');
  const loud = await logged('debug');
  for (const { ask } of [quiet, loud]) {
    await ask('GET /ready');
    await ask('GET /health');
  }
  expect(quiet.answered()).toEqual([]);
  expect(loud.answered().map(({ path, level }) => [path, level])).toEqual([
    ['/ready', 20],
    ['/health', 20],
  ]);
});
