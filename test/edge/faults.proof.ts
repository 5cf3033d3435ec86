import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { type TestEdge, temporaryFolder, testEdge } from '../support/edge.ts';
import {
  type FakeUpstream,
  fakeUpstream,
  sendJson,
  sentFeature,
} from '../support/fake-upstream.ts';
import { clientToken } from '../support/tokens.ts';

const token = clientToken;
const other = 'one:development.other-secret';
const browser = '*:development.browser-secret';
let upstream: FakeUpstream;
let folder: string;

const all = { TOKENS: [token, other, browser].join() };

const start = (settings: Record<string, string> = {}): Promise<TestEdge> =>
  testEdge({
    ...{
      UPSTREAM_URL: upstream.url,
      BACKUP_FOLDER: folder,
      FEATURES_REFRESH_INTERVAL_SECONDS: '1',
    },
    ...{ METRICS_INTERVAL_SECONDS: '1', TOKEN_REVALIDATION_INTERVAL_SECONDS: '1' },
    ...all,
    ...settings,
  });

async function namesOf(edge: TestEdge, as = token): Promise<string[] | number> {
  const { statusCode, body } = await edge.ask('GET /api/client/features', { token: as });
  if (statusCode !== 200) return statusCode;
  return JSON.parse(body).features.map(({ name }: { name: string }) => name);
}

const serves = (edge: TestEdge, names: readonly string[] | number, as = token) =>
  expect.poll(() => namesOf(edge, as)).toEqual(names);

const stateFile = () => join(folder, 'burgee-edge-state.json');
const isStored = (text: string) =>
  expect
    .poll(() => (existsSync(stateFile()) ? readFileSync(stateFile(), 'utf8') : ''))
    .toContain(text);

const staleSeconds = async (edge: TestEdge) =>
  (await edge.ask('GET /api/client/features')).headers['x-burgee-stale-seconds'];

beforeEach(async () => {
  upstream = await fakeUpstream();
  folder = temporaryFolder();
  upstream.state.tokens = [
    { token, type: 'client', projects: ['*'] },
    { token: other, type: 'backend', projects: ['one'], environment: 'development' },
    { token: browser, type: 'frontend', projects: ['*'] },
  ];
  upstream.state.features = { '*': [sentFeature('a'), sentFeature('b')] };
});

describe('an edge keeps serving the same features, and states their age, while its upstream', () => {
  const page = '<html>Bad gateway</html>';
  test.each([
    ['answers 401', (_: unknown, response: never) => sendJson(response, {}, 401)],
    ['answers 403', (_: unknown, response: never) => sendJson(response, {}, 403)],
    ['answers 404', (_: unknown, response: never) => sendJson(response, {}, 404)],
    ['answers 500', (_: unknown, response: never) => sendJson(response, {}, 500)],
    [
      'sends an error page with 200',
      (_: unknown, response: { end: (text: string) => void }) => response.end(page),
    ],
    [
      'sends JSON of another kind',
      (_: unknown, response: never) => sendJson(response, { features: {}, tokens: {} }),
    ],
    [
      'sends features of another kind',
      (_: unknown, response: never) =>
        sendJson(response, { features: [{ name: 'a' }], tokens: null }),
    ],
    [
      'sends half a body',
      (_: unknown, response: never) => {
        const raw = response as {
          writeHead: (...of: unknown[]) => void;
          write: (t: string) => void;
          destroy: () => void;
        };
        raw.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
        raw.write('{"features":[');
        setTimeout(() => raw.destroy(), 20);
      },
    ],
    [
      'closes connections',
      (request: { socket: { destroy: () => void } }) => request.socket.destroy(),
    ],
  ] as [string, never][])('%s', async (_, answer) => {
    const edge = await start();
    await serves(edge, ['a', 'b']);
    expect(await staleSeconds(edge)).toBeUndefined();
    const before = upstream.asked.get('/edge/validate') ?? 0;
    upstream.answerWith(answer);
    await expect.poll(() => staleSeconds(edge)).toMatch(/^\d+$/);
    // Also after it was asked about the tokens.
    await expect.poll(() => upstream.asked.get('/edge/validate')).toBeGreaterThan(before);
    expect(await namesOf(edge)).toEqual(['a', 'b']);
    upstream.answerWith(undefined);
    upstream.state.features = { '*': [sentFeature('c')] };
    await serves(edge, ['c']);
    await expect.poll(() => staleSeconds(edge)).toBeUndefined();
  });

  test('does not respond at all', async () => {
    const edge = await start({ UPSTREAM_REQUEST_TIMEOUT: '1' });
    await serves(edge, ['a', 'b']);
    upstream.answerWith(() => undefined);
    await expect.poll(() => staleSeconds(edge)).toMatch(/^\d+$/);
    expect(await namesOf(edge)).toEqual(['a', 'b']);
  });
});

describe('a token', () => {
  test('is refused once the upstream no longer lists it, and the others are still served', async () => {
    const edge = await start();
    await serves(edge, ['a', 'b']);
    upstream.state.tokens = upstream.state.tokens.filter((each) => each.token !== browser);
    await expect
      .poll(async () => (await edge.ask('GET /api/frontend', { token: browser })).statusCode)
      .toBe(401);
    expect(await namesOf(edge)).toEqual(['a', 'b']);
  });

  test('whose features were read with another token is still served after that one is revoked', async () => {
    const edge = await start();
    await serves(edge, ['a', 'b']);
    upstream.state.features[other] = [sentFeature('b', { project: 'one' })];
    upstream.state.tokens = upstream.state.tokens.filter((each) => each.token === other);
    await serves(edge, 401);
    await serves(edge, ['b'], other);
  });

  test('that is unknown gets 503 while the upstream is away, and 401 once it answers', async () => {
    const edge = await testEdge({ UPSTREAM_URL: upstream.url, DYNAMIC: 'true' });
    upstream.answerWith((_, response) => sendJson(response, {}, 502));
    expect(await namesOf(edge, '*:development.new')).toBe(503);
    const payload = { tokens: [token] };
    expect((await edge.ask('POST /edge/validate', { payload })).statusCode).toBe(503);
    upstream.answerWith(undefined);
    expect(await namesOf(edge, '*:development.new')).toBe(401);
    expect(await namesOf(edge, token)).toEqual(['a', 'b']);
  });

  test('is validated with the upstream at most every 10 seconds while it is invalid', async () => {
    const edge = await testEdge({ UPSTREAM_URL: upstream.url, DYNAMIC: 'true' });
    for (let times = 0; times < 20; times += 1) await namesOf(edge, '*:development.wrong');
    expect(upstream.asked.get('/edge/validate')).toBe(1);
  });
});

describe('tokens of two projects with a feature of the same name', () => {
  const inProject = (project: string, enabled: boolean) =>
    sentFeature('same', { project, enabled });

  test('each get the feature of their own project', async () => {
    const two = 'two:development.two-secret';
    upstream.state.tokens = [
      { token: other, type: 'client', projects: ['one'] },
      { token: two, type: 'client', projects: ['two'] },
    ];
    upstream.state.features = {
      [other]: [inProject('one', true)],
      [two]: [inProject('two', false)],
    };
    const edge = await start({ TOKENS: [other, two].join() });
    for (const [as, enabled] of [
      [other, true],
      [two, false],
    ] as const) {
      await serves(edge, ['same'], as);
      const { body } = await edge.ask('GET /api/client/features', { token: as });
      expect(JSON.parse(body).features).toMatchObject([{ name: 'same', enabled }]);
      const one = await edge.ask('GET /api/client/features/same', { token: as });
      expect(JSON.parse(one.body)).toMatchObject({ enabled });
    }
  });
});

describe('the last state', () => {
  test('is served after a kill to the same tokens, with its age, while the upstream is away', async () => {
    const first = await start();
    await serves(first, ['a', 'b']);
    await isStored('"b"');
    await first.kill();
    upstream.answerWith((request) => request.socket.destroy());
    const edge = await start();
    await serves(edge, ['a', 'b']);
    await expect.poll(() => staleSeconds(edge)).toMatch(/^\d+$/);
    expect((await edge.ask('GET /api/frontend', { token: browser })).statusCode).toBe(200);
    expect((await edge.ask('GET /internal-backstage/ready')).statusCode).toBe(200);
  });

  test('contains no secret, and only the owner of its file can read it', async () => {
    const edge = await start();
    await serves(edge, ['a', 'b']);
    await isStored('"b"');
    for (const file of readdirSync(folder)) {
      const path = join(folder, file);
      expect(statSync(path).mode & 0o777).toBe(0o600);
      for (const secret of [token, other, browser])
        expect(readFileSync(path, 'utf8')).not.toContain(secret.split('.')[1]);
    }
  });

  test.each([
    ['truncated', (text: string) => text.slice(0, -10)],
    ['changed', (text: string) => text.replace('"enabled":true', '"enabled":false')],
    ['empty', () => ''],
  ])('is not used if its file was %s', async (_, damage) => {
    const first = await start();
    await serves(first, ['a', 'b']);
    await isStored('"b"');
    await first.close();
    writeFileSync(stateFile(), damage(readFileSync(stateFile(), 'utf8')));
    upstream.answerWith((request) => request.socket.destroy());
    const edge = await start();
    expect(await namesOf(edge)).toBe(503);
    upstream.answerWith(undefined);
    await serves(edge, ['a', 'b']);
  });

  test('of another upstream is not used', async () => {
    const first = await start();
    await serves(first, ['a', 'b']);
    await first.close();
    const edge = await start({ UPSTREAM_URL: 'http://127.0.0.1:1' });
    expect(await namesOf(edge)).toBe(503);
  });

  test('that cannot be stored does not affect clients', async () => {
    const edge = await start();
    await serves(edge, ['a', 'b']);
    rmSync(folder, { recursive: true });
    writeFileSync(folder, 'no folder');
    upstream.state.features = { '*': [sentFeature('c')] };
    await serves(edge, ['c']);
    rmSync(folder);
    mkdirSync(folder);
    upstream.state.features = { '*': [sentFeature('d')] };
    await serves(edge, ['d']);
    await isStored('"d"');
  });

  test('is still served after the clock was set back', async () => {
    const first = await start();
    await serves(first, ['a', 'b']);
    await first.close();
    upstream.answerWith((request) => request.socket.destroy());
    const realNow = Date.now;
    vi.spyOn(Date, 'now').mockImplementation(() => realNow() - 30 * 86_400_000);
    try {
      const edge = await start();
      await serves(edge, ['a', 'b']);
      await expect.poll(() => staleSeconds(edge)).toMatch(/^\d{1,2}$/);
    } finally {
      vi.restoreAllMocks();
    }
  });
});

describe('usage', () => {
  const report = (yes: number) => {
    const now = new Date().toISOString();
    const bucket = { start: now, stop: now, toggles: { a: { yes, no: 0, variants: { v: yes } } } };
    return { payload: { appName: 'shop', instanceId: 'one', bucket } };
  };
  /** Applications and counts are sent separately. */
  const countsIn = (body: string): boolean => (JSON.parse(body) as Sent).metrics.length > 0;
  interface Sent {
    batchId: string;
    metrics: { featureName: string; yes: number; variants: object }[];
    applications: { appName: string }[];
  }
  const sent = () =>
    upstream.reports
      .filter(({ path }) => path === '/api/client/metrics/bulk')
      .map(({ body }) => body as Sent);
  const sum = () => {
    const ids = new Map(sent().map((body) => [body.batchId, body]));
    return [...ids.values()]
      .flatMap(({ metrics }) => metrics)
      .reduce((all, { yes }) => all + yes, 0);
  };

  test('reported during an outage is sent afterwards, even after a restart', async () => {
    const edge = await start();
    await serves(edge, ['a', 'b']);
    upstream.answerWith((_, response) => sendJson(response, {}, 503), '/api/client/metrics/bulk');
    for (let times = 0; times < 5; times += 1)
      await edge.ask('POST /api/client/metrics', report(2));
    await expect.poll(() => upstream.asked.get('/api/client/metrics/bulk')).toBeGreaterThan(0);
    await edge.close();
    upstream.answerWith(undefined, '/api/client/metrics/bulk');
    await start();
    await expect.poll(sum).toBe(10);
    await expect
      .poll(() => sent().flatMap(({ applications }) => applications))
      .toMatchObject([{ appName: 'shop' }]);
  });

  test('whose response was lost is sent again under the same id', async () => {
    const edge = await start();
    await serves(edge, ['a', 'b']);
    const ids: string[] = [];
    upstream.answerWith((request, response, body) => {
      if (!countsIn(body)) return sendJson(response, undefined, 202);
      ids.push(JSON.parse(body).batchId);
      if (ids.length < 3) return request.socket.destroy();
      return sendJson(response, undefined, 202);
    }, '/api/client/metrics/bulk');
    await edge.ask('POST /api/client/metrics', report(1));
    await expect.poll(() => ids.length).toBe(3);
    expect(new Set(ids).size).toBe(1);
    expect(ids[0]).toMatch(/^[\da-f]{8}-/);
  });

  test('that was sent before a kill keeps its id', async () => {
    const edge = await start();
    await serves(edge, ['a', 'b']);
    const ids: string[] = [];
    const lose = (request: { socket: { destroy: () => void } }, _: unknown, body: string) => {
      if (countsIn(body)) ids.push(JSON.parse(body).batchId);
      request.socket.destroy();
    };
    upstream.answerWith(lose as never, '/api/client/metrics/bulk');
    await edge.ask('POST /api/client/metrics', report(1));
    await expect.poll(() => ids.length).toBeGreaterThan(0);
    await edge.kill();
    await start();
    const before = ids.length;
    await expect.poll(() => ids.length).toBeGreaterThan(before);
    expect(new Set(ids).size).toBe(1);
  });

  test('that the upstream rejects is dropped, and does not hold up other usage', async () => {
    const edge = await start();
    await serves(edge, ['a', 'b']);
    let [rejected, accepted] = [0, 0];
    upstream.answerWith((_, response, body) => {
      const isWrong = (JSON.parse(body) as Sent).metrics.some(({ yes }) => yes === 100);
      if (isWrong) rejected += 1;
      else if (countsIn(body)) accepted += 1;
      sendJson(response, {}, isWrong ? 400 : 202);
    }, '/api/client/metrics/bulk');
    const reportMore = async () => {
      const before = accepted;
      await edge.ask('POST /api/client/metrics', report(1));
      await expect.poll(() => accepted).toBeGreaterThan(before);
    };
    const hasDropped = async () =>
      /^burgee_edge_usage_dropped 1$/m.test(
        (await edge.ask('GET /internal-backstage/prometheus')).body,
      );
    await edge.ask('POST /api/client/metrics', report(100));
    await expect.poll(() => rejected).toBeGreaterThan(0);
    while (!(await hasDropped())) await reportMore();
    const tries = rejected;
    await reportMore();
    expect(rejected).toBe(tries);
    // Attempts without other usage do not count.
    expect(tries).toBeGreaterThanOrEqual(5);
  });
});

test('an edge without an upstream serves its bootstrap file', async () => {
  const file = join(folder, 'features.json');
  writeFileSync(file, JSON.stringify({ version: 2, features: [sentFeature('a')] }));
  const edge = await testEdge({ BOOTSTRAP_FILE: file, TOKENS: token }, 'offline');
  expect(await namesOf(edge)).toEqual(['a']);
  expect((await edge.ask('GET /api/frontend', { token })).statusCode).toBe(200);
  expect(await namesOf(edge, other)).toBe(401);
});

test('a bootstrap file is served until the upstream answers', async () => {
  const file = join(folder, 'features.json');
  writeFileSync(file, JSON.stringify({ version: 2, features: [sentFeature('old')] }));
  upstream.answerWith((request) => request.socket.destroy());
  const edge = await start({ BOOTSTRAP_FILE: file });
  await serves(edge, ['old']);
  upstream.answerWith(undefined);
  await serves(edge, ['a', 'b']);
});
