import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { appOn, type TestApp, testApp } from '../../../../test/support/app.ts';
import { adminToken } from '../../../../test/support/tokens.ts';
import { programs } from '../../../../test/support/usage.ts';
import { deleteEdgesBefore } from './queries.ts';

const minute = 60_000;
const start = Date.UTC(2026, 10, 18, 12);
let nowMs = start;
const clock = () => new Date(nowMs);

let app: TestApp;
beforeAll(async () => {
  app = await testApp({ clock });
});
beforeEach(async () => {
  await app.db.deleteFrom('edges').execute();
});

const report = (payload: object, token?: string) =>
  programs(app).post('metrics/edge', payload, token);
const edges = async (on: Pick<TestApp, 'ask'> = app) =>
  (await on.ask('GET /api/admin/metrics/edges')).json().edges;

/** The fields that every edge sends. */
const edge = (identifier: string, more: object = {}) => ({
  identifier,
  appName: `edge-${identifier}`,
  edgeVersion: '20.1.1',
  ...more,
});

/** What an edge of Unleash sends. */
const ofUnleash = {
  ...edge('01A'),
  region: 'eu-north-1',
  started: '2026-11-18T11:50:00Z',
  processMetrics: { cpuUsage: 1.5, memoryUsage: 20_971_520 },
  traffic: {
    get: { '/api/client/features': { avg: 1, count: 400, p99: 2 } },
    post: {},
    accessDenied: {},
    cachedResponses: {},
    requestsSinceLastReport: {
      '/api/client/features': { requests200: 100, requests304: 200 },
      '/api/frontend': { requests200: 300, requests304: null },
    },
  },
  latencyUpstream: {
    features: { avg: 12.5, count: 40, p99: 80 },
    metrics: { avg: null, count: 0, p99: null },
    edge: { avg: 1, count: 1, p99: 1 },
  },
  connectedStreamingClients: 7,
  connectedEdges: [edge('01B', { connectedEdges: [edge('01C', { region: null })] })],
  aLaterField: { of: ['any', 'kind'] },
};

describe('the edges of the installation', () => {
  test('are listed with what they reported, including those behind others', async () => {
    const response = await report(ofUnleash);
    expect([response.statusCode, response.body]).toEqual([202, '']);
    const [front, behind, last, ...others] = await edges();
    expect(others).toEqual([]);
    expect(front).toEqual({
      identifier: '01A',
      instanceId: null,
      parent: null,
      appName: 'edge-01A',
      version: '20.1.1',
      region: 'eu-north-1',
      environment: 'development',
      startedAt: '2026-11-18T11:50:00.000Z',
      reportedAt: '2026-11-18T12:00:00.000Z',
      stateAgeSeconds: null,
      connectedClients: 7,
      // 600 in the ten minutes since its start.
      requestsPerSecond: 1,
      memoryBytes: 20_971_520,
      latency: { featuresMs: 12.5, featuresP99Ms: 80, metricsMs: null, metricsP99Ms: null },
    });
    expect([behind.parent, last.parent]).toEqual(['01A', '01B']);
    expect(behind).toMatchObject({ connectedClients: 0, requestsPerSecond: null });
  });

  test('have the values of their last report, on every instance', async () => {
    await report(ofUnleash);
    await edges();
    nowMs += minute;
    const newer = {
      ...ofUnleash,
      edgeVersion: '20.2.0',
      stateAgeSeconds: 4.5,
      instanceId: 'pod-1',
    };
    await report({ ...newer, connectedEdges: null });
    await edges();
    const two = await appOn(app, { clock });
    expect((await edges(two))[0]).toMatchObject({
      version: '20.2.0',
      instanceId: 'pod-1',
      stateAgeSeconds: 4.5,
      requestsPerSecond: 10,
      reportedAt: '2026-11-18T12:01:00.000Z',
    });
  });

  test('are no longer listed after an hour without a report', async () => {
    await report(edge('01A'));
    expect(await edges()).toHaveLength(1);
    nowMs += 60 * minute;
    await report(edge('01B'));
    expect((await edges()).map(({ identifier }: { identifier: string }) => identifier)).toEqual([
      '01B',
    ]);
    await deleteEdgesBefore(app.db, new Date(nowMs - minute));
    expect(await app.db.selectFrom('edges').select('identifier').execute()).toHaveLength(1);
  });

  test('report with an admin token without an environment', async () => {
    await report(edge('01A'), adminToken);
    expect((await edges())[0].environment).toBeNull();
  });

  test('are limited to 200 per report and 1,000 in total', async () => {
    const crowd = Array.from({ length: 200 }, (_, n) => edge(`crowd-${n}`));
    await report(edge('front', { connectedEdges: crowd }));
    expect(await edges()).toHaveLength(200);
    for (let page = 1; page < 6; page += 1) {
      const more = Array.from({ length: 199 }, (_, n) => edge(`page-${page}-${n}`));
      await report(edge(`front-${page}`, { connectedEdges: more }));
      await edges();
    }
    expect(await edges()).toHaveLength(1_000);
    nowMs += minute;
    await report(edge('front', { edgeVersion: '21' }));
    await report(edge('late'));
    const after: { identifier: string; version: string }[] = await edges();
    expect(after.find(({ identifier }) => identifier === 'front')?.version).toBe('21');
    expect(after.find(({ identifier }) => identifier === 'late')).toBeUndefined();
  });
});

describe('a report of an edge', () => {
  const nested = (levels: number): unknown =>
    JSON.parse(`${'[1,'.repeat(levels)}1${']'.repeat(levels)}`);

  test.each<[string, object]>([
    ['control characters', { appName: 'e\u001b[2J', region: '\u202e' }],
    ['numbers of any size', { connectedStreamingClients: 1e308, stateAgeSeconds: -1 }],
    ['an odd start', { started: -8.64e15 }],
    ['deep counts', { traffic: { requestsSinceLastReport: nested(50) } }],
    ['counts of another form', { traffic: { requestsSinceLastReport: 'many' } }],
    ['nulls', { region: null, traffic: null, latencyUpstream: null, processMetrics: null }],
  ])('may have %s', async (_, more) => {
    expect((await report(edge('01A', more))).statusCode).toBe(202);
    expect(await edges()).toHaveLength(1);
  });

  test.each<[string, object, string]>([
    ['no identifier', { identifier: '' }, '/body/identifier'],
    ['a version that is a number', { edgeVersion: 19 }, '/body/edgeVersion'],
    ['an endless region', { region: 'x'.repeat(256) }, '/body/region'],
  ])('gets 400 with %s', async (_, more, path) => {
    const response = await report({ ...edge('01A'), ...more });
    expect([response.statusCode, response.json().details[0].path]).toEqual([400, path]);
  });
});

test('license heartbeats of Unleash Edge return 404, because there is no license', async () => {
  const { statusCode } = await programs(app).post('edge-licensing/heartbeat', { any: 'thing' });
  expect(statusCode).toBe(404);
});
