import { beforeAll, describe, expect, test } from 'vitest';
import { appOn, type TestApp, testActor, testApp } from '../../../../test/support/app.ts';
import { make } from '../../../../test/support/make.ts';
import { countEvents, recordedBy } from '../../../../test/support/recorded.ts';
import type { ApiToken } from './contract.ts';
import { createToken, listTokens } from './index.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
  await make(app.ask).project('shop');
  await make(app.ask).project('archived');
  await app.ask('POST /api/admin/projects/archive/archived');
});

const tokens = '/api/admin/api-tokens';
const inTenYears = '2036-01-01T00:00:00.000Z';
const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

const create = (payload: object) => app.ask(`POST ${tokens}`, { payload });
const named = async (name: string) => (await app.ask(`GET ${tokens}/${name}`)).json().tokens;
const change = (secret: string | number, payload: object) =>
  app.ask(`PUT ${tokens}/${encodeURIComponent(secret)}`, { payload });
const remove = (secret: string | number) =>
  app.ask(`DELETE ${tokens}/${encodeURIComponent(secret)}`);

/** Whether a credential is valid: an SDK's token is, although it may not use the admin API. */
const isKnown = async (authorization: string) => {
  const response = await app.ask(`GET ${tokens}`, { headers: { authorization } });
  return response.statusCode !== 401;
};

describe('creating an API token', () => {
  test('returns the secret, prefixed with project and environment, and records the token without it', async () => {
    const response = await create({
      tokenName: 'shop sdk',
      type: 'client',
      project: 'shop',
      environment: 'production',
      expiresAt: '2036-01-01T01:00:00+01:00',
      alias: 'proxy',
    });
    expect(response.statusCode, response.body).toBe(201);
    expect(response.headers.location).toBe(`${tokens}/shop%20sdk`);
    const { id } = response.json();
    expect(response.json()).toEqual({
      id: expect.any(Number),
      secret: expect.stringMatching(/^shop:production\.[0-9a-f]{56}$/),
      tokenName: 'shop sdk',
      username: 'shop sdk',
      type: 'client',
      environment: 'production',
      project: 'shop',
      projects: ['shop'],
      alias: 'proxy',
      expiresAt: inTenYears,
      createdAt: instant,
      seenAt: null,
    });
    const { secret, seenAt, ...data } = response.json();
    expect(await recordedBy(app.db, response)).toEqual([
      {
        type: 'api-token-created',
        project: 'shop',
        environment: 'production',
        data,
        preData: null,
      },
    ]);
    expect(await named('shop%20sdk')).toEqual([{ ...data, id, secret, seenAt: null }]);
    expect(await isKnown(secret)).toBe(true);
  });

  test.each([
    [{ projects: ['shop'] }, /^shop:development\./, 'shop', ['shop']],
    [{ projects: ['shop', 'default'] }, /^\[\]:development\./, 'shop,default', ['shop', 'default']],
    [{}, /^\*:development\./, '*', ['*']],
    [{ projects: [] }, /^\*:development\./, '*', ['*']],
    [{ project: '*' }, /^\*:development\./, '*', ['*']],
    [{ projects: ['*'], project: '*' }, /^\*:development\./, '*', ['*']],
  ])('scopes the token by %j, in development', async (reach, secret, project, projects) => {
    const response = await create({ tokenName: 'reaching', type: 'FrontEnd', ...reach });
    expect(response.statusCode, response.body).toBe(201);
    expect(response.json()).toMatchObject({
      secret: expect.stringMatching(secret),
      type: 'frontend',
      environment: 'development',
      project,
      projects,
      alias: null,
      expiresAt: null,
    });
    const [event] = await recordedBy(app.db, response);
    const single = projects.length === 1 && project !== '*';
    expect(event).toMatchObject({ project: single ? project : null, environment: 'development' });
  });

  test('uses the first environment if none is given and no environment is named development', async () => {
    const other = await testApp();
    for (const [name, sortOrder] of [
      ['second', 2],
      ['first', 1],
    ] as const) {
      await make(other.ask).environment(name, { sortOrder });
    }
    await other.ask('DELETE /api/admin/projects/default/environments/development');
    const removed = await other.ask('DELETE /api/admin/environments/development');
    expect(removed.statusCode).toBe(200);
    const payload = { tokenName: 'placeless', type: 'client' };
    const response = await other.ask(`POST ${tokens}`, { payload });
    expect(response.json().environment).toBe('first');
  });

  test('lets an administrator create an admin token, valid for all projects and environments', async () => {
    const response = await create({ username: 'robot', type: 'ADMIN', environment: '*' });
    expect(response.statusCode, response.body).toBe(201);
    const { secret } = response.json();
    expect(secret).toMatch(/^\*:\*\.[0-9a-f]{56}$/);
    expect(response.json()).toMatchObject({ type: 'admin', environment: '*', projects: ['*'] });
    expect(await recordedBy(app.db, response)).toMatchObject([
      { project: null, environment: null },
    ]);
    const asked = await app.ask(`GET ${tokens}/robot`, { headers: { authorization: secret } });
    expect(asked.json().tokens).toMatchObject([{ tokenName: 'robot', secret: '*:*.*****' }]);
  });

  test('allows several tokens with the same name', async () => {
    for (const type of ['client', 'frontend']) {
      expect((await create({ tokenName: 'twin', type })).statusCode).toBe(201);
    }
    expect(await named('twin')).toMatchObject([{ type: 'client' }, { type: 'frontend' }]);
    expect(await named('nosuch')).toEqual([]);
  });

  test.each([
    [{ tokenName: '' }, ['/body/tokenName', '/body/tokenName']],
    [{ tokenName: undefined }, ['/body/tokenName']],
    [{ type: 'backend' }, ['/body/type']],
    [{ type: undefined }, ['/body/type']],
    [{ environment: 'nosuch' }, ['/body/environment']],
    [{ environment: '*' }, ['/body/environment']],
    [{ project: 'nosuch' }, ['/body/project']],
    [{ project: 'archived' }, ['/body/project']],
    [{ projects: ['shop', 'nosuch', 'no'] }, ['/body/projects/1', '/body/projects/2']],
    [{ projects: ['shop', 'shop'] }, ['/body/projects']],
    [{ projects: ['shop', '*'] }, ['/body/projects']],
    [{ projects: ['shop'], project: 'default' }, ['/body/project']],
    [{ type: 'admin', project: 'shop' }, ['/body/project']],
    [
      { type: 'admin', projects: ['*', 'shop'], environment: 'development' },
      ['/body/environment', '/body/projects'],
    ],
    [{ expiresAt: '2020-01-01T00:00:00Z' }, ['/body/expiresAt']],
    [{ expiresAt: '2036-12-31T23:59:60Z' }, ['/body/expiresAt']],
    [{ expiresAt: '9999-12-31T23:59:59-12:00' }, ['/body/expiresAt']],
    [{ expiresAt: 'tomorrow' }, ['/body/expiresAt']],
    [{ expiresAt: '2036-01-01' }, ['/body/expiresAt']],
    [
      { expiresAt: '2020-01-01T00:00:00Z', project: 'nosuch', environment: 'nosuch' },
      ['/body/expiresAt', '/body/project', '/body/environment'],
    ],
  ])('rejects %j with 400 and lists all validation errors', async (wrong, paths) => {
    const before = await countEvents(app.db);
    const response = await create({ tokenName: 'faulty', type: 'client', ...wrong });
    expect(response.statusCode, response.body).toBe(400);
    expect(response.json().name).toBe('BadDataError');
    expect(response.json().details.map(({ path }: { path: string }) => path)).toEqual(paths);
    expect(await countEvents(app.db)).toBe(before);
    expect(await named('faulty')).toEqual([]);
  });
});

describe('changing the expiry of an API token', () => {
  test('works by secret and by id, and records the previous state', async () => {
    const { secret, seenAt, ...before } = (
      await create({ tokenName: 'ending', type: 'client', project: 'shop' })
    ).json();
    const response = await change(secret, { expiresAt: inTenYears });
    expect([response.statusCode, response.body]).toEqual([200, '']);
    expect(await named('ending')).toMatchObject([{ expiresAt: inTenYears }]);
    expect(await recordedBy(app.db, response)).toEqual([
      {
        type: 'api-token-updated',
        project: 'shop',
        environment: 'development',
        data: { ...before, expiresAt: inTenYears },
        preData: before,
      },
    ]);
    const again = await change(before.id, { expiresAt: '2036-01-01T00:00:00Z' });
    expect(again.statusCode).toBe(200);
    expect(await recordedBy(app.db, again)).toEqual([]);
    expect((await change(before.id, { expiresAt: null })).statusCode).toBe(200);
    expect(await named('ending')).toMatchObject([{ expiresAt: null }]);
  });

  test('expires the token at once if the time is in the past', async () => {
    const { id, secret } = (await create({ tokenName: 'passed', type: 'client' })).json();
    expect(await isKnown(secret)).toBe(true);
    expect((await change(id, { expiresAt: '2020-01-01T00:00:00Z' })).statusCode).toBe(200);
    expect(await isKnown(secret)).toBe(false);
  });

  test('rejects anything but a valid timestamp or null', async () => {
    const { id } = (await create({ tokenName: 'strict', type: 'client' })).json();
    for (const payload of [{}, { expiresAt: 7 }, { expiresAt: '2036-12-31T23:59:60Z' }]) {
      const response = await change(id, payload);
      expect(response.statusCode).toBe(400);
      expect(response.json().details[0].path).toBe('/body/expiresAt');
    }
  });

  test('makes an expired token valid again', async () => {
    const secret = '*:development.over';
    await app.transact(testActor, (tx) =>
      createToken(tx, {
        name: 'over',
        type: 'client',
        secret,
        scope: { project: '*', environment: 'development' },
        origin: 'command line',
        expiresAt: new Date(0),
      }),
    );
    expect(await isKnown(secret)).toBe(false);
    expect((await change(secret, { expiresAt: inTenYears })).statusCode).toBe(200);
    expect(await isKnown(secret)).toBe(true);
  });
});

describe('deleting an API token', () => {
  test('revokes it at once and removes it from the lists', async () => {
    const { secret, seenAt, ...preData } = (
      await create({ tokenName: 'leaving', type: 'client', project: 'shop' })
    ).json();
    expect(await isKnown(secret)).toBe(true);
    const response = await remove(secret);
    expect([response.statusCode, response.body]).toEqual([200, '']);
    expect(await recordedBy(app.db, response)).toEqual([
      {
        type: 'api-token-deleted',
        project: 'shop',
        environment: 'development',
        data: null,
        preData,
      },
    ]);
    expect(await isKnown(secret)).toBe(false);
    expect(await named('leaving')).toEqual([]);
    for (const gone of [await remove(secret), await change(secret, { expiresAt: null })]) {
      expect(gone.statusCode).toBe(404);
      expect(gone.body).not.toContain(secret);
    }
  });

  test('works by id, and only one of several concurrent requests succeeds', async () => {
    const { id } = (await create({ tokenName: 'contested', type: 'client' })).json();
    const responses = await Promise.all([1, 2, 3].map(() => remove(id)));
    expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([200, 404, 404]);
    const recorded = await Promise.all(responses.map((each) => recordedBy(app.db, each)));
    expect(recorded.flat()).toHaveLength(1);
  });

  test('works for tokens from environment variables, with any text as secret', async () => {
    const input = { type: 'admin', origin: 'environment' } as const;
    for (const secret of ['1234', 'https://any/text?x']) {
      await app.transact(testActor, (tx) => createToken(tx, { ...input, name: 'init', secret }));
      expect((await remove(secret)).statusCode).toBe(200);
      expect(await isKnown(secret)).toBe(false);
    }
  });

  test.each(['nosuch', '0', '99999999999', '9999999', '-5', '*:development.'])(
    'returns 404 for %j',
    async (secret) => {
      expect((await remove(secret)).statusCode).toBe(404);
    },
  );
});

test('creating API tokens beyond the limit returns 403, even when requests race for the last one', async () => {
  const full = await testApp();
  const { apiTokens: limit } = (await full.ask('GET /api/admin/ui-config')).json().resourceLimits;
  const there = (await listTokens(full.db)).length;
  await full.db
    .insertInto('api_tokens')
    .values(
      Array.from({ length: limit - 1 - there }, (_, index) => ({
        name: 'many',
        type: 'client' as const,
        environment: 'development',
        projects: ['*'],
        secret_hash: Buffer.from(`hash ${index}`),
        origin: 'api' as const,
        alias: null,
        created_at: new Date(),
        expires_at: null,
        revoked_at: null,
      })),
    )
    .execute();
  const one = () => full.ask(`POST ${tokens}`, { payload: { tokenName: 'one', type: 'client' } });
  const responses = await Promise.all([one(), one(), one()]);
  expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([201, 403, 403]);
  const refused = responses.find(({ statusCode }) => statusCode === 403);
  expect(refused?.json()).toMatchObject({ name: 'InvalidOperationError' });
  expect(refused?.json().message).toContain(`${limit}`);
  const made = responses.find(({ statusCode }) => statusCode === 201)?.json();
  await full.ask(`DELETE ${tokens}/${made.id}`);
  expect((await one()).statusCode).toBe(201);
});

test('the list of API tokens shows when each was last used', async () => {
  const { secret } = (await create({ tokenName: 'seen', type: 'client' })).json();
  // An instance stores last-seen times when it is closed, at the latest.
  const other = await appOn(app);
  await other.ask(`GET ${tokens}`, { headers: { authorization: secret } });
  await other.app.close();
  expect(await named('seen')).toMatchObject([{ seenAt: instant }]);
});

test.each(['api-tokens', 'api-tokens/seen-now', 'projects/default/api-tokens'])(
  'GET /api/admin/%s shows a use on the same instance at once',
  async (path) => {
    const { id, secret } = (
      await create({ tokenName: 'seen-now', type: 'client', projects: ['default'] })
    ).json();
    const seenAt = async () => {
      const list = (await app.ask(`GET /api/admin/${path}`)).json().tokens as ApiToken[];
      return list.find((token) => token.id === id)?.seenAt;
    };
    expect(await seenAt()).toBeNull();
    const answer = await app.ask('GET /api/client/features', {
      headers: { authorization: secret },
    });
    expect(answer.statusCode).toBe(200);
    expect(await seenAt()).toEqual(instant);
  },
);
