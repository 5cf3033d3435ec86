import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../test/support/app.ts';
import { limitedApp } from '../../../../test/support/limited-app.ts';
import { make } from '../../../../test/support/make.ts';
import { countEvents } from '../../../../test/support/recorded.ts';

const admin = '/api/admin';
const secret = `${admin}/projects/secret`;

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
  await make(app.ask).project('secret', { mode: 'private' });
  await make(app.ask).feature('active', { project: 'secret' });
  await make(app.ask).feature('resting', { project: 'secret' });
  await app.ask(`DELETE ${secret}/features/resting`);
});

type Request = Parameters<TestApp['ask']>[0];

const names = { features: ['active'] };
const writes: readonly [Request, string, object?][] = [
  [`POST ${secret}/features`, 'CREATE_FEATURE', { name: 'never' }],
  [`PUT ${secret}/features/active`, 'UPDATE_FEATURE', { description: 'New' }],
  [
    `PATCH ${secret}/features/active`,
    'UPDATE_FEATURE',
    [{ op: 'replace', path: '/stale', value: true }],
  ],
  [`DELETE ${secret}/features/active`, 'DELETE_FEATURE'],
  [`POST ${secret}/stale`, 'UPDATE_FEATURE', { ...names, stale: true }],
  [`POST ${secret}/archive`, 'DELETE_FEATURE', names],
  [`POST ${secret}/archive/validate`, 'DELETE_FEATURE', names],
  [`POST ${secret}/revive`, 'UPDATE_FEATURE', { features: ['resting'] }],
  [`POST ${secret}/delete`, 'DELETE_FEATURE', { features: ['resting'] }],
  [`POST ${admin}/archive/revive/resting`, 'UPDATE_FEATURE'],
  [`DELETE ${admin}/archive/resting`, 'DELETE_FEATURE'],
];
const reads: readonly Request[] = [
  `GET ${secret}/features`,
  `GET ${secret}/features/active`,
  `GET ${secret}/flag-creators`,
  `GET ${admin}/archive/features/secret`,
];

const payloadOf = (payload: object | undefined) => (payload ? { payload } : {});

describe('a caller without the permission', () => {
  test.each(writes)('gets 403 from %s with the name %s', async (request, permission, payload) => {
    const everythingElse = limitedApp(app, {
      may: (asked, scope) => asked !== permission || scope !== 'secret',
    });
    const before = await countEvents(app.db);
    const response = await everythingElse.ask(request, payloadOf(payload));
    expect([response.statusCode, response.json().name]).toEqual([403, 'NoAccessError']);
    expect(response.json().message).toContain(permission);
    expect(await countEvents(app.db)).toBe(before);
  });

  test('can read all visible features', async () => {
    const reader = limitedApp(app, { may: (asked) => asked === 'none' });
    for (const request of [
      ...reads,
      `GET ${admin}/search/features`,
      `GET ${admin}/archive/features`,
    ] as const) {
      expect((await reader.ask(request as Request)).statusCode).toBe(200);
    }
    const payload = { name: 'free' };
    expect((await reader.ask(`POST ${admin}/features/validate`, { payload })).statusCode).toBe(200);
  });
});

describe('a caller who cannot see the project', () => {
  test.each([
    ...writes.map(([request, , payload]) => [request, payload] as const),
    ...reads.map((request) => [request, undefined] as const),
  ])('gets 404 from %s, whatever the permissions', async (request, payload) => {
    const stranger = limitedApp(app, { sees: new Set(['default']) });
    const before = await countEvents(app.db);
    const response = await stranger.ask(request, payloadOf(payload));
    expect([response.statusCode, response.json().name]).toEqual([404, 'NotFoundError']);
    expect(await countEvents(app.db)).toBe(before);
  });

  test('does not see its archived features in the list of all', async () => {
    const stranger = limitedApp(app, { sees: new Set(['default']) });
    expect((await stranger.ask(`GET ${admin}/archive/features`)).json().features).toEqual([]);
  });
});

describe('a caller with only the required permission', () => {
  test.each(writes.filter(([request]) => !/delete|DELETE|\/archive$|revive/.test(request)))(
    'can use %s',
    async (request, permission, payload) => {
      const able = limitedApp(app, {
        may: (asked, scope) => asked === 'none' || (asked === permission && scope === 'secret'),
        sees: new Set(['secret']),
      });
      expect((await able.ask(request, payloadOf(payload))).statusCode).toBeLessThan(300);
    },
  );

  test('can archive, revive and delete a feature, also in bulk', async () => {
    const able = limitedApp(app, {
      may: (asked, scope) =>
        asked === 'none' ||
        (scope === 'secret' && ['UPDATE_FEATURE', 'DELETE_FEATURE'].includes(asked)),
    });
    await make(app.ask).feature('travelling', { project: 'secret' });
    const payload = { features: ['travelling'] };
    for (const [request, body] of [
      [`DELETE ${secret}/features/travelling`, undefined],
      [`POST ${admin}/archive/revive/travelling`, undefined],
      [`POST ${secret}/archive`, payload],
      [`POST ${secret}/revive`, payload],
      [`POST ${secret}/archive`, payload],
      [`DELETE ${admin}/archive/travelling`, undefined],
    ] as const) {
      const response = await able.ask(request as Request, payloadOf(body));
      expect([request, response.statusCode < 300]).toEqual([request, true]);
    }
  });
});

test('a change that sets archived also requires DELETE_FEATURE', async () => {
  await make(app.ask).feature('staying');
  const path = `${admin}/projects/default/features/staying` as const;
  const payload = { archived: true, description: 'Changed' };
  const may = (asked: string) => ['none', 'UPDATE_FEATURE'].includes(asked);
  const unable = await limitedApp(app, { may }).ask(`PUT ${path}`, { payload });
  expect([unable.statusCode, unable.json().message]).toEqual([
    403,
    expect.stringContaining('DELETE_FEATURE'),
  ]);
  expect((await app.ask(`GET ${path}`)).json()).toMatchObject({
    archived: false,
    description: null,
  });
});

test('every endpoint returns 401 without a token', async () => {
  const requests = [
    ...writes.map(([request]) => request),
    ...reads,
    `GET ${admin}/search/features`,
  ];
  for (const request of requests) {
    const response = await app.ask(request as Request, { headers: { authorization: '' } });
    expect(response.statusCode).toBe(401);
  }
});
