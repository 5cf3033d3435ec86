import { beforeAll, describe, expect, test } from 'vitest';
import {
  createToken,
  ensureTokens,
  listTokens,
  revokeToken,
} from '../../src/modules/access/api-tokens/index.ts';
import { systemActor } from '../../src/modules/access/gate/index.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { adminToken, clientToken, frontendToken } from '../support/tokens.ts';

let app: TestApp;
const now = { ms: Date.UTC(2026, 0, 1) };

beforeAll(async () => {
  app = await testApp({ clock: () => new Date(now.ms) });
});

const as = (authorization: string | undefined, path = '/api/admin/search/events') =>
  app.app.inject({ url: path, headers: authorization === undefined ? {} : { authorization } });

const make = (name: string, expiresAt: Date | null = null) =>
  app.transact(systemActor, (tx) =>
    createToken(tx, {
      name,
      type: 'admin',
      secret: `*:*.${name}`,
      origin: 'command line',
      expiresAt,
    }),
  );

describe('5 Authentication', () => {
  test('5.1 accepts a token alone or after Bearer, in any case and spacing', async () => {
    for (const value of [
      adminToken,
      `Bearer ${adminToken}`,
      `bearer   ${adminToken}`,
      `${adminToken}  `,
    ]) {
      expect((await as(value)).statusCode, value).toBe(200);
    }
  });

  test.each([
    undefined,
    '',
    'Bearer',
    'Bearer ',
    'bogus',
    `Basic ${adminToken}`,
    '*:*.nope',
    'user:nope',
    `${adminToken}x`,
    `${adminToken}, ${adminToken}`,
    '\u00e9',
  ])('5.2 rejects %j with the same 401 AuthenticationRequired', async (value) => {
    const response = await as(value);
    expect(response.statusCode).toBe(401);
    expect(response.json()).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'AuthenticationRequired',
      message: expect.stringContaining('Authorization'),
      details: [{ message: expect.any(String) }],
      // The sign-in form of the UI needs these.
      type: 'password',
      path: '/auth/simple/login',
      defaultHidden: false,
    });
  });

  test('5.2 rejects an expired token from the moment of its expiry', async () => {
    await make('short-lived', new Date(now.ms + 5000));
    expect((await as('*:*.short-lived')).statusCode).toBe(200);
    now.ms += 5000;
    expect((await as('*:*.short-lived')).statusCode).toBe(401);
  });

  test('5.2 a revoked token is rejected within a second', async () => {
    await make('leaving');
    expect((await as('*:*.leaving')).statusCode).toBe(200);
    await app.transact(systemActor, (tx) => revokeToken(tx, 'leaving'));
    now.ms += 1001;
    expect((await as('*:*.leaving')).statusCode).toBe(401);
  });

  test('5.2 returns 401 before errors in the path, body or content type', async () => {
    for (const request of [
      { method: 'GET' as const, url: '/api/admin/no/such/path' },
      {
        method: 'POST' as const,
        url: '/api/admin/projects',
        payload: '{broken',
        headers: { 'content-type': 'application/json' },
      },
      {
        method: 'POST' as const,
        url: '/api/admin/projects',
        payload: 'x',
        headers: { 'content-type': 'text/plain' },
      },
    ]) {
      expect((await app.app.inject(request)).statusCode).toBe(401);
    }
  });

  test.each([clientToken, frontendToken])(
    '5.3 rejects %s in the admin API with 403 that names ADMIN',
    async (token) => {
      const response = await as(token);
      expect(response.statusCode).toBe(403);
      expect(response.json()).toMatchObject({
        id: expect.any(String),
        name: 'NoAccessError',
        message: expect.stringContaining('ADMIN'),
      });
    },
  );

  test('5.4 health, readiness and documentation need no token', async () => {
    for (const path of ['/health', '/docs/openapi.json']) {
      expect((await as(undefined, path)).statusCode, path).toBe(200);
    }
    // It waits only a second for the first snapshot.
    await expect.poll(async () => (await as(undefined, '/ready')).statusCode).toBe(200);
  });
});

test('a token gets the requested scope, not one parsed from its secret', async () => {
  const scope = { project: 'shop', environment: 'eu.west' };
  const input = { type: 'client', secret: 'shop:eu.west.secret', origin: 'command line' } as const;
  const token = await app.transact(systemActor, (tx) =>
    createToken(tx, { ...input, name: 'dotted', scope }),
  );
  expect(token).toMatchObject({ projects: ['shop'], environment: 'eu.west' });
  const scopeless = app.transact(systemActor, (tx) =>
    createToken(tx, { ...input, name: 'scopeless', secret: 'shop:eu.secret' }),
  );
  await expect(scopeless).rejects.toThrow('a project and an environment');
});

describe('tokens from environment variables', () => {
  const none = { admin: [], client: [], frontend: [] };
  const ensure = (tokens: Partial<Record<'admin' | 'client' | 'frontend', string[]>>) =>
    app.transact(systemActor, (tx) => ensureTokens(tx, { ...none, ...tokens }));

  test('are created at the first start only, with the names admin, admin-2 …', async () => {
    await ensure({ admin: [adminToken, 'any.text-without-blank'] });
    await ensure({ admin: [adminToken, 'any.text-without-blank'] });
    const names = (await listTokens(app.db)).map(({ name }) => name);
    expect(names.filter((name) => name.startsWith('admin'))).toEqual(['admin', 'admin-2']);
    expect((await as('any.text-without-blank')).statusCode).toBe(200);
  });

  test('stay valid after removal from the variables, and the start reports them', async () => {
    const { leftOver } = await ensure({
      admin: [adminToken],
      client: [clientToken],
      frontend: [frontendToken],
    });
    expect(leftOver).toEqual(['admin-2']);
    expect((await as('any.text-without-blank')).statusCode).toBe(200);
  });

  test('stay revoked once revoked', async () => {
    await app.transact(systemActor, (tx) => revokeToken(tx, 'admin-2'));
    await ensure({ admin: [adminToken, 'any.text-without-blank'] });
    now.ms += 1001;
    expect((await as('any.text-without-blank')).statusCode).toBe(401);
  });

  test('are reported at the start if they are revoked, expired or of another type', async () => {
    await make('outdated', new Date(now.ms));
    const { notInForce } = await ensure({
      admin: [adminToken, 'any.text-without-blank', '*:*.outdated'],
      client: [clientToken, frontendToken],
      frontend: [frontendToken],
    });
    expect(notInForce).toEqual(['admin-2', 'outdated', 'frontend']);
    const sound = { admin: [adminToken], client: [clientToken], frontend: [frontendToken] };
    expect((await ensure(sound)).notInForce).toEqual([]);
  });

  test('for SDKs have the project and environment that they name', async () => {
    await app.ask('POST /api/admin/projects', { payload: { id: 'shop', name: 'Shop' } });
    await ensure({ client: ['shop:production.some.secret'] });
    expect((await listTokens(app.db)).at(-1)).toMatchObject({
      type: 'client',
      projects: ['shop'],
      environment: 'production',
    });
  });

  test('for SDKs are rejected if they name no project and environment', async () => {
    const before = await listTokens(app.db);
    await expect(ensure({ client: ['no-scope'] })).rejects.toThrow('a project and an environment');
    await expect(ensure({ frontend: ['*:dotless'] })).rejects.toThrow('a project');
    expect(await listTokens(app.db)).toEqual(before);
  });

  test('are stored as hashes: no table and no event contains a secret', async () => {
    const stored = JSON.stringify([
      await app.db.selectFrom('api_tokens').selectAll().execute(),
      await app.db.selectFrom('events').selectAll().execute(),
      await app.db.selectFrom('event_texts').selectAll().execute(),
    ]);
    for (const secret of [
      'test-admin',
      'test-client',
      'any.text-without-blank',
      'short-lived-secret',
    ]) {
      expect(stored).not.toContain(secret);
    }
    expect(await app.db.selectFrom('events').select('type').execute()).toContainEqual({
      type: 'api-token-created',
    });
  });

  test('appear in events with their name and a negative user id', async () => {
    const response = await app.ask('POST /api/admin/projects', {
      payload: { name: 'Made by a token' },
    });
    expect(response.statusCode).toBe(201);
    const { events } = (await app.ask('GET /api/admin/search/events?limit=1')).json();
    const [admin] = (await listTokens(app.db)).filter(({ name }) => name === 'admin');
    expect(events[0]).toMatchObject({
      createdBy: 'admin',
      createdByUserId: -(admin?.id ?? 0),
      ip: '127.0.0.1',
    });
  });
});
