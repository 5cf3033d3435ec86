import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testActor, testApp } from '../../../../../test/support/app.ts';
import { limitedApp } from '../../../../../test/support/limited-app.ts';
import { make } from '../../../../../test/support/make.ts';
import { tickingClock } from '../../../../../test/support/ticking-clock.ts';
import { createFeatures } from '../create/service.ts';

let app: TestApp;
const admin = '/api/admin';

interface SearchedFeature {
  readonly name: string;
}

const search = (parameters: Record<string, string>, server = app) =>
  server.ask(`GET ${admin}/search/features?${new URLSearchParams(parameters)}`);
const found = async (parameters: Record<string, string>, server = app) => {
  const response = await search(parameters, server);
  expect(response.statusCode, response.body).toBe(200);
  return response.json().features.map(({ name }: SearchedFeature) => name);
};

beforeAll(async () => {
  app = await testApp({ clock: tickingClock() });
  // Projects are sorted by name, not by ID.
  await make(app.ask).project('pay', { name: 'a payment' });
  const segment = await make(app.ask).segment('beta people');
  await make(app.ask).feature('checkout', {
    project: 'pay',
    description: 'The NEW way to pay, 100%_sure',
    type: 'experiment',
    tags: [
      { type: 'simple', value: 'a,b' },
      { type: 'simple', value: 'Money' },
    ],
  });
  await make(app.ask).feature('banner', {
    stale: true,
    tags: [{ type: 'simple', value: 'Money' }],
  });
  await make(app.ask).feature('apples', { type: 'kill-switch', createdAt: '2025-06-01T00:00:00Z' });
  await make(app.ask).strategy('checkout', { segments: [segment.id] }, { project: 'pay' });
  await app.ask(`POST ${admin}/projects/pay/features/checkout/environments/development/on`);
  await make(app.ask).feature('parent');
  await make(app.ask).dependency('banner', 'parent');
  await make(app.ask).feature('gone', { project: 'pay' });
  await app.ask(`DELETE ${admin}/projects/pay/features/gone`);
  await app.ask(`POST ${admin}/projects/default/features/parent/favorites`);
});

describe('a search without parameters', () => {
  test('finds every active feature, oldest first, with all fields', async () => {
    const response = await search({});
    expect(response.json().total).toBe(4);
    const [apples, checkout, banner, parent] = response.json().features;
    expect(apples).toMatchObject({ name: 'apples', dependencyType: null, segments: [], tags: [] });
    expect(checkout).toEqual({
      name: 'checkout',
      type: 'experiment',
      description: 'The NEW way to pay, 100%_sure',
      project: 'pay',
      archived: false,
      archivedAt: null,
      lastSeenAt: null,
      enabled: true,
      stale: false,
      potentiallyStale: false,
      favorite: false,
      impressionData: false,
      createdAt: expect.stringMatching(/^2026-01-01T00:00:\d\d\.000Z$/),
      createdBy: {
        id: -2000,
        name: 'admin',
        imageUrl: 'http://localhost:4242/avatars/-2000.svg',
      },
      dependencyType: null,
      lifecycle: { stage: 'initial', enteredStageAt: checkout.createdAt },
      segments: ['beta people'],
      tags: [
        { type: 'simple', value: 'Money' },
        { type: 'simple', value: 'a,b' },
      ],
      environments: [
        expect.objectContaining({
          name: 'development',
          featureName: 'checkout',
          enabled: true,
          hasStrategies: true,
          hasEnabledStrategies: true,
          enabledStrategyCount: 1,
          rollout: 100,
          targeted: true,
        }),
        expect.objectContaining({
          name: 'production',
          enabled: false,
          hasStrategies: false,
          enabledStrategyCount: 0,
          rollout: null,
          targeted: false,
        }),
      ],
    });
    expect(banner).toMatchObject({ name: 'banner', dependencyType: 'child' });
    expect(parent).toMatchObject({ name: 'parent', dependencyType: 'parent', favorite: true });
  });
});

describe('a search filter', () => {
  test.each<[Record<string, string>, string[]]>([
    [{ query: 'CHECK' }, ['checkout']],
    [{ query: 'new WAY' }, ['checkout']],
    [{ query: 'new banner' }, []],
    [{ query: 'money' }, ['checkout', 'banner']],
    [{ query: 'simple:mon' }, ['checkout', 'banner']],
    [{ query: '%_' }, ['checkout']],
    [{ query: '%%' }, []],
    [{ query: ' ' }, ['apples', 'checkout', 'banner', 'parent']],
    [{ project: 'IS:pay' }, ['checkout']],
    [{ project: 'IS:default,pay' }, []],
    [{ project: 'IS_ANY_OF:default, pay' }, ['apples', 'checkout', 'banner', 'parent']],
    [{ project: 'IS_NOT:pay' }, ['apples', 'banner', 'parent']],
    [{ project: 'IS:' }, []],
    [{ project: 'IS_NONE_OF:' }, ['apples', 'checkout', 'banner', 'parent']],
    [{ state: 'IS:stale' }, ['banner']],
    [{ state: 'IS:active' }, ['apples', 'checkout', 'parent']],
    [{ state: 'IS:potentially-stale' }, []],
    [{ type: 'IS_ANY_OF:experiment,kill-switch' }, ['apples', 'checkout']],
    [{ type: 'IS_NONE_OF:experiment,kill-switch' }, ['banner', 'parent']],
    [{ type: 'IS:nosuch' }, []],
    [{ createdBy: 'IS:-2000' }, ['apples', 'checkout', 'banner', 'parent']],
    [{ createdBy: 'IS:admin' }, ['apples', 'checkout', 'banner', 'parent']],
    [{ createdBy: 'IS:7' }, []],
    [{ createdBy: 'IS_NOT:admin' }, []],
    [{ createdBy: `IS:${'9'.repeat(400)}` }, []],
    [{ tag: 'INCLUDE:simple:a,b' }, ['checkout']],
    [{ tag: 'IS:simple:Money' }, ['checkout', 'banner']],
    [{ tag: 'INCLUDE:simple:money' }, []],
    [{ tag: 'DO_NOT_INCLUDE:simple:Money' }, ['apples', 'parent']],
    [{ tag: 'INCLUDE_ALL_OF:simple:Money,simple:a' }, []],
    [{ tag: 'INCLUDE_ANY_OF:simple:Money,simple:a' }, ['checkout', 'banner']],
    [{ tag: 'EXCLUDE_IF_ANY_OF:simple:Money,simple:a' }, ['apples', 'parent']],
    [{ tag: 'EXCLUDE_ALL:simple:Money,simple:a' }, ['apples', 'checkout', 'banner', 'parent']],
    [{ tag: 'INCLUDE_ALL_OF:' }, []],
    [{ segment: 'INCLUDE:beta people' }, ['checkout']],
    [{ segment: 'DO_NOT_INCLUDE:beta people' }, ['apples', 'banner', 'parent']],
    [{ status: 'development:enabled' }, ['checkout']],
    [{ status: 'production:enabled' }, []],
    [
      { status: 'development:enabled, development:disabled' },
      ['apples', 'checkout', 'banner', 'parent'],
    ],
    [{ status: 'nosuch:disabled' }, []],
    [{ enabledIn: 'INCLUDE:development' }, ['checkout']],
    [{ enabledIn: 'INCLUDE_ANY_OF:production,test' }, []],
    [{ enabledIn: 'DO_NOT_INCLUDE:development' }, ['apples', 'banner', 'parent']],
    [{ lifecycle: 'IS:initial', project: 'IS:pay' }, ['checkout']],
    [{ lifecycle: 'IS_NOT:initial' }, []],
    [{ archived: 'IS:true' }, ['gone']],
    [{ archived: 'IS:false', query: 'gone' }, []],
    [{ archived: 'IS:true', lifecycle: 'IS:archived' }, ['gone']],
    [{ createdAt: 'IS_BEFORE:2026-01-01' }, ['apples']],
    [{ createdAt: 'IS_ON_OR_AFTER:2026-01-01' }, ['checkout', 'banner', 'parent']],
    [{ createdAt: 'IS_ON_OR_AFTER:2025-06-01', state: 'IS:stale' }, ['banner']],
    [{ lastSeenAt: 'IS_BEFORE:2999-01-01' }, []],
    [{ lastSeenAt: 'IS:never' }, ['apples', 'checkout', 'banner', 'parent']],
    [{ lastSeenAt: 'IS_BEFORE_OR_NEVER:2026-01-01' }, ['apples', 'checkout', 'banner', 'parent']],
    [{ favorite: 'IS:true' }, ['parent']],
    [{ favorite: 'IS:false' }, ['apples', 'checkout', 'banner']],
  ])('finds the matching features for %j', async (parameters, names) => {
    expect(await found(parameters)).toEqual(names);
    expect((await search(parameters)).json().total).toBe(names.length);
  });

  test('finds features as potentially stale once they exceed the lifetime of their type', async () => {
    const old = await testApp({ clock: () => new Date('2026-03-01T00:00:00Z') });
    const { feature } = make(old.ask);
    await feature('just-young', { createdAt: '2026-01-20T00:00:00.001Z' });
    await feature('just-old', { createdAt: '2026-01-20T00:00:00Z' });
    await feature('old-and-stale', { createdAt: '2020-01-01T00:00:00Z', stale: true });
    await feature('old-switch', { createdAt: '2020-01-01T00:00:00Z', type: 'kill-switch' });
    expect(await found({ state: 'IS:potentially-stale' }, old)).toEqual(['just-old']);
    expect(await found({ state: 'IS_NOT:potentially-stale', sortBy: 'name' }, old)).toEqual([
      'just-young',
      'old-and-stale',
      'old-switch',
    ]);
    for (const limit of ['50', '1000']) {
      const { features } = (await search({ sortBy: 'name', limit }, old)).json();
      const marked = features.filter(
        (each: { potentiallyStale: boolean }) => each.potentiallyStale,
      );
      expect(marked).toMatchObject([{ name: 'just-old' }]);
    }
  });
});

test('filters accept thousands of values, but a query at most twenty words', async () => {
  const values = Array.from({ length: 3000 }, (_, index) => `v${index}`);
  const list = [...values, 'simple:Money'].join(',');
  expect(await found({ tag: `INCLUDE_ANY_OF:${list}` })).toEqual(['checkout', 'banner']);
  expect(await found({ tag: `EXCLUDE_ALL:${list}`, segment: `IS_NONE_OF:${list}` })).toHaveLength(
    4,
  );
  expect(await found({ query: values.slice(0, 20).join(' ') })).toEqual([]);
  expect((await search({ query: values.slice(0, 21).join(' ') })).statusCode).toBe(400);
  const status = values.map((value) => `${value}:enabled`);
  expect(await found({ status: [...status, 'development:enabled'].join(',') })).toEqual([
    'checkout',
  ]);
});

describe('a search parameter with several values', () => {
  const foundAt = async (query: string) => {
    const response = await app.ask(`GET ${admin}/search/features?sortBy=name&${query}`);
    expect(response.statusCode, response.body).toBe(200);
    return response.json().features.map(({ name }: SearchedFeature) => name);
  };

  test.each<[string, string[]]>([
    ['status=development:enabled&status=production:enabled', ['checkout']],
    ['status[]=development:enabled', ['checkout']],
    ['status%5B%5D=development%3Aenabled&status%5B%5D=production%3Aenabled', ['checkout']],
    ['status[0]=production:enabled&status[1]=development:enabled', ['checkout']],
    ['status[]=production:enabled,development:enabled', ['checkout']],
    ['status[]=production:enabled', []],
    ['status=production:enabled&status[]=development:enabled', ['checkout']],
    ['project[]=IS:pay', ['checkout']],
    ['tag[]=INCLUDE:simple:Money', ['banner', 'checkout']],
    ['query=apple,nosuch', ['apples']],
    ['query=apple,BANNER', ['apples', 'banner']],
    ['query=new pay, banner money', ['banner', 'checkout']],
    ['query=, ,', ['apples', 'banner', 'checkout', 'parent']],
  ])('finds the matching features for %s', async (query, names) => {
    expect(await foundAt(query)).toEqual(names);
  });

  test.each(['status[]=on', 'status[]=', 'project[]=IS:pay&project[]=IS:default', 'tag[]=x'])(
    'is rejected instead of ignored: %s',
    async (query) => {
      const response = await app.ask(`GET ${admin}/search/features?${query}`);
      expect(response.statusCode, response.body).toBe(400);
    },
  );
});

describe('order and pagination of a search', () => {
  /** A server with other features than the other tests search for. */
  let many: TestApp;
  beforeAll(async () => {
    many = await testApp({ clock: tickingClock() });
  });

  test('sort equal features by creation', async () => {
    for (const name of ['zebra', 'aardvark', 'mule']) await make(many.ask).feature(name);
    const inOrder = ['zebra', 'aardvark', 'mule'];
    expect(await found({ sortBy: 'type' }, many)).toEqual(inOrder);
    expect(await found({ sortBy: 'type', sortOrder: 'desc' }, many)).toEqual(inOrder);
    expect(await found({ sortBy: 'environment:development' }, many)).toEqual(inOrder);
  });

  test.each<[Record<string, string>, string[]]>([
    [{ sortBy: 'name' }, ['apples', 'banner', 'checkout', 'parent']],
    // An unknown sort field means the default: by creation.
    [{ sortBy: 'colour', sortOrder: 'desc' }, ['parent', 'banner', 'checkout', 'apples']],
    [{ sortBy: 'environment:', sortOrder: 'desc' }, ['parent', 'banner', 'checkout', 'apples']],
    [{ sortBy: 'toString', sortOrder: 'desc' }, ['parent', 'banner', 'checkout', 'apples']],
    [{ sortBy: 'name', sortOrder: 'desc' }, ['parent', 'checkout', 'banner', 'apples']],
    [{ sortBy: 'createdAt', sortOrder: 'desc' }, ['parent', 'banner', 'checkout', 'apples']],
    [{ sortBy: 'type' }, ['checkout', 'apples', 'banner', 'parent']],
    [{ sortBy: 'type', sortOrder: 'desc' }, ['banner', 'parent', 'apples', 'checkout']],
    [{ sortBy: 'project' }, ['checkout', 'apples', 'banner', 'parent']],
    [{ sortBy: 'stale', sortOrder: 'desc' }, ['banner', 'apples', 'checkout', 'parent']],
    [
      { sortBy: 'environment:development', sortOrder: 'desc' },
      ['checkout', 'apples', 'banner', 'parent'],
    ],
    [{ sortBy: 'environment:development' }, ['apples', 'banner', 'parent', 'checkout']],
    [{ sortBy: 'lastSeenAt' }, ['apples', 'checkout', 'banner', 'parent']],
    [{ sortBy: 'name', favoritesFirst: 'true' }, ['parent', 'apples', 'banner', 'checkout']],
    [{ sortBy: 'name', limit: '2' }, ['apples', 'banner']],
    [{ sortBy: 'name', limit: '2', offset: '3' }, ['parent']],
    [{ sortBy: 'name', offset: '4' }, []],
    [{ sortBy: 'name', offset: '9'.repeat(300) }, []],
    [{ sortBy: 'name', limit: '9'.repeat(300) }, ['apples', 'banner', 'checkout', 'parent']],
  ])('return the expected page for %j', async (parameters, names) => {
    expect(await found(parameters)).toEqual(names);
    expect((await search(parameters)).json().total).toBe(4);
  });

  test('return 50 features by default and at most 1000', async () => {
    await many.transact(testActor, (tx) =>
      createFeatures(
        tx,
        'default',
        Array.from({ length: 998 }, (_, index) => ({
          name: `f${index}`,
          type: 'release',
          description: null,
          impressionData: false,
        })),
      ),
    );
    expect(await found({}, many)).toHaveLength(50);
    expect(await found({ limit: '5000' }, many)).toHaveLength(1000);
    expect((await search({ limit: '1' }, many)).json().total).toBe(1001);
  });
});

test('a search covers only projects that the caller can see', async () => {
  const limited = limitedApp(app, { sees: new Set(['default']) });
  expect(await found({ sortBy: 'name' }, limited)).toEqual(['apples', 'banner', 'parent']);
  expect(await found({ project: 'IS:pay' }, limited)).toEqual([]);
  expect(await found({ project: 'IS_NOT:default' }, limited)).toEqual([]);
  expect(await found({ archived: 'IS:true' }, limited)).toEqual([]);
  const blind = limitedApp(app, { sees: new Set() });
  expect((await search({}, blind)).json()).toEqual({ features: [], total: 0 });
});

describe('malformed search parameters', () => {
  test.each<[Record<string, string>, string]>([
    [{ project: 'default' }, 'project'],
    [{ project: '' }, 'project'],
    [{ project: 'is:default' }, 'project'],
    [{ project: 'toString:default' }, 'project'],
    [{ project: 'INCLUDE:default' }, 'project'],
    [{ type: ':release' }, 'type'],
    [{ state: 'IS:dormant' }, 'state'],
    [{ state: 'IS_ANY_OF:active,dormant' }, 'state'],
    [{ lifecycle: 'IS:unborn' }, 'lifecycle'],
    [{ tag: 'simple:Money' }, 'tag'],
    [{ segment: 'HAS:beta' }, 'segment'],
    [{ status: 'development' }, 'status'],
    [{ status: 'development:on' }, 'status'],
    [{ status: ':enabled' }, 'status'],
    [{ status: 'development:enabled,' }, 'status'],
    [{ status: 'development:enabled:enabled' }, 'status'],
    [{ archived: 'true' }, 'archived'],
    [{ archived: 'IS:maybe' }, 'archived'],
    [{ favorite: 'mine' }, 'favorite'],
    [{ lastSeenAt: 'never' }, 'lastSeenAt'],
    [{ createdAt: '2026-01-01' }, 'createdAt'],
    [{ createdAt: 'IS:2026-01-01' }, 'createdAt'],
    [{ createdAt: 'IS_BEFORE:2026-02-30' }, 'createdAt'],
    [{ createdAt: 'IS_BEFORE:0000-01-01' }, 'createdAt'],
    [{ lastSeenAt: 'IS_ON_OR_AFTER:yesterday' }, 'lastSeenAt'],
    [{ favoritesFirst: 'yes' }, 'favoritesFirst'],
    [{ sortOrder: 'down' }, 'sortOrder'],
    [{ limit: '0' }, 'limit'],
    [{ limit: '-1' }, 'limit'],
    [{ limit: '1.5' }, 'limit'],
    [{ limit: 'abc' }, 'limit'],
    [{ offset: '-1' }, 'offset'],
    [{ offset: '0x10' }, 'offset'],
    [{ query: 'a\0b' }, 'query'],
  ])('are rejected: %j', async (parameters, name) => {
    const response = await search(parameters);
    expect(response.statusCode).toBe(400);
    expect(response.json().details.map(({ path }: { path: string }) => path)).toEqual([
      `/query/${name}`,
    ]);
  });

  test('are all reported together, including repeated ones', async () => {
    const response = await app.ask(
      `GET ${admin}/search/features?project=x&project=y&tag=z&limit=no&sortOrder=up`,
    );
    const paths = response.json().details.map(({ path }: { path: string }) => path);
    expect(new Set(paths)).toEqual(
      new Set(['/query/project', '/query/tag', '/query/limit', '/query/sortOrder']),
    );
  });
});
