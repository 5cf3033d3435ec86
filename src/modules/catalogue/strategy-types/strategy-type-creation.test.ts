import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../test/support/app.ts';
import { pathsOf } from '../../../../test/support/faults.ts';
import { countEvents, recordedBy } from '../../../../test/support/recorded.ts';
import { strategyTypes, strategyTypesOn } from '../../../../test/support/strategy-types.ts';
import { strategyTypeFaults } from './index.ts';

let app: TestApp;
let types: ReturnType<typeof strategyTypesOn>;
beforeAll(async () => {
  app = await testApp();
  types = strategyTypesOn(app);
});

describe('an empty installation', () => {
  test('has the types that SDKs implement, the most common first', async () => {
    const response = await app.ask(`GET ${strategyTypes}`);
    expect(response.statusCode).toBe(200);
    const { version, strategies: types } = response.json();
    expect(version).toBe(1);
    expect(
      types.map((type: { name: string; deprecated: boolean; parameters: { name: string }[] }) => [
        type.name,
        type.deprecated,
        type.parameters.map(({ name }) => name),
      ]),
    ).toEqual([
      ['flexibleRollout', false, ['rollout', 'stickiness', 'groupId']],
      ['default', false, []],
      ['remoteAddress', false, ['IPs']],
      ['applicationHostname', false, ['hostNames']],
      ['userWithId', true, ['userIds']],
      ['gradualRolloutUserId', true, ['percentage', 'groupId']],
      ['gradualRolloutSessionId', true, ['percentage', 'groupId']],
      ['gradualRolloutRandom', true, ['percentage', 'groupId']],
    ]);
    expect(types[0]).toEqual({
      name: 'flexibleRollout',
      displayName: 'Gradual rollout',
      title: 'Gradual rollout',
      description: expect.any(String),
      editable: false,
      deprecated: false,
      usedInFeatures: 0,
      parameters: [
        expect.objectContaining({ name: 'rollout', type: 'percentage', required: false }),
        expect.objectContaining({ name: 'stickiness', type: 'string', required: false }),
        expect.objectContaining({ name: 'groupId', type: 'string', required: false }),
      ],
    });
  });

  test('records no events for them, because they are part of the product', async () => {
    const rows = await app.db
      .selectFrom('events')
      .where('type', 'like', 'strategy-%')
      .where('created_by_user_id', '=', -1337)
      .select('id')
      .execute();
    expect(rows).toEqual([]);
  });
});

describe('creating a strategy type', () => {
  test('requires only a name, applies defaults and omits the title', async () => {
    const response = await types.create({ name: 'bare' });
    expect(response.statusCode).toBe(201);
    const facts = {
      name: 'bare',
      description: null,
      parameters: [],
      editable: true,
      deprecated: false,
    };
    expect(response.json()).toEqual({ ...facts, displayName: 'bare' });
    expect(await types.read('bare')).toEqual({ ...facts, displayName: 'bare', usedInFeatures: 0 });
    expect(await recordedBy(app.db, response)).toEqual([
      { type: 'strategy-created', project: null, environment: null, data: facts, preData: null },
    ]);
  });

  test('accepts a title, a description and parameters, and ignores unknown properties', async () => {
    const parameters = [
      { name: 'tenant', type: 'list', description: 'Who', required: true },
      { name: 'share', type: 'percentage' },
      { name: 'big', type: 'boolean', description: null, required: null },
    ];
    const response = await types.create({
      name: "a-Z_0.~!*'()",
      title: 'By tenant',
      description: 'On for tenants',
      parameters,
      editable: false,
      color: 'blue',
    });
    expect(response.statusCode).toBe(201);
    const facts = {
      name: "a-Z_0.~!*'()",
      title: 'By tenant',
      description: 'On for tenants',
      parameters: [
        parameters[0],
        { name: 'share', type: 'percentage', description: '', required: false },
        { name: 'big', type: 'boolean', description: '', required: false },
      ],
      editable: true,
      deprecated: false,
    };
    expect(response.json()).toEqual({ ...facts, displayName: 'By tenant' });
    expect(await recordedBy(app.db, response)).toMatchObject([{ data: facts }]);
  });

  test('lists it after the built-in types, sorted by name', async () => {
    await types.create({ name: 'zz' });
    await types.create({ name: 'aa' });
    const names = (await app.ask(`GET ${strategyTypes}`))
      .json()
      .strategies.map(({ name }: { name: string }) => name);
    expect(names.slice(0, 2)).toEqual(['flexibleRollout', 'default']);
    expect(names.slice(8)).toEqual([...names.slice(8)].sort());
    expect(names.indexOf('aa')).toBeGreaterThanOrEqual(8);
  });

  test('returns 409 for a name in use and records nothing', async () => {
    const before = await countEvents(app.db);
    const response = await types.create({ name: 'default' });
    expect([response.statusCode, response.json().name]).toEqual([409, 'NameExistsError']);
    expect(await countEvents(app.db)).toBe(before);
  });

  test('succeeds once when five requests use the same name', async () => {
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => types.create({ name: 'raced' })),
    );
    const statuses = responses.map(({ statusCode }) => statusCode).sort();
    expect(statuses).toEqual([201, 409, 409, 409, 409]);
  });

  test.each(['.', '..', '', 'a b', 'ä', 'a/b', 'a'.repeat(101), 7, null])(
    'returns 400 for the name %j',
    async (name) => {
      const response = await types.create({ name });
      expect(response.statusCode).toBe(400);
      expect(new Set(pathsOf(response))).toEqual(new Set(['/body/name']));
    },
  );

  test('reports all validation errors together', async () => {
    const parameters = [
      { name: '', type: 'string' },
      { name: 'b', type: 'date' },
      { type: 'list', required: 'yes' },
    ];
    const response = await types.create({ title: 1, description: [], parameters });
    expect(response.statusCode).toBe(400);
    expect(new Set(pathsOf(response))).toEqual(
      new Set([
        '/body/name',
        '/body/title',
        '/body/description',
        '/body/parameters/0/name',
        '/body/parameters/1/type',
        '/body/parameters/2/name',
        '/body/parameters/2/required',
      ]),
    );
  });

  test('returns 400 for two parameters with the same name', async () => {
    const parameters = ['a', 'b', 'a'].map((name) => ({ name, type: 'string' }));
    const response = await types.create({ name: 'doubled', parameters });
    expect(response.statusCode).toBe(400);
    expect(response.json().details).toEqual([
      { path: '/body/parameters/2/name', message: expect.stringContaining("'a' is used twice") },
    ]);
  });
});

describe('the validation of a strategy against its type', () => {
  test('reports an unknown type at the name', () => {
    const input = { name: 'nosuch', parameters: {} };
    expect(strategyTypeFaults(undefined, input, '/body')).toEqual([
      { path: '/body/name', message: "Strategy type 'nosuch' not found" },
    ]);
  });

  test('checks the parameters defined by the type', async () => {
    const { parameters } = (
      await types.create({
        name: 'checked',
        parameters: [
          { name: 'limit', type: 'number', required: true },
          { name: 'share', type: 'percentage' },
        ],
      })
    ).json();
    const faults = (given: Record<string, unknown>) =>
      strategyTypeFaults(parameters, { name: 'checked', parameters: given }, '/body/2');
    expect(faults({ limit: 1, share: '5', other: 'x' })).toEqual([]);
    expect(faults({ share: 'x' }).map(({ path }) => path)).toEqual([
      '/body/2/parameters/limit',
      '/body/2/parameters/share',
    ]);
  });
});
