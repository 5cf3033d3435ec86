import { spawn, spawnSync } from 'node:child_process';
import { connect } from 'node:net';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { openRedis } from '../../src/edge/state/redis.ts';
import { closeLater } from '../support/closing.ts';
import { type TestEdge, temporaryFolder, testEdge } from '../support/edge.ts';
import { type FakeUpstream, fakeUpstream, sentFeature } from '../support/fake-upstream.ts';
import { freePort } from '../support/free-port.ts';
import { clientToken } from '../support/tokens.ts';

const isInstalled = spawnSync('redis-server', ['--version']).status === 0;
const password = 'correct horse';
let url: string;
let upstream: FakeUpstream;

const listens = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });

describe.skipIf(!isInstalled)('an edge with Redis', () => {
  beforeAll(async () => {
    const port = await freePort();
    const options = ['--port', String(port), '--dir', temporaryFolder(), '--save', ''];
    const redis = spawn('redis-server', [...options, '--requirepass', password], {
      stdio: 'ignore',
    });
    closeLater(async () => void redis.kill());
    // `expect.poll` works only inside a test.
    await vi.waitUntil(() => listens(port), 60_000);
    url = `redis://:${encodeURIComponent(password)}@127.0.0.1:${port}/2`;
    upstream = await fakeUpstream();
    upstream.state.tokens = [{ token: clientToken, type: 'client', projects: ['*'] }];
    upstream.state.features = { '*': [sentFeature('a')] };
  });

  test('serves the state that another edge stored there', async () => {
    const settings = { UPSTREAM_URL: upstream.url, TOKENS: clientToken, REDIS_URL: url };
    const first = await testEdge(settings);
    const status = async (edge: typeof first) =>
      (await edge.ask('GET /api/client/features')).statusCode;
    await expect.poll(() => status(first)).toBe(200);
    await first.close();
    upstream.answerWith((request) => request.socket.destroy());
    const second = await testEdge(settings);
    expect(await status(second)).toBe(200);
    upstream.answerWith(undefined);
  });

  test('keeps the tokens and features of all edges that share Redis, even if they write simultaneously', async () => {
    const secrets = ['one', 'two', 'three'].map((project) => `${project}:development.secret`);
    const shared = await fakeUpstream();
    shared.state.tokens = secrets.map((token) => ({
      ...{ token, type: 'client', projects: [token.split(':')[0] as string] },
    }));
    for (const token of secrets) {
      const project = token.split(':')[0] as string;
      shared.state.features[token] = [sentFeature(`of-${project}`, { project })];
    }
    const settings = { UPSTREAM_URL: shared.url, REDIS_URL: url };
    const status = async (edge: TestEdge, token: string) =>
      (await edge.ask('GET /api/client/features', { token })).statusCode;
    const edges = await Promise.all(secrets.map(() => testEdge(settings)));
    await Promise.all(
      edges.map((edge, nth) => expect.poll(() => status(edge, secrets[nth] as string)).toBe(200)),
    );
    await Promise.all(edges.map((edge) => edge.close()));
    shared.answerWith((request) => request.socket.destroy());
    const restarted = await testEdge(settings);
    for (const token of secrets) expect(await status(restarted, token)).toBe(200);
  });

  test('stores texts of any length and content', async () => {
    const redis = openRedis(url, 'test');
    expect(await redis.read('state')).toBeUndefined();
    for (const text of ['', 'ä\r\n$5\r\n', 'x'.repeat(5_000_000)]) {
      await redis.write('state', () => text);
      expect(await redis.read('state')).toBe(text);
    }
  });

  test('serves features even while Redis is unreachable or refuses the password', async () => {
    for (const wrong of ['redis://127.0.0.1:1', url.replace('correct', 'wrong')]) {
      const settings = { UPSTREAM_URL: upstream.url, TOKENS: clientToken, REDIS_URL: wrong };
      const edge = await testEdge(settings);
      await expect
        .poll(async () => (await edge.ask('GET /api/client/features')).statusCode)
        .toBe(200);
    }
  });
});
