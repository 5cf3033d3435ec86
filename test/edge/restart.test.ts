import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { createLogger } from '../../src/platform/log.ts';
import { type TestEdge, temporaryFolder, testEdge } from '../support/edge.ts';
import {
  type FakeUpstream,
  fakeUpstream,
  sendJson,
  sentFeature,
} from '../support/fake-upstream.ts';
import { clientToken } from '../support/tokens.ts';

const token = clientToken;
let upstream: FakeUpstream;
let folder: string;
let lines: { msg: string; [key: string]: unknown }[];

const start = (settings: Record<string, string> = {}): Promise<TestEdge> =>
  testEdge(
    {
      ...{ UPSTREAM_URL: upstream.url, BACKUP_FOLDER: folder },
      ...{ FEATURES_REFRESH_INTERVAL_SECONDS: '1', TOKEN_REVALIDATION_INTERVAL_SECONDS: '1' },
      ...settings,
    },
    'edge',
    createLogger('info', { write: (line) => void lines.push(JSON.parse(line)) }),
  );

async function namesOf(edge: TestEdge, as = token): Promise<string[] | number> {
  const { statusCode, body } = await edge.ask('GET /api/client/features', { token: as });
  if (statusCode !== 200) return statusCode;
  return JSON.parse(body).features.map(({ name }: { name: string }) => name);
}

const serves = (edge: TestEdge, names: readonly string[] | number, as = token) =>
  expect.poll(() => namesOf(edge, as)).toEqual(names);

const logged = (msg: string) => lines.find((line) => line.msg === msg);

beforeEach(async () => {
  upstream = await fakeUpstream();
  folder = temporaryFolder();
  lines = [];
  upstream.state.tokens = [{ token, type: 'client', projects: ['*'] }];
  upstream.state.features = { '*': [sentFeature('a')] };
});

describe('an edge starts', () => {
  test('despite usage and a state that cannot be read, and logs both', async () => {
    for (const name of ['usage', 'state']) mkdirSync(join(folder, `burgee-edge-${name}.json`));
    const edge = await start({ TOKENS: token });
    await serves(edge, ['a']);
    expect(logged('stored usage is not sent')).toBeDefined();
    expect(logged('a stored state cannot be used')).toBeDefined();
  });
});

describe('a bootstrap file', () => {
  const ofOne = 'one:development.secret-of-one';
  const ofTwo = 'two:development.secret-of-two';
  const ageSeconds = 3_600;
  let file: string;

  beforeEach(() => {
    upstream.state.tokens = [
      { token, type: 'client', projects: ['*'] },
      { token: ofOne, type: 'client', projects: ['one'] },
    ];
    upstream.state.features = { '*': [sentFeature('fetched', { project: 'one' })] };
    file = join(folder, 'features.json');
    const inFile = ['one', 'two'].map((project) => sentFeature(`file-${project}`, { project }));
    writeFileSync(file, JSON.stringify({ version: 2, features: inFile }));
    const at = Date.now() / 1_000 - ageSeconds;
    utimesSync(file, at, at);
  });

  test('is served to a token without stored features, even if the token itself was stored', async () => {
    upstream.answerWith((_, response) => response.writeHead(502).end(), '/api/client/features');
    const first = await start({ TOKENS: ofOne });
    await expect.poll(() => upstream.asked.get('/api/client/features')).toBeGreaterThan(0);
    await first.close();
    upstream.answerWith((request) => request.socket.destroy());
    const edge = await start({ TOKENS: ofOne, BOOTSTRAP_FILE: file });
    expect(await namesOf(edge, ofOne)).toEqual(['file-one']);
  });

  test('is served to a token that was added, while the others keep their stored features', async () => {
    const first = await start({ TOKENS: ofOne });
    await serves(first, ['fetched'], ofOne);
    await first.close();
    upstream.answerWith((request) => request.socket.destroy());
    const edge = await start({ TOKENS: `${ofOne},${ofTwo},${token}`, BOOTSTRAP_FILE: file });
    expect(await namesOf(edge, ofOne)).toEqual(['fetched']);
    expect(await namesOf(edge, ofTwo)).toEqual(['file-two']);
    expect(await namesOf(edge, token)).toEqual(['fetched', 'file-two']);
    upstream.answerWith(undefined);
    await serves(edge, ['fetched'], token);
  });

  test('is not served to a token that was refused, or whose projects only the upstream knows', async () => {
    const ofSeveral = '[]:development.secret-of-several';
    const settings = { BOOTSTRAP_FILE: file };
    const first = await start({ ...settings, TOKENS: ofTwo });
    await expect.poll(() => namesOf(first, ofTwo)).toBe(401);
    await first.close();
    upstream.answerWith((request) => request.socket.destroy());
    const edge = await start({ ...settings, TOKENS: [ofOne, ofTwo, ofSeveral].join() });
    expect(await namesOf(edge, ofOne)).toEqual(['file-one']);
    expect(await namesOf(edge, ofTwo)).toBe(503);
    expect(await namesOf(edge, ofSeveral)).toBe(503);
  });

  test('makes the tokens of the edge valid for edges behind it only if there is no upstream', async () => {
    upstream.answerWith((request) => request.socket.destroy());
    const settings = { TOKENS: ofOne, BOOTSTRAP_FILE: file };
    const asked = { payload: { tokens: [ofOne] } };
    const edge = await start(settings);
    expect((await edge.ask('POST /edge/validate', asked)).statusCode).toBe(503);
    upstream.answerWith(undefined);
    await expect
      .poll(async () => (await edge.ask('POST /edge/validate', asked)).statusCode)
      .toBe(200);
    const ofSeveral = '[]:development.secret-of-several';
    const offline = await testEdge({ ...settings, TOKENS: [ofOne, ofSeveral].join() }, 'offline');
    const { body } = await offline.ask('POST /edge/validate', {
      payload: { tokens: [ofOne, ofSeveral] },
    });
    expect(JSON.parse(body).tokens).toMatchObject([
      { token: ofOne, projects: ['one'] },
      { token: ofSeveral, projects: ['*'] },
    ]);
    expect(await namesOf(offline, ofSeveral)).toEqual(['file-one', 'file-two']);
  });

  test('is served with the age of its last change', async () => {
    upstream.answerWith((request) => request.socket.destroy());
    const edge = await start({ TOKENS: ofOne, BOOTSTRAP_FILE: file });
    const stale = async () =>
      (await edge.ask('GET /api/client/features', { token: ofOne })).headers[
        'x-burgee-stale-seconds'
      ];
    await expect.poll(stale).toMatch(/^36\d\d$/);
  });
});

test('a token that no client uses does not make the edge stale after a restart', async () => {
  const unused = 'one:development.unused';
  const used = 'two:development.used';
  upstream.state.tokens = [unused, used].map((each) => ({
    ...{ token: each, type: 'client', projects: [each.split(':')[0] as string] },
  }));
  const first = await start();
  for (const each of [unused, used]) await serves(first, [], each);
  await first.close();
  const edge = await start();
  const data = async () =>
    JSON.parse((await edge.ask('GET /internal-backstage/instancedata')).body);
  await serves(edge, [], used);
  await expect.poll(async () => (await data()).stale).toBe(false);

  await edge.close();
  upstream.answerWith((request) => request.socket.destroy());
  const away = await start();
  const stale = async () =>
    (await away.ask('GET /api/client/features', { token: used })).headers['x-burgee-stale-seconds'];
  await expect.poll(stale).toMatch(/^\d+$/);
});

test('a revoked token is not served after a restart without the upstream, even if it was the only one', async () => {
  const edge = await start({ TOKENS: token });
  await serves(edge, ['a']);
  await expect.poll(() => existsSync(join(folder, 'burgee-edge-state.json'))).toBe(true);
  upstream.state.tokens = [];
  await serves(edge, 401);
  await edge.close();
  upstream.answerWith((request) => request.socket.destroy());
  expect(await namesOf(await start({ TOKENS: token }))).toBe(503);
});

test('the last state is reported as stale from the start until the upstream is read', async () => {
  const first = await start({ TOKENS: token });
  await serves(first, ['a']);
  await first.close();
  upstream.answerWith(() => undefined);
  const edge = await start({ TOKENS: token, UPSTREAM_REQUEST_TIMEOUT: '1' });
  const stale = async () =>
    (await edge.ask('GET /api/client/features')).headers['x-burgee-stale-seconds'];
  expect(await stale()).toMatch(/^\d+$/);
  upstream.answerWith(undefined);
  await expect.poll(stale).toBeUndefined();
});

test('a token whose features were never read does not make those of others stale', async () => {
  const [fine, failing] = ['one:development.fine', 'two:development.failing'];
  upstream.state.tokens = [fine, failing].map((each) => ({
    ...{ token: each, type: 'client', projects: [each.split(':')[0] as string] },
  }));
  let failed = 0;
  upstream.answerWith((request, response) => {
    if (request.headers.authorization === fine) return sendJson(response, { features: [] });
    failed += 1;
    return response.writeHead(502).end();
  }, '/api/client/features');
  const edge = await start({ TOKENS: [fine, failing].join() });
  await serves(edge, [], fine);
  await expect.poll(() => failed).toBeGreaterThan(1);
  const stale = async () => {
    const { headers } = await edge.ask('GET /api/client/features', { token: fine });
    return headers['x-burgee-stale-seconds'];
  };
  // A read that takes too long on a busy machine is repeated within a second.
  await expect.poll(stale).toBeUndefined();
});

test('features of a token whose projects changed are served to other tokens until the new ones are read', async () => {
  const [backend, browser] = ['one:development.backend', 'one:development.browser'];
  upstream.state.tokens = [
    { token: backend, type: 'client', projects: ['one'] },
    { token: browser, type: 'frontend', projects: ['one'] },
  ];
  const edge = await start({ TOKENS: [backend, browser].join() });
  await serves(edge, [], backend);
  upstream.answerWith((_, response) => response.writeHead(502).end(), '/api/client/features');
  upstream.state.tokens[0] = { token: backend, type: 'client', projects: ['one', 'two'] };
  await serves(edge, 503, backend);
  const { statusCode } = await edge.ask('GET /api/frontend', { token: browser });
  expect(statusCode).toBe(200);
  upstream.answerWith(undefined, '/api/client/features');
  await serves(edge, [], backend);
});

test.each([
  ['nothing', ''],
  ['only heartbeats', ': heartbeat\n\n'],
])('an edge whose upstream streams %s reads the features without the stream', async (_, sent) => {
  upstream.answerWith((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    const beating = setInterval(() => response.write(sent), 100);
    response.on('close', () => clearInterval(beating));
  }, '/api/client/streaming');
  const edge = await start({ TOKENS: token, UPSTREAM_REQUEST_TIMEOUT: '1' });
  await serves(edge, ['a']);
});

test('the log identifies a token that is no longer valid by its hash', async () => {
  const edge = await start({ TOKENS: token });
  await serves(edge, ['a']);
  upstream.state.tokens = [];
  await expect
    .poll(() => logged('a token is no longer valid: it is refused')?.tokenHash)
    .toMatch(/^[\da-f]{8}$/);
});

test('an edge behind a stale edge reports the age that the stale edge states', async () => {
  const edge = await start({ TOKENS: token });
  await serves(edge, ['a']);
  let age: object = { 'x-burgee-stale-seconds': '4000' };
  upstream.answerWith((_, response) => {
    sendJson(response, { version: 2, features: [sentFeature('b')] }, 200, age);
  }, '/api/client/features');
  const stale = async () =>
    (await edge.ask('GET /api/client/features')).headers['x-burgee-stale-seconds'];
  await expect.poll(stale).toMatch(/^40\d\d$/);
  await serves(edge, ['b']);
  age = {};
  await expect.poll(stale).toBeUndefined();
});

test('an edge that follows a stream learns from heartbeats that its upstream is stale', async () => {
  let write: (text: string) => void = () => undefined;
  const features = [sentFeature('a')];
  const hydration = { type: 'hydration', eventId: 1, features, segments: [] };
  upstream.answerWith((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    write = (text) => void response.write(text);
    const data = JSON.stringify({ events: [hydration] });
    write(`id: 1\nevent: unleash-connected\ndata: ${data}\n\n`);
  }, '/api/client/streaming');
  const edge = await start({ TOKENS: token });
  await serves(edge, ['a']);
  const stale = async () =>
    (await edge.ask('GET /api/client/features')).headers['x-burgee-stale-seconds'];
  expect(await stale()).toBeUndefined();
  write(': stale 4000\n\n');
  await expect.poll(stale).toMatch(/^40\d\d$/);
  write(':\n\n');
  await expect.poll(stale).toBeUndefined();
});
