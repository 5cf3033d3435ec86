import { Writable } from 'node:stream';
import { beforeAll, describe, expect, test } from 'vitest';
import { createLogger } from '../../src/platform/log.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { adminToken, clientToken, frontendToken } from '../support/tokens.ts';

let app: TestApp;
const lines: string[] = [];

beforeAll(async () => {
  const output = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  app = await testApp({ log: createLogger('info', output) });
});

describe('a response to a request of 900 kB is shorter than 10 kB', () => {
  const long = 'x'.repeat(900_000);
  const feature = '/api/admin/projects/default/features';
  test.each<[`${'POST' | 'PUT'} ${string}`, object]>([
    [`POST ${feature}`, { name: 'f', type: long }],
    ['POST /api/admin/features/validate', { name: 'f', projectId: long }],
    ['POST /api/admin/tags', { type: long, value: 'v' }],
    ['POST /api/admin/projects/default/archive', { features: [long] }],
    ['POST /api/admin/projects/default/stale', { features: [long], stale: true }],
    ['POST /api/admin/segments/strategies', { projectId: long, strategyId: long }],
    ['POST /api/admin/segments', { name: 's', constraints: [], project: long }],
    ['POST /api/admin/projects', { id: 'p', name: 'p', [long]: { name: 5 } }],
    ['POST /api/admin/projects', { id: 'p', name: 'p', mode: long, environments: [long] }],
    [
      'PUT /api/admin/tags/features',
      { features: [long], tags: { addedTags: [], removedTags: [] } },
    ],
  ])('%s', async (request, payload) => {
    const answer = await app.ask(request, { payload });
    expect(answer.body.length).toBeLessThan(10_000);
  });

  test('even if a key of 900 kB is invalid', async () => {
    const payload = { appName: 'a', bucket: { start: 5, stop: 5, toggles: { [long]: 7 } } };
    const answer = await app.ask('POST /api/client/metrics', {
      payload,
      headers: { authorization: clientToken },
    });
    expect(answer.body.length).toBeLessThan(10_000);
  });
});

describe('secrets in paths', () => {
  test.each([
    'DELETE /api/admin/api-tokens/short-secret',
    'DELETE /api/admin/api-tokens//short-secret',
    'DELETE /api/admin/api%2Dtokens/short-secret',
    'DELETE /api/admin/api-tokens/short-secret/more',
    'DELETE /api/admin/projects/default/api-tokens/short-secret',
    'GET /invite//short-secret/validate',
    'GET /invit/short-secret',
    'GET /api/admin/invite-link/tokens//short-secret',
    'GET /api/admin/projects?token=short-secret',
    'GET /short-secret',
  ] as const)('are not logged for %s', async (request) => {
    lines.length = 0;
    const answer = await app.ask(request);
    expect(lines.join('')).toContain(`"status":${answer.statusCode}`);
    expect(lines.join('')).not.toContain('short-secret');
  });

  test('are distinguished from other names, which are logged', async () => {
    lines.length = 0;
    await app.ask('GET /api//admin/projects/default/overview?x=y');
    expect(lines.join('')).toContain('"path":"/api/admin/projects/default/overview"');
    await app.ask('GET /api/admin/projects/default/nothing/x');
    expect(lines.join('')).toContain('"path":"/api/admin/projects/*/*/*"');
  });

  test.each(['//', '/', '%2Dtokens'])(
    'do not appear in the response, whatever follows api-tokens: %s',
    async (between) => {
      const path = between.startsWith('%')
        ? `/api/admin/api${between}/short-secret/more`
        : `/api/admin/api-tokens${between}short-secret/more`;
      const answer = await app.ask(`DELETE ${path}`);
      expect(answer.statusCode).toBe(404);
      expect(answer.body).not.toContain('short-secret');
    },
  );
});

describe('caching of responses', () => {
  test.each([
    'POST /api/admin/api-tokens',
    'GET /api/admin/projects',
    'GET /api/admin/nothing',
    'POST /auth/simple/login',
    'GET /auth/providers',
    'GET /invite/any/validate',
  ] as const)('is forbidden for %s', async (request) => {
    const payload = request.startsWith('POST') ? { tokenName: 'n', type: 'client' } : undefined;
    const answer = await app.ask(request, payload ? { payload } : {});
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  test('is allowed for responses with an ETag', async () => {
    const features = await app.ask('GET /api/client/features', {
      headers: { authorization: clientToken },
    });
    expect(String(features.headers['cache-control'])).not.toContain('no-store');
    const report = await app.ask('GET /api/admin/projects/default/health-report');
    expect(report.headers['cache-control']).toBe('private, no-cache');
    const again = await app.ask('GET /api/admin/projects/default/health-report', {
      headers: { 'if-none-match': String(report.headers.etag) },
    });
    expect(again.statusCode).toBe(304);
  });
});

describe('the Prometheus metrics', () => {
  const url = '/internal-backstage/prometheus';
  const away = '192.0.2.1';
  const statusOf = async (
    options: { remoteAddress?: string; headers?: Record<string, string> },
    { app: server } = app,
  ) => (await server.inject({ url, ...options })).statusCode;

  test('are available to programs on this machine', async () => {
    expect(await statusOf({})).toBe(200);
    expect(await statusOf({ remoteAddress: '::1' })).toBe(200);
    expect(await statusOf({ remoteAddress: '::ffff:127.0.0.1' })).toBe(200);
  });

  test.each([
    'x-forwarded-for',
    'forwarded',
    'x-real-ip',
    'via',
    'x-forwarded-proto',
    'cf-connecting-ip',
  ])('are denied to a proxy on this machine that sends %s', async (name) => {
    expect(await statusOf({ headers: { [name]: 'for=192.0.2.1' } })).toBe(401);
  });

  test('are available with any token except a frontend token', async () => {
    const by = (authorization: string) =>
      statusOf({ remoteAddress: away, headers: { authorization } });
    expect(await statusOf({ remoteAddress: away })).toBe(401);
    expect(await by('unknown')).toBe(401);
    expect(await by(adminToken)).toBe(200);
    expect(await by(clientToken)).toBe(200);
    expect(await by(frontendToken)).toBe(403);
  });

  test('are public if configured so', async () => {
    const open = await testApp({ config: { publicMetrics: true } });
    expect(await statusOf({ remoteAddress: away }, open)).toBe(200);
  });

  test('have one line for each status of a route, and no histogram of rejected requests', async () => {
    const { ask, app: server } = await testApp();
    await ask('GET /api/admin/projects');
    for (const authorization of ['unknown', clientToken]) {
      await ask('GET /api/admin/projects', { headers: { authorization } });
    }
    const { body } = await server.inject({ url });
    const own = body.split('\n').filter((line) => line.includes('route="/api/admin/projects"'));
    expect(own.filter((line) => line.startsWith('http_requests_total'))).toEqual([
      'http_requests_total{method="GET",route="/api/admin/projects",status="200"} 1',
      'http_requests_total{method="GET",route="/api/admin/projects",status="401"} 1',
      'http_requests_total{method="GET",route="/api/admin/projects",status="403"} 1',
    ]);
    expect(own.filter((line) => line.includes('_bucket'))).toHaveLength(13);
  });
});
