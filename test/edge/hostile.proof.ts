import type { InjectOptions } from 'fastify';
import { describe, expect, test } from 'vitest';
import { type TestEdge, temporaryFolder, testEdge } from '../support/edge.ts';
import {
  type FakeUpstream,
  fakeUpstream,
  sendJson,
  sentFeature,
} from '../support/fake-upstream.ts';
import { proofSeed } from '../support/random-cases.ts';
import { clientToken, frontendToken } from '../support/tokens.ts';

const rounds = 300;
let state = (Number(proofSeed ?? 20_261_119) >>> 0) + 1;
const random = (below: number): number => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
};

const nested = (depth: number): unknown => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`);

/** What no upstream should send. */
const surprises: readonly (() => unknown)[] = [
  () => null,
  () => '',
  () => -1,
  () => 1e308,
  () => true,
  () => [],
  () => ({}),
  () => '__proto__',
  () => 'constructor',
  () => 'x'.repeat(100_000),
  () => '\u0000\ud800',
  () => [null],
  () => [[], {}, 1, 'a'],
  () => ({ ['__proto__']: { enabled: true }, constructor: 1 }),
  () => nested(2_000),
];

/** Replaces or removes some values of a JSON document: this many of a thousand. */
function mutated(value: unknown, chance: number): unknown {
  if (random(1_000) < chance) return surprises[random(surprises.length)]?.();
  if (Array.isArray(value)) return value.map((each) => mutated(each, chance));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, each]) =>
      random(1_000) < chance ? [] : [[key, mutated(each, chance)]],
    ),
  );
}

const operators = ['IN', 'STR_CONTAINS', 'NUM_GT', 'DATE_AFTER', 'SEMVER_EQ', 'REGEX', 'TOO_NEW'];
const constraints = operators.map((operator) => ({
  ...{ contextName: 'userId', operator, inverted: false, caseInsensitive: true },
  ...{ values: ['ada', '(a+)+$'], value: '1.2.3' },
}));
const variants = [
  {
    name: 'v',
    weight: 1000,
    weightType: 'fix',
    stickiness: 'default',
    overrides: [],
    payload: { type: 'json', value: '{}' },
  },
];
const whole = {
  version: 2,
  features: [
    sentFeature('parent', { dependencies: [{ feature: 'child' }] }),
    sentFeature('child', {
      dependencies: [{ feature: 'parent', enabled: true, variants: ['v'] }],
      variants,
    }),
    sentFeature('rich', {
      strategies: operators.map((_, nth) => ({
        name: ['flexibleRollout', 'userWithId', 'remoteAddress', 'applicationHostname', 'own'][
          nth % 5
        ],
        parameters: {
          rollout: '50',
          stickiness: 'userId',
          groupId: 'g',
          userIds: 'ada',
          IPs: '10.0.0.0/8',
        },
        constraints: [constraints[nth]],
        segments: [1],
        variants,
      })),
    }),
  ],
  segments: [{ id: 1, name: 's', constraints }],
  meta: { revisionId: 5, etag: 'e', queryHash: 'q' },
};
const hydration = {
  type: 'hydration',
  eventId: 7,
  features: whole.features,
  segments: whole.segments,
};
const delta = {
  events: [
    hydration,
    { type: 'feature-updated', eventId: 8, feature: whole.features[2] },
    { type: 'feature-removed', eventId: 9, featureName: 'child', project: 'default' },
    { type: 'segment-updated', eventId: 10, segment: whole.segments[0] },
    { type: 'segment-removed', eventId: 11, segmentId: 1 },
  ],
};

const tokens = [
  { token: clientToken, type: 'client', projects: ['*'] },
  { token: frontendToken, type: 'frontend', projects: ['*'] },
];

async function startUpstream(): Promise<FakeUpstream> {
  const upstream = await fakeUpstream();
  upstream.state.tokens = tokens.map((each) => ({ ...each }));
  upstream.state.features = { '*': whole.features };
  upstream.state.segments = whole.segments;
  return upstream;
}

const start = (upstream: FakeUpstream): Promise<TestEdge> =>
  testEdge({
    ...{ UPSTREAM_URL: upstream.url, DYNAMIC: 'true' },
    ...{ FEATURES_REFRESH_INTERVAL_SECONDS: '1', TOKEN_REVALIDATION_INTERVAL_SECONDS: '1' },
    ...{ METRICS_INTERVAL_SECONDS: '1', BACKUP_FOLDER: temporaryFolder() },
  });

/** The first request of a new token waits until its features were requested. */
async function isServedAtLast(edge: TestEdge): Promise<boolean> {
  return (await edge.ask('GET /api/client/features')).statusCode === 200;
}

const context = { userId: 'ada', remoteAddress: '10.1.2.3', properties: { plan: 'x' } };

/** Sends every request that an SDK may send, and returns the responses that no edge should send. */
async function faultsOf(edge: TestEdge): Promise<string[]> {
  const faults: string[] = [];
  const asked = [
    ['GET /api/client/features', clientToken],
    ['GET /api/client/features/rich', clientToken],
    ['GET /api/client/features/__proto__', clientToken],
    ['GET /api/client/delta', clientToken],
    ['GET /api/frontend?userId=ada', frontendToken],
    ['GET /api/frontend/all?userId=ada', frontendToken],
    ['POST /api/frontend', frontendToken, { context }],
    ['POST /ofrep/v1/evaluate/flags', frontendToken, { context }],
    ['POST /ofrep/v1/evaluate/flags/rich', frontendToken, { context }],
    ['GET /internal-backstage/features', clientToken],
    ['GET /internal-backstage/tokens', clientToken],
    ['GET /internal-backstage/instancedata', clientToken],
  ] as const;
  for (const [request, token, payload] of asked) {
    const { statusCode, body } = await edge.ask(request, { token, ...(payload && { payload }) });
    const isFine = statusCode < 500 || statusCode === 503;
    if (!isFine) faults.push(`${request}: ${statusCode} ${body}`);
  }
  return faults;
}

describe('an upstream that sends nonsense never causes an error of the edge', () => {
  test.each([
    ['as features', '/api/client/features', () => mutated(whole, 1 + random(6))],
    ['as deltas', '/api/client/delta', () => mutated(delta, 1 + random(4))],
    ['about tokens', '/edge/validate', () => mutated({ tokens }, 100)],
  ] as const)('%s', async (_, path, nonsense) => {
    const upstream = await startUpstream();
    let served = 0;
    for (let nth = 0; nth < rounds; nth += 1) {
      const sent = nonsense();
      upstream.answerWith(
        (_request, response) => sendJson(response, sent, 200, { etag: `"${nth}"` }),
        path,
      );
      const edge = await start(upstream);
      if (await isServedAtLast(edge)) served += 1;
      const faults = await faultsOf(edge);
      await edge.close();
      expect(faults, JSON.stringify(sent).slice(0, 2_000)).toEqual([]);
    }
    // Some of it can be used, some cannot.
    expect(served).toBeGreaterThan(rounds / 20);
    expect(served).toBeLessThan(rounds);
  });

  test('in a stream', async () => {
    const upstream = await startUpstream();
    let served = 0;
    for (let nth = 0; nth < rounds / 3; nth += 1) {
      const texts = delta.events.map((event) =>
        JSON.stringify(mutated({ events: [event] }, random(10))),
      );
      upstream.answerWith((_request, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        for (const [at, text] of texts.entries()) {
          const name = at === 0 ? 'unleash-connected' : ['unleash-updated', 'x', ''][random(3)];
          const id = random(3) === 0 ? '\u0000' : at;
          response.write(`event: ${name}\nid: ${id}\ndata: ${text}\n\n`);
        }
        response.end(['', '\n', 'x'.repeat(10_000)][random(3)]);
      }, '/api/client/streaming');
      const edge = await start(upstream);
      if (await isServedAtLast(edge)) served += 1;
      const faults = await faultsOf(edge);
      await edge.close();
      expect(faults, texts.join('\n').slice(0, 2_000)).toEqual([]);
    }
    expect(served).toBeGreaterThan(rounds / 20);
  });
});

describe('a client that sends nonsense never causes an error', () => {
  const long = 'x'.repeat(60_000);
  const odd = JSON.parse('{"__proto__":{"a":1},"constructor":{"prototype":1},"toString":"x"}');
  const now = new Date().toISOString();
  const bodies: readonly (object | string)[] = [
    odd,
    { context: odd },
    { context: { properties: odd, userId: { a: 1 } } },
    { context: { currentTime: 'never', remoteAddress: long } },
    { tokens: ['__proto__', '', '*:development.\u0000', long, ...Array(400).fill('a:b.c')] },
    { tokens: { length: 5 } },
    {
      appName: '__proto__',
      instanceId: 'constructor',
      bucket: { start: now, stop: now, toggles: odd },
    },
    {
      appName: 'a',
      bucket: { start: 'x', stop: '9999-12-31T00:00:00Z', toggles: { a: { yes: 1e308, no: -1 } } },
    },
    {
      appName: 'a',
      bucket: {
        start: now,
        stop: now,
        toggles: { ['__proto__']: { yes: 1, no: 1, variants: odd } },
      },
    },
    {
      applications: [odd],
      metrics: [
        odd,
        { featureName: '__proto__', appName: 'a', environment: 'x', timestamp: now, yes: 1, no: 1 },
      ],
    },
    { batchId: '__proto__', applications: [], metrics: [] },
    { identifier: '__proto__', appName: 'a', connectedEdges: [odd, [], null] },
    [],
    '{',
    `${'['.repeat(20_000)}`,
    `{"context":${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}}`,
    `"${long}"`,
    'null',
  ];
  const paths = [
    '/api/frontend',
    '/api/frontend/all',
    '/api/frontend/features/a',
    '/api/proxy',
    '/api/frontend/client/metrics',
    '/api/frontend/client/register',
    '/api/client/metrics',
    '/api/client/metrics/bulk',
    '/api/client/metrics/edge',
    '/api/client/register',
    '/edge/validate',
    '/ofrep/v1/evaluate/flags',
    '/ofrep/v1/evaluate/flags/__proto__',
    '/api/client/edge-licensing/heartbeat',
    '/api/client/features',
  ];
  const targets = [
    '/api/frontend?__proto__[a]=1&properties[__proto__]=1&properties[constructor]=2',
    `/api/frontend?userId=${long.slice(0, 10_000)}`,
    '/api/frontend?environment=__proto__',
    '/api/frontend?environment=other&userId=a&userId=b',
    '/api/client/features?project=__proto__&namePrefix=%00&tag=a:b',
    '/api/client/features?project[]=a&project[a]=b',
    '/api/client/features/%00',
    '/api/client/features/%E0%A4%A',
    '/api/client/delta?tag=x',
    '//api//frontend//',
    '/api/proxy/%2e%2e/client/features',
    '/api/proxy/../../internal-backstage/tokens',
    '/internal-backstage/%74okens',
    `/${'a/'.repeat(2_000)}`,
  ];
  const credentials = [
    clientToken,
    frontendToken,
    '',
    'Bearer',
    `Bearer ${clientToken}`,
    '__proto__',
    '*:__proto__.constructor',
    long.slice(0, 10_000),
    '*:development.\u00e9',
    `${clientToken}, ${frontendToken}`,
  ];

  test('in any request', async () => {
    const upstream = await startUpstream();
    const edge = await start(upstream);
    expect(await isServedAtLast(edge)).toBe(true);
    const faults: string[] = [];
    const ask = async (request: InjectOptions) => {
      const response = await edge.app.inject(request);
      const isFine = response.statusCode < 500 || response.statusCode === 503;
      if (!isFine) faults.push(`${JSON.stringify(request).slice(0, 300)}: ${response.body}`);
    };
    for (const authorization of credentials) {
      const headers = { authorization, 'content-type': 'application/json' };
      for (const url of targets) await ask({ method: 'GET', url, headers });
      for (const url of paths) {
        for (const body of bodies) {
          const payload = typeof body === 'string' ? body : JSON.stringify(body);
          await ask({ method: 'POST', url, headers, payload });
        }
      }
    }
    expect(faults).toEqual([]);
    // What the edge kept of these requests causes no error later, when it is sent or stored.
    await expect.poll(() => upstream.reports.length).toBeGreaterThan(0);
    expect(await faultsOf(edge)).toEqual([]);
  });
});
