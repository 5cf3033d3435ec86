import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { appOn, type TestApp, testApp } from '../../../../test/support/app.ts';
import { make } from '../../../../test/support/make.ts';
import { person } from '../../../../test/support/people.ts';
import { clientToken, frontendToken } from '../../../../test/support/tokens.ts';

const url = '/api/client/features';
const spec = { 'unleash-client-spec': '5.2.0' };

let app: TestApp;
let segment: number;
beforeAll(async () => {
  app = await testApp();
  const create = make(app.ask);
  await create.project('shop');
  await create.project('bank');
  segment = (await create.segment('insiders')).id;
  await create.segment('unused');
  await create.feature('shop.buy', { project: 'shop', description: 'Buys', impressionData: true });
  await create.strategy(
    'shop.buy',
    { segments: [segment], parameters: { rollout: '50', stickiness: 'default' } },
    { project: 'shop' },
  );
  await create.switchedOn('shop.buy', { project: 'shop' });
  await create.feature('shop.sell', { project: 'shop', tags: [{ type: 'simple', value: 'a:b' }] });
  await create.feature('bank.pay', { project: 'bank', tags: [{ type: 'simple', value: 'cc' }] });
  await create.feature('plain', { type: 'experiment' });
});

const as = (authorization: string, headers: object = spec) => ({
  headers: { authorization, ...headers },
});
const asClient = as(clientToken);

const tokenFor = async (...projects: string[]): Promise<string> => {
  const payload = { tokenName: projects.join(), type: 'client', projects };
  return (await app.ask('POST /api/admin/api-tokens', { payload })).json().secret;
};

const namesAt = async (query: string, token = clientToken): Promise<string[]> => {
  const response = await app.ask(`GET ${url}${query}`, as(token));
  expect(response.statusCode, response.body).toBe(200);
  return response.json().features.map(({ name }: { name: string }) => name);
};

const constraint = {
  contextName: 'userId',
  operator: 'IN',
  values: ['1'],
  caseInsensitive: false,
  inverted: false,
};
const strategy = {
  name: 'flexibleRollout',
  constraints: [],
  parameters: { rollout: '50', stickiness: 'default', groupId: 'shop.buy' },
  variants: [],
};

describe('the client features', () => {
  test('are returned with everything that an SDK evaluates with, segments by reference', async () => {
    const response = await app.ask(`GET ${url}?project=shop`, asClient);
    expect(response.statusCode).toBe(200);
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
    const { etag } = response.headers;
    expect(etag).toMatch(/^W\/"[^"]+"$/);
    expect(response.json()).toEqual({
      version: 2,
      features: [
        {
          name: 'shop.buy',
          type: 'release',
          description: 'Buys',
          project: 'shop',
          stale: false,
          enabled: true,
          impressionData: true,
          strategies: [{ ...strategy, segments: [segment] }],
          variants: [],
        },
        expect.objectContaining({ name: 'shop.sell', enabled: false, strategies: [] }),
      ],
      segments: [{ id: segment, name: 'insiders', constraints: [constraint] }],
      query: {
        environment: 'development',
        inlineSegmentConstraints: false,
        project: ['shop'],
      },
      meta: {
        revisionId: expect.any(Number),
        etag,
        queryHash: expect.stringMatching(/./),
      },
    });
  });

  test.each([
    [{}, '', true],
    [{ 'unleash-client-spec': '4.1.9' }, '', true],
    [{ 'unleash-client-spec': '3.9.0' }, '', true],
    [{ 'unleash-client-spec': 'none' }, '', true],
    [{ 'unleash-client-spec': '4.2.0' }, '', false],
    [{ 'unleash-client-spec': '4.10.0' }, '', false],
    [{ 'unleash-client-spec': '10.0.0' }, '', false],
    [spec, '?inlineSegmentConstraints=true', true],
    [{}, '?inlineSegmentConstraints=false', false],
  ])('for %j%s have inlined segment constraints: %s', async (headers, query, inlined) => {
    const response = await app.ask(`GET ${url}${query}`, as(clientToken, headers));
    const { features, segments, query: asked } = response.json();
    const [own] = features.find(({ name }: { name: string }) => name === 'shop.buy').strategies;
    expect(own).toEqual(
      inlined ? { ...strategy, constraints: [constraint] } : { ...strategy, segments: [segment] },
    );
    expect(segments === undefined).toBe(inlined);
    expect(asked.inlineSegmentConstraints).toBe(inlined);
  });

  test.each([
    ['', ['bank.pay', 'plain', 'shop.buy', 'shop.sell']],
    ['?project=shop', ['shop.buy', 'shop.sell']],
    ['?project=shop&project=default', ['plain', 'shop.buy', 'shop.sell']],
    ['?project=nosuch', []],
    ['?namePrefix=shop.s', ['shop.sell']],
    ['?tag=simple:a:b', ['shop.sell']],
    ['?tag=simple%3Aa%3Ab&tag=simple%3Acc', ['bank.pay', 'shop.sell']],
    ['?tag[]=simple:a:b&tag[]=simple:cc', ['bank.pay', 'shop.sell']],
    ['?tag%5B%5D=simple%3Acc', ['bank.pay']],
    ['?tag[]=simple:nosuch', []],
    ['?project[]=shop', ['shop.buy', 'shop.sell']],
    ['?project[0]=shop&project[1]=default', ['plain', 'shop.buy', 'shop.sell']],
    ['?project[]=nosuch', []],
    ['?tag=simple:a', []],
    ['?tag=simple:cc&project=shop', []],
    ['?tag=simple:cc&project=bank&namePrefix=bank', ['bank.pay']],
  ])('filtered by %j are %j', async (query, names) => {
    expect(await namesAt(query)).toEqual(names);
  });

  test('contain the query, with each tag in two parts', async () => {
    const response = await app.ask(
      `GET ${url}?tag=simple:cc&tag=simple:a:b&namePrefix=s&project=shop&project=bank`,
      asClient,
    );
    expect(response.json().query).toEqual({
      environment: 'development',
      inlineSegmentConstraints: false,
      project: ['bank', 'shop'],
      tag: [
        ['simple', 'a:b'],
        ['simple', 'cc'],
      ],
      namePrefix: 's',
    });
  });

  test.each([
    ['?tag=simple', ['/query/tag/0']],
    ['?tag[]=simple', ['/query/tag/0']],
    ['?tag=simple:cc&tag=:cc', ['/query/tag/1']],
    ['?namePrefix=a&namePrefix=b', ['/query/namePrefix']],
    ['?inlineSegmentConstraints=yes', ['/query/inlineSegmentConstraints']],
    ['?project=', ['/query/project/0']],
    [`?${'project=a&'.repeat(101)}`, ['/query/project']],
    ['?tag=x&environment=a&environment=b', ['/query/environment', '/query/tag/0']],
  ])('requested with %j return 400', async (query, paths) => {
    const response = await app.ask(`GET ${url}${query}`, asClient);
    expect(response.statusCode).toBe(400);
    expect(response.json().details.map(({ path }: { path: string }) => path)).toEqual(paths);
  });

  test('are limited to the projects of the token', async () => {
    const shop = await tokenFor('shop');
    expect(await namesAt('', shop)).toEqual(['shop.buy', 'shop.sell']);
    expect(await namesAt('?project=bank', shop)).toEqual([]);
    expect(await namesAt('?project=bank&project=shop', shop)).toEqual(['shop.buy', 'shop.sell']);
    expect(await namesAt('?tag=simple:cc', shop)).toEqual([]);
    const two = await tokenFor('shop', 'bank');
    expect(await namesAt('', two)).toEqual(['bank.pay', 'shop.buy', 'shop.sell']);
    const answer = (await app.ask(`GET ${url}`, as(two))).json();
    expect(answer.query.project).toEqual(['bank', 'shop']);
    const bank = (await app.ask(`GET ${url}`, as(await tokenFor('bank')))).json();
    expect(bank.segments).toEqual([]);
  });

  test("are those of the token's environment; an admin token can choose one", async () => {
    const enabledAt = async (query: string, headers = {}) => {
      const { features, query: asked } = (await app.ask(`GET ${url}${query}`, { headers })).json();
      const found = features.find(({ name }: { name: string }) => name === 'shop.buy');
      return [asked.environment, found?.enabled];
    };
    expect(await enabledAt('')).toEqual(['development', true]);
    expect(await enabledAt('?environment=production')).toEqual(['production', false]);
    expect(await enabledAt('?environment=nosuch')).toEqual(['nosuch', undefined]);
    const own = { authorization: clientToken };
    expect(await enabledAt('?environment=production', own)).toEqual(['development', true]);
  });

  test('require a client or admin token', async () => {
    const { token } = await person(app, { rootRole: 1 });
    for (const other of [frontendToken, token]) {
      const response = await app.ask(`GET ${url}`, as(other));
      expect([response.statusCode, response.json().name]).toEqual([403, 'NoAccessError']);
      expect(response.json().message).toContain('CLIENT');
    }
    expect((await app.ask(`GET ${url}`, as('*:development.nosuch'))).statusCode).toBe(401);
  });

  test('are compressed if the client accepts gzip', async () => {
    const plain = await app.ask(`GET ${url}`, asClient);
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(plain.headers.vary).toBe('Accept-Encoding, Unleash-Client-Spec');
    for (const [taken, packed] of [
      ['gzip', true],
      ['br;q=1, GZIP ; q=0.5', true],
      ['gzip;q=0, br', false],
      ['br', false],
    ] as const) {
      const response = await app.ask(
        `GET ${url}`,
        as(clientToken, { ...spec, 'accept-encoding': taken }),
      );
      expect(response.headers['content-encoding']).toBe(packed ? 'gzip' : undefined);
      expect(response.headers.etag).toBe(plain.headers.etag);
      const body = packed ? gunzipSync(response.rawPayload) : response.rawPayload;
      expect(body.toString()).toBe(plain.body);
    }
  });

  test('are returned without a body for HEAD', async () => {
    const response = await app.app.inject({ method: 'HEAD', url, ...asClient });
    expect([response.statusCode, response.body]).toEqual([200, '']);
    expect(response.headers.etag).toMatch(/^W\/"/);
  });
});

describe('the ETag of the client features', () => {
  const tagOf = async (query = '', headers: object = {}, at = app) => {
    const response = await at.ask(`GET ${url}${query}`, as(clientToken, { ...spec, ...headers }));
    return response.headers.etag as string;
  };

  test('yields 304 in all forms in which clients and proxies send it back', async () => {
    const tag = await tagOf();
    const inner = tag.slice(3, -1);
    for (const sent of [
      tag,
      `"${inner}"`,
      `"other", ${tag}`,
      `W/"${inner}-gzip"`,
      `"${inner}--gzip"`,
      `"${inner};br"`,
      '*',
    ]) {
      const response = await app.ask(
        `GET ${url}`,
        as(clientToken, { ...spec, 'if-none-match': sent }),
      );
      expect([sent, response.statusCode, response.body]).toEqual([sent, 304, '']);
      expect(response.headers.etag).toBe(tag);
      expect(response.headers.vary).toContain('Unleash-Client-Spec');
    }
    for (const sent of [`"${inner}x"`, '""', 'W/', inner.slice(1)]) {
      const headers = { ...spec, 'if-none-match': sent };
      expect((await app.ask(`GET ${url}`, as(clientToken, headers))).statusCode).toBe(200);
    }
  });

  test('differs by query, client spec and scope only', async () => {
    const shop = await tokenFor('shop');
    const ofShop = (await app.ask(`GET ${url}`, as(shop))).headers.etag;
    expect(await tagOf('?project=shop')).toBe(ofShop);
    expect(await tagOf('?project=bank&project=shop')).toBe(
      await tagOf('?project=shop&project=bank&project=shop'),
    );
    const different = [
      await tagOf(),
      await tagOf('?project=shop'),
      await tagOf('?namePrefix=shop'),
      await tagOf('', { 'unleash-client-spec': '4.0.0' }),
    ];
    expect(new Set(different).size).toBe(different.length);
  });

  test('changes with the response only', async () => {
    const other = await appOn(app);
    const create = make(app.ask);
    const changing: [string, () => Promise<unknown>, boolean][] = [
      ['a feature elsewhere', () => create.feature('elsewhere', { project: 'bank' }), false],
      [
        'another environment',
        () => create.switchedOn('shop.sell', { project: 'shop', environment: 'production' }),
        false,
      ],
      [
        'a tag',
        () =>
          app.ask('POST /api/admin/features/shop.sell/tags', {
            payload: { type: 'simple', value: 'untold' },
          }),
        false,
      ],
      [
        'a segment that no feature uses',
        () => create.segment('another', { constraints: [] }),
        false,
      ],
      [
        'a disabled strategy',
        () => create.strategy('shop.buy', { disabled: true }, { project: 'shop' }),
        false,
      ],
      ['a feature', () => create.feature('shop.more', { project: 'shop' }), true],
      ['a switch', () => create.switchedOn('shop.sell', { project: 'shop' }), true],
      [
        'a segment in use',
        () =>
          app.ask(`PUT /api/admin/segments/${segment}`, {
            payload: { name: 'insiders', constraints: [{ ...constraint, values: ['2'] }] },
          }),
        true,
      ],
    ];
    for (const [what, change, told] of changing) {
      const before = await tagOf('?project=shop');
      await change();
      const after = await tagOf('?project=shop');
      expect([what, after !== before]).toEqual([what, told]);
      // The other instance is notified a moment later.
      await expect
        .poll(async () => [what, await tagOf('?project=shop', {}, other)])
        .toEqual([what, after]);
    }
  });

  test('returns to an earlier value with an earlier response', async () => {
    const before = await tagOf();
    const path = '/api/admin/projects/default/features/plain/environments/development';
    await app.ask(`POST ${path}/on`);
    const meanwhile = await tagOf();
    await app.ask(`POST ${path}/off`);
    expect(meanwhile).not.toBe(before);
    // Enabling added a strategy, which stays: the response has the second state, disabled.
    expect(await tagOf()).not.toBe(meanwhile);
    const off = await tagOf();
    await app.ask(`POST ${path}/on`);
    await app.ask(`POST ${path}/off`);
    expect(await tagOf()).toBe(off);
  });
});

describe('a single client feature', () => {
  test('is returned with inlined segment constraints', async () => {
    const response = await app.ask(`GET ${url}/shop.buy`, asClient);
    expect(response.statusCode).toBe(200);
    expect(response.json()).toMatchObject({
      name: 'shop.buy',
      project: 'shop',
      enabled: true,
      strategies: [{ name: 'flexibleRollout', constraints: [{ contextName: 'userId' }] }],
    });
  });

  test("returns 404 outside the token's projects and when archived", async () => {
    const bank = await tokenFor('bank');
    await make(app.ask).feature('resting');
    await app.ask('DELETE /api/admin/projects/default/features/resting');
    for (const [token, name] of [
      [bank, 'shop.buy'],
      [clientToken, 'nosuch'],
      [clientToken, 'resting'],
    ] as const) {
      const response = await app.ask(`GET ${url}/${name}`, as(token));
      expect([response.statusCode, response.json().name]).toEqual([404, 'NotFoundError']);
    }
    expect((await app.ask(`GET ${url}/bank.pay`, as(bank))).statusCode).toBe(200);
  });
});
