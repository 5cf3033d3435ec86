import { beforeAll, describe, expect, test } from 'vitest';
import { appOn, type TestApp, testApp } from '../../../../test/support/app.ts';
import { make } from '../../../../test/support/make.ts';
import { person } from '../../../../test/support/people.ts';
import { adminToken, clientToken, frontendToken } from '../../../../test/support/tokens.ts';
import { strategyVariant } from '../../../../test/support/variants.ts';

let app: TestApp;

const constrained = (contextName: string, operator: string, ...values: string[]) => ({
  constraints: [{ contextName, operator, values, value: values[0] }],
});

beforeAll(async () => {
  app = await testApp();
  const create = make(app.ask);
  await create.project('shop');
  for (const name of ['region', 'plan', 'age']) {
    await app.ask('POST /api/admin/context', { payload: { name } });
  }
  const { id } = await create.segment('testers', {
    constraints: [{ contextName: 'userId', operator: 'IN', values: ['ada', '7'] }],
  });
  const features: Record<string, object | undefined> = {
    plain: undefined,
    'for-testers': { segments: [id] },
    'in-region': constrained('region', 'STR_STARTS_WITH', 'eu-'),
    'for-grown-ups': constrained('age', 'NUM_GTE', '18'),
    'from-home': { name: 'remoteAddress', parameters: { IPs: '127.0.0.1' } },
    'in-production': constrained('environment', 'IN', 'production'),
    'in-the-past': constrained('currentTime', 'DATE_BEFORE', '2020-01-01T00:00:00Z'),
    'of-the-app': constrained('appName', 'IN', 'web'),
    'until-the-end': constrained('currentTime', 'DATE_BEFORE', '2990-01-01T00:00:00Z'),
    endless: constrained('plan', 'IN', 'Infinity'),
    'not-endless': constrained('plan', 'NOT_IN', 'Infinity', 'gold'),
    varied: {
      variants: [strategyVariant('red', { payload: { type: 'json', value: '{"a":1}' } })],
    },
  };
  for (const [name, strategy] of Object.entries(features)) {
    await create.feature(name, { impressionData: name === 'plain' });
    if (strategy) await create.strategy(name, strategy);
    await create.switchedOn(name);
  }
  await create.feature('off');
  await create.strategy('off');
  await create.feature('of-the-shop', { project: 'shop' });
  await create.switchedOn('of-the-shop', { project: 'shop' });
  await create.feature('elsewhere');
  await create.switchedOn('elsewhere', { environment: 'production' });
});

const asFrontend = (headers: Record<string, string> = {}) => ({
  headers: { authorization: frontendToken, ...headers },
});

const get = (query = '', headers?: Record<string, string>) =>
  app.ask(`GET /api/frontend${query}`, asFrontend(headers));
const post = (payload?: object, headers?: Record<string, string>) =>
  app.ask('POST /api/frontend', { ...asFrontend(headers), ...(payload && { payload }) });

type Answer = Awaited<ReturnType<typeof get>>;
const namesIn = (answer: Answer): string[] =>
  answer.json().toggles.map(({ name }: { name: string }) => name);

const alwaysOn = ['from-home', 'not-endless', 'of-the-shop', 'plain', 'until-the-end', 'varied'];

describe('the enabled features', () => {
  test('are listed by name with their variants', async () => {
    const answer = await get();
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(answer.headers['cache-control']).toBe('private, no-cache');
    const plain = { name: 'disabled', enabled: false, featureEnabled: true, feature_enabled: true };
    expect(answer.json()).toEqual({
      toggles: [
        { name: 'from-home', enabled: true, variant: plain, impressionData: false },
        { name: 'not-endless', enabled: true, variant: plain, impressionData: false },
        { name: 'of-the-shop', enabled: true, variant: plain, impressionData: false },
        { name: 'plain', enabled: true, variant: plain, impressionData: true },
        { name: 'until-the-end', enabled: true, variant: plain, impressionData: false },
        {
          name: 'varied',
          enabled: true,
          variant: {
            name: 'red',
            enabled: true,
            payload: { type: 'json', value: '{"a":1}' },
            featureEnabled: true,
            feature_enabled: true,
          },
          impressionData: false,
        },
      ],
    });
  });

  test.each([
    ['?userId=ada', 'for-testers'],
    ['?properties[region]=eu-north', 'in-region'],
    ['?properties%5Bregion%5D=eu-north', 'in-region'],
    ['?region=eu-north', 'in-region'],
    ['?region=us&properties[region]=eu-north', 'in-region'],
    ['?properties[region]=eu-north&region=us', 'in-region'],
    ['?properties[age]=18', 'for-grown-ups'],
    ['?currentTime=2019-05-05T00:00:00Z', 'in-the-past'],
    ['?appName=web', 'of-the-app'],
  ])('depend on the context in the query %s', async (query, name) => {
    expect(namesIn(await get(query))).toEqual([...alwaysOn, name].sort());
  });

  test.each([
    [{ userId: 'ada' }, 'for-testers'],
    [{ userId: 7 }, 'for-testers'],
    [{ properties: { region: 'eu-north' } }, 'in-region'],
    [{ region: 'eu-north' }, 'in-region'],
    [{ properties: { age: 21 } }, 'for-grown-ups'],
    [{ currentTime: '2019-05-05T00:00:00Z', properties: null }, 'in-the-past'],
    [{ appName: 'web', userId: null }, 'of-the-app'],
  ])('depend on the context in the body %j', async (context, name) => {
    expect(namesIn(await post({ context }))).toEqual([...alwaysOn, name].sort());
  });

  test('are the same without a body and with properties that are not text', async () => {
    const properties = { region: ['eu-1'], age: { years: 18 }, plan: null, constructor: true };
    for (const answer of [await post(), await post({}), await post({ context: { properties } })]) {
      expect(answer.statusCode).toBe(200);
      expect(answer.json()).toEqual((await get()).json());
    }
  });

  test('are not confused between contexts that are the same as JSON', async () => {
    const headers = { authorization: frontendToken, 'content-type': 'application/json' };
    // JavaScript parses 1e999 as Infinity, which JSON cannot express.
    const asked = (plan: string) => `{"context":{"sessionId":"1","properties":{"plan":${plan}}}}`;
    for (const [plan, expected] of [
      ['1e999', 'not-endless'],
      ['null', 'not-endless'],
      ['"Infinity"', 'endless'],
      ['-1e999', 'not-endless'],
    ] as const) {
      const payload = asked(plan);
      const answer = await app.app.inject({
        method: 'POST',
        url: '/api/frontend',
        headers,
        payload,
      });
      const names = namesIn(answer).filter((name) => name.endsWith('endless'));
      expect([plan, names]).toEqual([plan, [expected]]);
    }
  });

  test('are the same for an empty text and a missing one', async () => {
    expect(namesIn(await get('?currentTime='))).toEqual(alwaysOn);
    expect(namesIn(await post({ context: { currentTime: '' } }))).toEqual(alwaysOn);
    const admin = { headers: { authorization: adminToken } };
    expect(namesIn(await app.ask('GET /api/frontend?environment=', admin))).toEqual(alwaysOn);
  });

  test("are those of the token's environment, regardless of the context", async () => {
    for (const answer of [
      await get('?environment=production'),
      await post({ context: { environment: 'production' } }),
    ]) {
      expect(namesIn(answer)).toEqual(alwaysOn);
    }
    const admin = { headers: { authorization: adminToken } };
    const there = await app.ask('GET /api/frontend?environment=production', admin);
    expect(namesIn(there)).toEqual(['elsewhere']);
    expect(namesIn(await app.ask('GET /api/frontend', admin))).toEqual(alwaysOn);
    expect(namesIn(await app.ask('GET /api/frontend?environment=none', admin))).toEqual([]);
  });

  test("are those of the token's projects", async () => {
    const payload = { tokenName: 'shop', type: 'frontend', projects: ['shop'] };
    const { secret } = (await app.ask('POST /api/admin/api-tokens', { payload })).json();
    expect(namesIn(await get('', { authorization: secret }))).toEqual(['of-the-shop']);
  });

  test('depend on the address of the client unless another is given', async () => {
    expect(namesIn(await get('?remoteAddress=10.0.0.1'))).not.toContain('from-home');
    const answer = await app.app.inject({
      url: '/api/frontend',
      remoteAddress: '10.0.0.1',
      ...asFrontend(),
    });
    expect(namesIn(answer)).not.toContain('from-home');
    expect(namesIn(await get('?remoteAddress='))).toContain('from-home');
  });

  test('are current after a change', async () => {
    await make(app.ask).feature('flipping');
    await make(app.ask).switchedOn('flipping');
    expect(namesIn(await get())).toContain('flipping');
    await app.ask(
      'POST /api/admin/projects/default/features/flipping/environments/development/off',
    );
    expect(namesIn(await get())).not.toContain('flipping');
  });
});

describe('repeated requests with the same context', () => {
  const ask = async ({ ask: there }: TestApp) =>
    namesIn(await there('GET /api/frontend?userId=ada', asFrontend()));

  test('get a new decision for random stickiness', async () => {
    const here = await testApp();
    await make(here.ask).feature('rolled');
    const parameters = { rollout: '50', stickiness: 'random' };
    await make(here.ask).strategy('rolled', { parameters });
    await make(here.ask).switchedOn('rolled');
    const seen = new Set<number>();
    for (let asked = 0; asked < 60; asked += 1) seen.add((await ask(here)).length);
    expect(seen).toEqual(new Set([0, 1]));
  });

  test('get a new decision when the time changes', async () => {
    let now = new Date('2030-01-01T00:00:00Z');
    const here = await testApp({ clock: () => now });
    await make(here.ask).feature('dated');
    const dated = constrained('currentTime', 'DATE_AFTER', '2031-01-01T00:00:00Z');
    await make(here.ask).strategy('dated', dated);
    await make(here.ask).switchedOn('dated');
    expect(await ask(here)).toEqual([]);
    now = new Date('2031-01-01T00:00:01Z');
    expect(await ask(here)).toEqual(['dated']);
  });
});

describe('the ETag', () => {
  test('yields 304 for GET and POST', async () => {
    for (const ask of [get, (_query: string, headers = {}) => post({ context: {} }, headers)]) {
      const first = await ask('');
      const etag = String(first.headers.etag);
      expect(etag).toMatch(/^W\/"[\w-]+"$/);
      for (const named of [etag, etag.slice(2), `"other", ${etag}`, '*']) {
        const again = await ask('', { 'if-none-match': named });
        expect([named, again.statusCode, again.body]).toEqual([named, 304, '']);
        expect(again.headers).toMatchObject({
          etag,
          'cache-control': 'private, no-cache',
          vary: 'Accept-Encoding, Origin',
        });
      }
      expect((await ask('', { 'if-none-match': '"other"' })).statusCode).toBe(200);
    }
  });

  test('depends on the decisions only, not on the form of the request', async () => {
    const tagOf = async (answer: Promise<Answer>) => (await answer).headers.etag;
    const [nobody, ada] = [await tagOf(get()), await tagOf(get('?userId=ada'))];
    expect(ada).not.toBe(nobody);
    expect(await tagOf(get('?userId=7'))).toBe(ada);
    expect(await tagOf(post({ context: { userId: 'ada' } }))).toBe(ada);
    expect(await tagOf(get('?userId=grace'))).toBe(nobody);
  });

  test('is the same on every instance and changes with the decisions', async () => {
    const other = await appOn(app);
    const elsewhere = async () =>
      (await other.ask('GET /api/frontend', asFrontend())).headers.etag as string;
    const before = await elsewhere();
    expect((await get()).headers.etag).toBe(before);
    // A feature that is disabled for this context.
    await make(app.ask).feature('quiet');
    expect((await get('', { 'if-none-match': before })).statusCode).toBe(304);
    await make(app.ask).switchedOn('quiet');
    expect((await get('', { 'if-none-match': before })).statusCode).toBe(200);
    await expect.poll(elsewhere).toBe((await get()).headers.etag);
    expect(await elsewhere()).not.toBe(before);
  });
});

describe('a request to the frontend API', () => {
  test('requires a frontend token', async () => {
    const { token } = await person(app, { rootRole: 1 });
    for (const [authorization, status, name, words] of [
      ['', 401, 'AuthenticationRequired', ''],
      ['*:development.none', 401, 'AuthenticationRequired', ''],
      [clientToken, 403, 'NoAccessError', 'FRONTEND'],
      [token, 403, 'NoAccessError', 'FRONTEND'],
    ] as const) {
      for (const answer of [await get('', { authorization }), await post({}, { authorization })]) {
        expect([answer.statusCode, answer.json().name]).toEqual([status, name]);
        expect(answer.json().message).toContain(words);
      }
    }
  });

  const pathsOf = (answer: Answer): string[] =>
    answer.json().details.map(({ path }: { path: string }) => path);

  test('gets all errors for repeated or overlong query parameters', async () => {
    const long = 'x'.repeat(4_001);
    const answer = await get(
      `?userId=1&userId=2&properties[a]=1&properties[a]=2&b/c=1&b/c=2&sessionId=${long}&properties[d]=${long}`,
    );
    expect([answer.statusCode, answer.json().name]).toEqual([400, 'BadDataError']);
    expect(pathsOf(answer).sort()).toEqual([
      '/query/b~1c',
      '/query/properties[a]',
      '/query/properties[d]',
      '/query/sessionId',
      '/query/userId',
    ]);
  });

  test('gets all errors for an invalid or oversized context in the body', async () => {
    const long = 'x'.repeat(4_001);
    const answer = await post({
      context: { userId: ['1'], appName: {}, region: long, properties: { plan: long } },
    });
    expect([answer.statusCode, answer.json().name]).toEqual([400, 'BadDataError']);
    expect(pathsOf(answer).sort()).toEqual([
      '/body/context/appName',
      '/body/context/properties/plan',
      '/body/context/region',
      '/body/context/userId',
    ]);
    const many = Object.fromEntries(Array.from({ length: 201 }, (_, index) => [`p${index}`, 'x']));
    expect(pathsOf(await post({ context: { properties: many } }))).toEqual([
      '/body/context/properties',
    ]);
    expect(pathsOf(await post({ context: many }))).toEqual(['/body/context']);
    const named = { ['n'.repeat(201)]: 'x' };
    expect((await post({ context: named })).statusCode).toBe(400);
    for (const context of [[], 'ada', 7, null, { properties: 'x' }, { properties: [] }]) {
      expect((await post({ context })).statusCode).toBe(400);
    }
  });

  test('may have 199 properties', async () => {
    const many = Array.from({ length: 199 }, (_, index) => `properties[p${index}]=x`).join('&');
    expect((await get(`?${many}&userId=ada`)).statusCode).toBe(200);
  });
});

describe('the reports of applications', () => {
  const metrics = (name: string) => ({
    appName: 'web',
    instanceId: 'browser',
    bucket: {
      start: new Date().toISOString(),
      stop: new Date().toISOString(),
      toggles: { [name]: { yes: 2, no: 1, variants: {} } },
    },
  });
  const report = (what: string, payload: object, headers?: Record<string, string>) =>
    app.ask(`POST /api/frontend/client/${what}`, { ...asFrontend(headers), payload });

  test('are counted in the environment of the token', async () => {
    const answer = await report('metrics', { ...metrics('plain'), environment: 'production' });
    expect([answer.statusCode, answer.body]).toEqual([200, '']);
    const usage = (await app.ask('GET /api/admin/client-metrics/features/plain/raw')).json();
    expect(usage.data).toMatchObject([
      { appName: 'web', environment: 'development', yes: 2, no: 1 },
    ]);
  });

  test('register the application', async () => {
    const started = new Date().toISOString();
    const answer = await report('register', { appName: 'registered', interval: 1000, started });
    expect([answer.statusCode, answer.body]).toEqual([200, '']);
    const { applications } = (await app.ask('GET /api/admin/metrics/applications')).json();
    expect(applications.map(({ appName }: { appName: string }) => appName)).toContain('registered');
  });

  test('are rejected if invalid or sent with a client token', async () => {
    expect((await report('metrics', {})).statusCode).toBe(400);
    const soon = { ...metrics('plain'), bucket: { ...metrics('plain').bucket, stop: 'soon' } };
    expect((await report('metrics', soon)).json().details).toMatchObject([
      { path: '/body/bucket/stop' },
    ]);
    expect((await report('register', {})).statusCode).toBe(400);
    const server = { authorization: clientToken };
    expect((await report('metrics', metrics('plain'), server)).statusCode).toBe(403);
  });
});

test('the frontend API works during maintenance', async () => {
  await app.ask('POST /api/admin/maintenance', { payload: { enabled: true } });
  const context = { userId: 'ada' };
  expect((await post({ context })).statusCode).toBe(200);
  const registered = await app.ask('POST /api/frontend/client/register', {
    ...asFrontend(),
    payload: { appName: 'web' },
  });
  expect(registered.statusCode).toBe(200);
  await app.ask('POST /api/admin/maintenance', { payload: { enabled: false } });
});
