import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { closeLater } from '../support/closing.ts';
import { temporaryFolder } from '../support/edge.ts';
import { fakeUpstream, sentFeature } from '../support/fake-upstream.ts';
import { freePort } from '../support/free-port.ts';
import { clientToken } from '../support/tokens.ts';

const headers = { authorization: clientToken, 'content-type': 'application/json' };

/** The name that Node gives its workers; tsx has its own child process. */
const isWorker = (pid: number): boolean =>
  existsSync(`/proc/${pid}/environ`) &&
  readFileSync(`/proc/${pid}/environ`, 'utf8').includes('NODE_UNIQUE_ID=');

/** The workers of an edge. */
const workersOf = ({ pid }: ChildProcess): number[] => {
  try {
    const listed = execFileSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' });
    return listed.trim().split('\n').map(Number).filter(isWorker);
  } catch {
    return [];
  }
};

test('workers share the port, report usage together, and are replaced if they end', async () => {
  const upstream = await fakeUpstream();
  upstream.state.tokens = [{ token: clientToken, type: 'client', projects: ['*'] }];
  upstream.state.features = { '*': [sentFeature('a')] };
  const port = await freePort();
  const edge = spawn(process.execPath, ['--import', 'tsx', 'src/cli/index.ts', 'edge'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...{ PATH: process.env.PATH, UPSTREAM_URL: upstream.url, TOKENS: clientToken },
      ...{ PORT: String(port), WORKERS: '2', LOG_LEVEL: 'fatal', INTERFACE: '127.0.0.1' },
      ...{ METRICS_INTERVAL_SECONDS: '1', FEATURES_REFRESH_INTERVAL_SECONDS: '1' },
      BACKUP_FOLDER: join(temporaryFolder(), 'state'),
    },
  });
  const ended = once(edge, 'exit');
  closeLater(async () => {
    edge.kill('SIGKILL');
    await ended;
  });
  const ask = (path: string, more: object = {}) =>
    // Each connection may reach another worker.
    fetch(`http://127.0.0.1:${port}${path}`, {
      headers: { ...headers, connection: 'close' },
      ...more,
    });
  const names = async () => {
    const response = await ask('/api/client/features').catch(() => undefined);
    if (response?.status !== 200) return response?.status;
    const { features } = (await response.json()) as { features: { name: string }[] };
    return features.map(({ name }) => name);
  };
  await expect.poll(names, { timeout: 240_000 }).toEqual(['a']);
  const before = workersOf(edge);
  expect(before.length).toBe(2);

  const now = new Date().toISOString();
  const bucket = { start: now, stop: now, toggles: { a: { yes: 1, no: 0 } } };
  const body = JSON.stringify({ appName: 'shop', instanceId: 'one', bucket });
  for (let times = 0; times < 20; times += 1) {
    expect((await ask('/api/client/metrics', { method: 'POST', body })).status).toBe(202);
  }
  const sum = () =>
    upstream.reports
      .flatMap(({ body }) => (body as { metrics?: { yes: number }[] }).metrics ?? [])
      .reduce((total, { yes }) => total + yes, 0);
  await expect.poll(sum, { timeout: 240_000 }).toBe(20);

  process.kill(before[0] as number, 'SIGKILL');
  const after = () => workersOf(edge).filter((pid) => pid !== before[0]);
  await expect.poll(() => after().length, { timeout: 240_000 }).toBe(2);
  upstream.state.features = { '*': [sentFeature('b')] };
  // Both have the change: ten connections reach both of them.
  const seen = async () => {
    const all = [];
    for (let times = 0; times < 10; times += 1) all.push(await names());
    return all;
  };
  await expect
    .poll(seen, { timeout: 240_000, interval: 500 })
    .toEqual(Array.from({ length: 10 }, () => ['b']));
  // A worker that is starting does not answer yet.
  const metrics = async () => (await ask('/internal-backstage/prometheus')).text();
  await expect
    .poll(metrics, { timeout: 240_000, interval: 500 })
    .toMatch(/^burgee_edge_usage_waiting 0$/m);
  edge.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});
