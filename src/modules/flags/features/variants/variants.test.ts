import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../../test/support/app.ts';
import { pathsOf } from '../../../../../test/support/faults.ts';
import { make } from '../../../../../test/support/make.ts';
import { countEvents, recordedBy } from '../../../../../test/support/recorded.ts';
import { recordedAboutFeatures } from '../../../../../test/support/recorded-features.ts';
import {
  variant,
  variantsOn,
  variantsPath,
  variantsUpdated,
} from '../../../../../test/support/variants.ts';

let app: TestApp;
let variantsApi: ReturnType<typeof variantsOn>;
beforeAll(async () => {
  app = await testApp();
  variantsApi = variantsOn(app);
});

const features = '/api/admin/projects/default/features';

describe('the variants of a feature in an environment', () => {
  test('are an empty list at first', async () => {
    await make(app.ask).feature('bare');
    const response = await app.ask(`GET ${variantsPath('bare')}`);
    expect([response.statusCode, response.json()]).toEqual([200, { version: 1, variants: [] }]);
  });

  test('are replaced with defaults and distributed weights (2.8)', async () => {
    await make(app.ask).feature('shared');
    await app.db
      .insertInto('feature_environments')
      .values({ feature_name: 'shared', environment: 'development', enabled: true })
      .execute();
    const response = await variantsApi.put('shared', [
      { name: 'a', weight: 1 },
      { name: 'b', weight: 0, stickiness: 'userId', unknown: 'field' },
      { name: 'c', weight: 1000, payload: { type: 'json', value: '{"x": 1}', more: 1 } },
    ]);
    const variants = [
      variant('a', 334),
      variant('b', 333, { stickiness: 'userId' }),
      variant('c', 333, { payload: { type: 'json', value: '{"x": 1}' } }),
    ];
    expect([response.statusCode, response.json()]).toEqual([200, { version: 1, variants }]);
    expect(await variantsApi.kept('shared')).toEqual(variants);
    expect(await variantsApi.kept('shared', 'production')).toEqual([]);
    expect(await recordedBy(app.db, response)).toEqual([
      variantsUpdated('development', variants, []),
    ]);
    const state = await app.db
      .selectFrom('feature_environments')
      .where('feature_name', '=', 'shared')
      .select('enabled')
      .execute();
    expect(state).toEqual([{ enabled: true }]);
  });

  test('are recorded with the feature and its tags', async () => {
    await make(app.ask).feature('told');
    await app.ask('POST /api/admin/features/told/tags', {
      payload: { type: 'simple', value: 'team' },
    });
    const response = await variantsApi.put('told', [{ name: 'a', weight: 1 }]);
    const [told] = await recordedAboutFeatures(app.db, response);
    expect([told?.featureName, told?.tags]).toEqual(['told', [{ type: 'simple', value: 'team' }]]);
  });

  test('keep fixed weights, and variable ones share the rest', async () => {
    await make(app.ask).feature('fixed');
    const overrides = [{ contextName: 'userId', values: ['1', '2'] }];
    const response = await variantsApi.put('fixed', [
      { name: 'a', weight: 301, weightType: 'fix' },
      { name: 'b', weight: 9, overrides },
      { name: 'c', weight: 9 },
    ]);
    expect(response.json().variants).toEqual([
      variant('a', 301, { weightType: 'fix' }),
      variant('b', 350, { overrides }),
      variant('c', 349),
    ]);
  });

  test('use the stickiness of the project unless they have their own (2.4)', async () => {
    await make(app.ask).project('sticky', { defaultStickiness: 'sessionId' });
    await make(app.ask).feature('stuck', { project: 'sticky' });
    const response = await app.ask(
      'PUT /api/admin/projects/sticky/features/stuck/environments/production/variants',
      {
        payload: [
          { name: 'a', weight: 1 },
          { name: 'b', weight: 1, stickiness: 'random' },
        ],
      },
    );
    expect(response.json().variants).toMatchObject([
      { stickiness: 'sessionId' },
      { stickiness: 'random' },
    ]);
  });

  test('record nothing if nothing changes, and are removed by an empty list', async () => {
    await make(app.ask).feature('emptied');
    await variantsApi.put('emptied', [{ name: 'a', weight: 1 }]);
    const before = await variantsApi.kept('emptied');
    expect(
      await recordedBy(app.db, await variantsApi.put('emptied', [{ name: 'a', weight: 7 }])),
    ).toEqual([]);
    expect(await recordedBy(app.db, await variantsApi.put('emptied', before))).toEqual([]);
    const response = await variantsApi.put('emptied', []);
    expect(response.json()).toEqual({ version: 1, variants: [] });
    expect(await variantsApi.kept('emptied')).toEqual([]);
    expect(await recordedBy(app.db, response)).toEqual([
      variantsUpdated('development', [], before),
    ]);
  });

  const payload = (type: string, value: string) => [
    { name: 'a', weight: 1, payload: { type, value } },
  ];

  test.each([
    ['a name used twice', ['a', 'b', 'a'].map((name) => ({ name, weight: 1 })), '/body/2/name'],
    [
      'fixed weights over 1000',
      ['a', 'b'].map((name) => ({ name, weight: 501, weightType: 'fix' })),
      '/body',
    ],
    ['a single fixed weight below 1000', [{ name: 'a', weight: 999, weightType: 'fix' }], '/body'],
    ['a missing name', [{ weight: 1 }], '/body/0/name'],
    ['an empty name', [{ name: '', weight: 1 }], '/body/0/name'],
    ['a missing weight', [{ name: 'a' }], '/body/0/weight'],
    ['a fractional weight', [{ name: 'a', weight: 0.5 }], '/body/0/weight'],
    ['an unknown weight type', [{ name: 'a', weight: 1, weightType: 'x' }], '/body/0/weightType'],
    ['invalid JSON', payload('json', '{'), '/body/0/payload/value'],
    ['empty JSON', payload('json', ''), '/body/0/payload/value'],
    ['a number payload with text', payload('number', '12x'), '/body/0/payload/value'],
    ['an empty number payload', payload('number', ' '), '/body/0/payload/value'],
    ['an infinite number payload', payload('number', 'Infinity'), '/body/0/payload/value'],
    ['an unknown payload type', payload('xml', '<a/>'), '/body/0/payload/type'],
    ['null as a variant', [null], '/body/0'],
    ['a number as a variant', [{ name: 'a', weight: 1 }, 7], '/body/1'],
    ['a body that is not a list', {}, '/body'],
    ['101 variants', Array.from({ length: 101 }, (_, n) => ({ name: `${n}`, weight: 1 })), '/body'],
  ])('return 400 for %s', async (_what, body, path) => {
    await make(app.ask)
      .feature('refused')
      .catch(() => undefined);
    const before = await countEvents(app.db);
    const response = await variantsApi.put('refused', body);
    expect([response.statusCode, response.json().name]).toEqual([400, 'BadDataError']);
    expect(pathsOf(response)).toContain(path);
    expect(await variantsApi.kept('refused')).toEqual([]);
    expect(await countEvents(app.db)).toBe(before);
  });

  test.each([
    ['json', 'null'],
    ['number', '-1.5e3'],
    ['number', '0'],
    ['csv', 'a,b\n"'],
    ['string', ''],
  ])('accept a payload of type %s with the value %j', async (type, value) => {
    await make(app.ask)
      .feature('paid')
      .catch(() => undefined);
    const response = await variantsApi.put('paid', payload(type, value));
    expect(response.json().variants).toMatchObject([{ payload: { type, value } }]);
  });

  test('are rejected with all validation errors', async () => {
    const response = await variantsApi.put('refused', [
      { name: 'a', weight: 1, payload: { type: 'json', value: '{' } },
      { name: 'a', weight: 1, payload: { type: 'number', value: 'x' } },
    ]);
    expect(pathsOf(response).sort()).toEqual([
      '/body/0/payload/value',
      '/body/1/name',
      '/body/1/payload/value',
    ]);
  });

  test('return 404 for an unknown feature, environment or project', async () => {
    await make(app.ask).feature('lone');
    await make(app.ask).project('elsewhere', { environments: ['production'] });
    await make(app.ask).feature('there', { project: 'elsewhere' });
    const there = '/api/admin/projects/elsewhere/features/there/environments';
    for (const path of [
      variantsPath('nosuch'),
      variantsPath('lone', 'nosuch'),
      variantsPath('there'),
      `${there}/development/variants`,
      '/api/admin/projects/nosuch/features/lone/environments/development/variants',
    ]) {
      for (const response of [
        await app.ask(`GET ${path}`),
        await app.ask(`PUT ${path}`, { payload: [{ name: 'a', weight: 1 }] }),
        await app.ask(`PATCH ${path}`, { payload: [] }),
      ]) {
        expect([response.statusCode, response.json().name]).toEqual([404, 'NotFoundError']);
      }
    }
  });

  test('can be read but not changed in an archived feature', async () => {
    await make(app.ask).feature('archived');
    await variantsApi.put('archived', [{ name: 'a', weight: 1 }]);
    await app.ask(`DELETE ${features}/archived`);
    expect(await variantsApi.kept('archived')).toHaveLength(1);
    expect((await variantsApi.put('archived', [])).statusCode).toBe(404);
    expect((await variantsApi.patch('archived', [])).statusCode).toBe(404);
    expect(await variantsApi.kept('archived')).toHaveLength(1);
  });
});
