import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testActor, testApp } from '../../../../../test/support/app.ts';
import { distinctPathsOf } from '../../../../../test/support/faults.ts';
import { facts, featuresOn, now } from '../../../../../test/support/features.ts';
import { limitedApp } from '../../../../../test/support/limited-app.ts';
import { make } from '../../../../../test/support/make.ts';
import { countEvents } from '../../../../../test/support/recorded.ts';
import { bare, recordedAboutFeatures } from '../../../../../test/support/recorded-features.ts';

let server: TestApp;
let featuresApi: ReturnType<typeof featuresOn>;
beforeAll(async () => {
  server = await testApp({ clock: () => new Date(now) });
  featuresApi = featuresOn(server);
});

const features = '/api/admin/projects/default/features';
const creator = {
  id: testActor.id,
  name: testActor.name,
  imageUrl: `http://localhost:4242/avatars/${testActor.id}.svg`,
};
const off = (featureName: string, name: string, sortOrder: number) => ({
  name,
  featureName,
  environment: name,
  type: name,
  enabled: false,
  sortOrder,
  variantCount: 0,
  hasStrategies: false,
  hasEnabledStrategies: false,
  lastSeenAt: null,
  strategies: [],
  variants: [],
});

describe('creating a feature', () => {
  test('requires only a name and returns everything in 2.6', async () => {
    const response = await featuresApi.create({ name: 'sparse' });
    expect(response.statusCode).toBe(201);
    expect(response.json()).toEqual({
      name: 'sparse',
      type: 'release',
      description: null,
      archived: false,
      archivedAt: null,
      lastSeenAt: null,
      project: 'default',
      enabled: false,
      stale: false,
      favorite: false,
      impressionData: false,
      createdAt: now,
      createdBy: creator,
      environments: [off('sparse', 'development', 100), off('sparse', 'production', 200)],
      variants: [],
      tags: [],
      children: [],
      lifecycle: { stage: 'initial', enteredStageAt: now },
      dependencies: [],
      collaborators: { users: [creator] },
    });
    expect(await featuresApi.read('sparse')).toEqual(response.json());
    expect(await recordedAboutFeatures(server.db, response)).toEqual([
      bare('feature-created', 'sparse', { data: facts('sparse') }),
    ]);
  });

  test('accepts all properties including tags, and ignores unknown ones', async () => {
    const tags = [
      { type: 'simple', value: 'zebra' },
      { type: 'simple', value: 'ant' },
      { type: 'simple', value: 'ant' },
    ];
    const response = await featuresApi.create({
      name: 'rich',
      type: 'experiment',
      description: 'What "it" is for\n',
      impressionData: true,
      stale: true,
      tags,
      project: 'elsewhere',
      archived: true,
      origin: { clonedFrom: { project: 'default', feature: 'forged' }, notCopied: [] },
    });
    expect(response.statusCode).toBe(201);
    const given = [
      { type: 'simple', value: 'ant' },
      { type: 'simple', value: 'zebra' },
    ];
    expect(response.json()).toMatchObject({
      type: 'experiment',
      description: 'What "it" is for\n',
      impressionData: true,
      stale: true,
      project: 'default',
      archived: false,
      tags: given,
    });
    expect(await featuresApi.read('rich')).toEqual(response.json());
    const recorded = await recordedAboutFeatures(server.db, response);
    expect(recorded[0]).toEqual(
      bare('feature-created', 'rich', {
        data: facts('rich', {
          type: 'experiment',
          description: 'What "it" is for\n',
          impressionData: true,
          stale: true,
        }),
      }),
    );
    expect(recorded.filter(({ type }) => type === 'feature-tagged').at(-1)?.tags).toEqual(given);
  });

  test('accepts null as a description', async () => {
    expect(
      (await featuresApi.create({ name: 'undescribed', description: null })).json(),
    ).toMatchObject({
      description: null,
    });
  });

  test('accepts the time at which the feature was created elsewhere', async () => {
    const response = await featuresApi.create({
      name: 'older',
      createdAt: '2020-02-29T23:59:59.999+01:00',
    });
    const createdAt = '2020-02-29T22:59:59.999Z';
    expect(response.json()).toMatchObject({
      createdAt,
      lifecycle: { stage: 'initial', enteredStageAt: createdAt },
    });
    expect(await featuresApi.read('older')).toEqual({
      ...response.json(),
      potentiallyStale: true,
    });
    expect(await recordedAboutFeatures(server.db, response)).toMatchObject([
      { data: { createdAt } },
    ]);
  });

  test.each([
    '2026-03-01T12:00:00.001Z',
    '9999-12-31T23:59:59Z',
    '1969-12-31T23:59:59Z',
    '0000-01-01T00:00:00Z',
    '2016-12-31T23:59:60Z',
    '2026-02-30T00:00:00Z',
    '2026-01-01',
    'yesterday',
    '',
    7,
    null,
  ])('rejects the creation time %j', async (createdAt) => {
    const response = await featuresApi.create({ name: 'never', createdAt });
    expect([response.statusCode, distinctPathsOf(response)]).toEqual([400, ['/body/createdAt']]);
  });

  test.each([
    '',
    '.',
    '..',
    'a b',
    'a/b',
    'ä',
    'a%20b',
    'a\n',
    'a'.repeat(101),
    7,
    true,
    null,
    ['a'],
  ])('rejects the name %j', async (name) => {
    const response = await featuresApi.create({ name });
    expect([response.statusCode, distinctPathsOf(response)]).toEqual([400, ['/body/name']]);
  });

  test.each(["A-Za-z_0.9~!*'()", 'a'.repeat(100), '...', 'validate', 'features', 'toString'])(
    'accepts the name %s, which then works in URLs',
    async (name) => {
      expect((await featuresApi.create({ name })).statusCode).toBe(201);
      expect(await featuresApi.read(name)).toMatchObject({ name });
      const list = (await server.ask(`GET ${features}`)).json().features;
      expect(list.map((feature: { name: string }) => feature.name)).toContain(name);
    },
  );

  test('reports all validation errors together', async () => {
    const response = await featuresApi.create({
      name: 'a b',
      type: 7,
      description: 7,
      impressionData: 'true',
      stale: null,
      createdAt: 7,
      tags: [{ type: 'x', value: 'good' }, { value: 'no type' }],
    });
    expect(response.statusCode).toBe(400);
    expect(new Set(distinctPathsOf(response))).toEqual(
      new Set([
        '/body/name',
        '/body/type',
        '/body/description',
        '/body/impressionData',
        '/body/stale',
        '/body/createdAt',
        '/body/tags/0/type',
        '/body/tags/1/type',
      ]),
    );
  });

  test('reports all errors found in the database together, before a name in use', async () => {
    await featuresApi.create({ name: 'occupied' });
    const before = await countEvents(server.db);
    const response = await featuresApi.create({
      name: 'occupied',
      type: 'nosuch',
      createdAt: '2030-01-01T00:00:00Z',
      tags: [
        { type: 'simple', value: 'fine' },
        { type: 'nosuch', value: 'fine' },
      ],
    });
    expect(response.statusCode).toBe(400);
    const [type, createdAt, tag, ...others] = distinctPathsOf(response);
    expect([type, createdAt, others]).toEqual(['/body/type', '/body/createdAt', []]);
    expect(tag).toMatch(/^\/body\/tags\/1/);
    expect(await countEvents(server.db)).toBe(before);
  });

  test('rejects more than 100 tags', async () => {
    const tags = Array.from({ length: 101 }, (_, index) => ({
      type: 'simple',
      value: `v-${index}`,
    }));
    expect(distinctPathsOf(await featuresApi.create({ name: 'over-tagged', tags }))).toEqual([
      '/body/tags',
    ]);
    expect(
      (await featuresApi.create({ name: 'well-tagged', tags: tags.slice(1) })).json().tags,
    ).toHaveLength(100);
  });

  test('returns 415 for a body that is not JSON and 400 for no body or a list', async () => {
    const form = await server.ask(`POST ${features}`, {
      payload: 'name=x',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(form.statusCode).toBe(415);
    expect((await server.ask(`POST ${features}`)).statusCode).toBe(400);
    expect((await featuresApi.create([{ name: 'listed' }])).statusCode).toBe(400);
  });
});

describe('the feature limit of a project', () => {
  test('returns 403 when it is reached, and archiving a feature makes room', async () => {
    await make(server.ask).project('small', { featureLimit: 2 });
    for (const name of ['small-1', 'small-2']) await featuresApi.create({ name }, 'small');
    const before = await countEvents(server.db);
    const refused = await featuresApi.create({ name: 'small-3' }, 'small');
    expect(refused.statusCode).toBe(403);
    expect(refused.json()).toMatchObject({ name: 'InvalidOperationError' });
    expect(refused.json().message).toContain("'small' has 2 of 2 features");
    expect(await countEvents(server.db)).toBe(before);
    await server.ask('DELETE /api/admin/projects/small/features/small-1');
    expect((await featuresApi.create({ name: 'small-3' }, 'small')).statusCode).toBe(201);
  });

  test('can be zero, and is checked after the naming pattern', async () => {
    await make(server.ask).project('none', { featureLimit: 0, featureNaming: { pattern: 'n.*' } });
    expect((await featuresApi.create({ name: 'nothing' }, 'none')).statusCode).toBe(403);
    expect((await featuresApi.create({ name: 'anything' }, 'none')).statusCode).toBe(400);
  });
});

describe('reading a feature', () => {
  test('returns 404 if it is unknown or in another project', async () => {
    await make(server.ask).project('mine');
    await make(server.ask).feature('at-home', { project: 'mine' });
    const elsewhere = await server.ask(`GET ${features}/at-home`);
    expect([elsewhere.statusCode, elsewhere.json().name]).toEqual([404, 'NotFoundError']);
    expect((await server.ask(`GET ${features}/nosuch`)).statusCode).toBe(404);
    expect((await server.ask('GET /api/admin/projects/nosuch/features/at-home')).statusCode).toBe(
      404,
    );
  });

  test('lists all users who changed it, the creator first', async () => {
    await featuresApi.create({ name: 'shared' });
    const ada = limitedApp(server, { id: 7 });
    const bob = limitedApp(server, { id: 3 });
    for (const other of [ada, bob, ada]) {
      await other.ask(`PUT ${features}/shared`, { payload: { description: `${Math.random()}` } });
    }
    const { collaborators } = await featuresApi.read('shared');
    expect(collaborators.users).toEqual([
      creator,
      { id: 7, name: 'admin', imageUrl: 'http://localhost:4242/avatars/7.svg' },
      { id: 3, name: 'admin', imageUrl: 'http://localhost:4242/avatars/3.svg' },
    ]);
  });

  test('does not list collaborators of a deleted feature with the same name', async () => {
    const ada = limitedApp(server, { id: 7 });
    await ada.ask(`POST ${features}`, { payload: { name: 'reborn' } });
    await ada.ask(`DELETE ${features}/reborn`);
    await ada.ask('DELETE /api/admin/archive/reborn');
    await featuresApi.create({ name: 'reborn' });
    expect((await featuresApi.read('reborn')).collaborators.users).toEqual([creator]);
  });
});

test('the creators of features in a project are listed once each, by name', async () => {
  await make(server.ask).project('crowd');
  const ada = limitedApp(server, { id: 11 });
  for (const [app, name] of [
    [server, 'crowd-1'],
    [ada, 'crowd-2'],
    [ada, 'crowd-3'],
  ] as const) {
    await app.ask('POST /api/admin/projects/crowd/features', { payload: { name } });
  }
  await server.ask('DELETE /api/admin/projects/crowd/features/crowd-1');
  const response = await server.ask('GET /api/admin/projects/crowd/flag-creators');
  expect(response.json()).toEqual([
    { id: testActor.id, name: 'admin' },
    { id: 11, name: 'admin' },
  ]);
  expect((await server.ask('GET /api/admin/projects/nosuch/flag-creators')).statusCode).toBe(404);
});
