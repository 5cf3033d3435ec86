import { beforeAll, describe, expect, test } from 'vitest';
import { appOn, type TestApp, testApp } from '../../../../test/support/app.ts';
import { make } from '../../../../test/support/make.ts';
import { person } from '../../../../test/support/people.ts';
import { clientToken, frontendToken } from '../../../../test/support/tokens.ts';
import { strategyVariant } from '../../../../test/support/variants.ts';

let app: TestApp;
const flags = '/ofrep/v1/evaluate/flags';

const only = (name: string, payload?: { type: string; value: string }) => ({
  variants: [strategyVariant(name, payload ? { payload } : {})],
});

beforeAll(async () => {
  // Time stands still, because usage of two hours would be two rows.
  const now = new Date();
  app = await testApp({ clock: () => now });
  const create = make(app.ask);
  await create.project('shop');
  const strategies: Record<string, object | undefined> = {
    plain: undefined,
    'for-ada': { constraints: [{ contextName: 'userId', operator: 'IN', values: ['ada'] }] },
    half: { parameters: { rollout: '50', stickiness: 'userId' } },
    'all-users': { parameters: { rollout: '100', stickiness: 'userId' } },
    'from-here': { name: 'remoteAddress', parameters: { IPs: '127.0.0.1' } },
    text: only('red', { type: 'string', value: 'ff0000' }),
    number: only('many', { type: 'number', value: '12.5' }),
    object: only('settings', { type: 'json', value: '{"a":[1,2]}' }),
    list: only('names', { type: 'csv', value: 'a,b' }),
    named: only('bare'),
    'named-for-ada': {
      ...only('hers', { type: 'string', value: 'x' }),
      constraints: [{ contextName: 'userId', operator: 'IN', values: ['ada'] }],
    },
  };
  for (const [name, strategy] of Object.entries(strategies)) {
    await create.feature(name);
    if (strategy) await create.strategy(name, strategy);
    await create.switchedOn(name);
  }
  await create.feature('off');
  await create.strategy('off');
  await create.feature('off-with-variants');
  await create.strategy('off-with-variants', only('red'));
  await create.feature('of-the-shop', { project: 'shop' });
  await create.switchedOn('of-the-shop', { project: 'shop' });
});

const ask = (path: string, payload: unknown = {}, headers: Record<string, string> = {}) =>
  app.ask(`POST ${path}`, {
    payload: payload as object,
    headers: { authorization: clientToken, ...headers },
  });
const flag = async (key: string, context: object = {}) =>
  (await ask(`${flags}/${key}`, { context })).json();

describe('a single OFREP flag', () => {
  const isOn = { enabled: true, impressionData: false };
  const isOff = { enabled: false, impressionData: false };

  test.each([
    ['plain', { value: true, reason: 'STATIC', metadata: isOn }],
    ['off', { value: false, reason: 'DISABLED', metadata: isOff }],
    ['for-ada', { value: false, reason: 'DEFAULT', metadata: isOff }],
    [
      'text',
      {
        value: 'ff0000',
        variant: 'red',
        reason: 'STATIC',
        metadata: { ...isOn, payloadType: 'string' },
      },
    ],
    [
      'number',
      {
        value: 12.5,
        variant: 'many',
        reason: 'STATIC',
        metadata: { ...isOn, payloadType: 'number' },
      },
    ],
    [
      'object',
      {
        value: { a: [1, 2] },
        variant: 'settings',
        reason: 'STATIC',
        metadata: { ...isOn, payloadType: 'json' },
      },
    ],
    [
      'list',
      {
        value: 'a,b',
        variant: 'names',
        reason: 'STATIC',
        metadata: { ...isOn, payloadType: 'csv' },
      },
    ],
    // A feature that gets variants stays a boolean, so that existing code keeps working.
    ['named', { value: true, variant: 'bare', reason: 'STATIC', metadata: isOn }],
    ['off-with-variants', { value: false, reason: 'DISABLED', metadata: isOff }],
    // With payloads there is no boolean: the default in the code applies.
    ['named-for-ada', { reason: 'DEFAULT', metadata: isOff }],
  ])('%s has a value of its type and a reason', async (key, expected) => {
    const answer = await ask(`${flags}/${key}`);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(answer.json()).toEqual({ key, ...expected });
  });

  test('is evaluated for the targeting key as the user', async () => {
    for (const context of [
      { targetingKey: 'ada' },
      { userId: 'ada' },
      { targetingKey: 'grace', userId: 'ada' },
      { targetingKey: 'ada', userId: '' },
    ]) {
      expect(await flag('for-ada', context)).toMatchObject({
        value: true,
        reason: 'TARGETING_MATCH',
      });
    }
    expect(await flag('named-for-ada', { targetingKey: 'ada' })).toMatchObject({
      value: 'x',
      variant: 'hers',
    });
    expect(await flag('for-ada', { targetingKey: 'grace' })).toMatchObject({ value: false });
    const shares = await Promise.all(
      Array.from({ length: 50 }, (_, index) => flag('half', { targetingKey: `user-${index}` })),
    );
    expect(new Set(shares.map(({ value, reason }) => `${value} ${reason}`))).toEqual(
      new Set(['true SPLIT', 'false DEFAULT']),
    );
  });

  test('has the reason TARGETING_MATCH, not STATIC, if it depends on the context', async () => {
    expect(await flag('all-users', { userId: 'ada' })).toMatchObject({ reason: 'TARGETING_MATCH' });
    expect(await flag('all-users')).toMatchObject({ value: false, reason: 'DEFAULT' });
  });

  test('is evaluated for the client address with a frontend token, not with a client token', async () => {
    const as = async (authorization: string, context = {}) =>
      (await ask(`${flags}/from-here`, { context }, { authorization })).json().value;
    expect([await as(frontendToken), await as(clientToken)]).toEqual([true, false]);
    expect(await as(clientToken, { remoteAddress: '127.0.0.1' })).toBe(true);
  });

  test('can be requested with a client or frontend token, with or without Bearer, and without a body', async () => {
    for (const authorization of [clientToken, frontendToken, `Bearer ${clientToken}`]) {
      const answer = await app.ask(`POST ${flags}/plain`, { headers: { authorization } });
      expect([answer.statusCode, answer.json().value]).toEqual([200, true]);
    }
  });

  test('returns the same 404 as an unknown flag for tokens of other projects', async () => {
    const payload = { tokenName: 'shop', type: 'client', projects: ['shop'] };
    const { secret } = (await app.ask('POST /api/admin/api-tokens', { payload })).json();
    const as = (key: string) => ask(`${flags}/${key}`, {}, { authorization: secret });
    expect((await as('of-the-shop')).statusCode).toBe(200);
    const [hidden, absent] = [await as('plain'), await as('never')];
    expect([hidden.statusCode, absent.statusCode]).toEqual([404, 404]);
    const withoutId = ({ id, ...error }: Record<string, unknown>) => JSON.stringify(error);
    expect(withoutId(hidden.json()).replaceAll('plain', 'never')).toBe(withoutId(absent.json()));
  });
});

describe('all OFREP flags', () => {
  test('are listed, enabled or disabled', async () => {
    const answer = await ask(flags, { context: { targetingKey: 'ada' } });
    expect(answer.statusCode).toBe(200);
    const listed = answer.json().flags as { key: string }[];
    expect(listed.map(({ key }) => key)).toEqual([
      'all-users',
      'for-ada',
      'from-here',
      'half',
      'list',
      'named',
      'named-for-ada',
      'number',
      'object',
      'of-the-shop',
      'off',
      'off-with-variants',
      'plain',
      'text',
    ]);
    for (const each of listed) {
      expect(each).toEqual(await flag(each.key, { targetingKey: 'ada' }));
    }
  });

  test('have an ETag that is the same on every instance and changes with the decisions', async () => {
    const { etag } = (await ask(flags)).headers as { etag: string };
    const other = await appOn(app);
    const there = await other.ask(`POST ${flags}`, {
      payload: {},
      headers: { authorization: clientToken, 'if-none-match': etag },
    });
    expect([there.statusCode, there.body]).toEqual([304, '']);
    expect((await ask(flags, { context: { userId: 'ada' } })).headers.etag).not.toBe(etag);
    await make(app.ask).feature('added');
    expect((await ask(flags, {}, { 'if-none-match': etag })).statusCode).toBe(200);
  });
});

describe('an OFREP error has the fields of OpenFeature and our own', () => {
  const common = {
    id: expect.any(String),
    message: expect.any(String),
    errorDetails: expect.any(String),
  };

  test('for an unknown flag', async () => {
    const answer = await ask(`${flags}/never`);
    expect(answer.statusCode).toBe(404);
    expect(answer.json()).toEqual({
      key: 'never',
      errorCode: 'FLAG_NOT_FOUND',
      errorDetails: "Feature 'never' not found",
      id: expect.any(String),
      name: 'NotFoundError',
      message: "Feature 'never' not found",
      details: [{ message: "Feature 'never' not found" }],
    });
  });

  test.each([
    [{ context: { targetingKey: ['a'], userId: {} } }, 'INVALID_CONTEXT'],
    [{ context: 'ada' }, 'INVALID_CONTEXT'],
    [{ context: { plan: 'x'.repeat(4_001) } }, 'INVALID_CONTEXT'],
    [[], 'PARSE_ERROR'],
    ['{"context":', 'PARSE_ERROR'],
  ])('for the invalid body %j', async (payload, errorCode) => {
    const headers = { 'content-type': 'application/json' };
    const one = await ask(`${flags}/plain`, payload, headers);
    expect(one.statusCode).toBe(400);
    expect(one.json()).toMatchObject({ ...common, key: 'plain', errorCode, name: 'BadDataError' });
    const all = await ask(flags, payload, headers);
    expect(all.statusCode).toBe(400);
    expect(all.json()).toMatchObject({ ...common, errorCode, name: 'BadDataError' });
    expect(all.json()).not.toHaveProperty('key');
  });

  test('without a token and with a personal token', async () => {
    const { token } = await person(app, { rootRole: 1 });
    for (const [authorization, status, name] of [
      ['', 401, 'AuthenticationRequired'],
      [token, 403, 'NoAccessError'],
    ] as const) {
      for (const path of [flags, `${flags}/plain`]) {
        const answer = await ask(path, {}, { authorization });
        expect(answer.statusCode).toBe(status);
        expect(answer.json()).toMatchObject({ ...common, errorCode: 'GENERAL', name });
      }
    }
  });
});

describe('the usage counted by OFREP', () => {
  const usageOf = async (name: string) =>
    (await app.ask(`GET /api/admin/client-metrics/features/${name}/raw`)).json().data;

  test('includes evaluations of a single flag, by application', async () => {
    const create = make(app.ask);
    await create.feature('counted');
    await create.strategy('counted', {
      ...only('red'),
      constraints: [{ contextName: 'userId', operator: 'IN', values: ['ada'] }],
    });
    await create.switchedOn('counted');
    await flag('counted', { userId: 'ada', appName: 'shop' });
    await flag('counted', { userId: 'ada', appName: 'shop' });
    await flag('counted', { userId: 'grace', appName: 'shop' });
    await flag('counted', { appName: 'x'.repeat(256) });
    await ask(`${flags}/counted`, {}, { authorization: frontendToken });
    const usage = (await usageOf('counted')) as { appName: string }[];
    const byName = usage.sort((a, b) => (a.appName < b.appName ? -1 : 1));
    expect(byName).toMatchObject([
      { appName: 'ofrep', environment: 'development', yes: 0, no: 2 },
      { appName: 'shop', environment: 'development', yes: 2, no: 1, variants: { red: 2 } },
    ]);
    const feature = await app.ask('GET /api/admin/projects/default/features/counted');
    expect(feature.json().lastSeenAt).toEqual(expect.any(String));
  });

  test('excludes bulk evaluations and unknown flags', async () => {
    await make(app.ask).feature('uncounted');
    await ask(flags);
    await flag('uncountable');
    expect(await usageOf('uncounted')).toEqual([]);
    const there = await app.ask('GET /api/admin/client-metrics/features/uncountable/raw');
    expect(there.json().data ?? []).toEqual([]);
  });
});

test('OFREP flags are evaluated during maintenance', async () => {
  await app.ask('POST /api/admin/maintenance', { payload: { enabled: true } });
  expect((await flag('plain')).value).toBe(true);
  expect((await ask(flags)).statusCode).toBe(200);
  await app.ask('POST /api/admin/maintenance', { payload: { enabled: false } });
});
