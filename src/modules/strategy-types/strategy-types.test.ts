import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../test/support/app.ts';
import { limitedApp } from '../../../test/support/limited-app.ts';
import { make } from '../../../test/support/make.ts';
import { countEvents, recordedBy } from '../../../test/support/recorded.ts';
import { listGroupSticking, strategyTypeFaults } from './index.ts';

let on: TestApp;
beforeAll(async () => {
  on = await testApp();
});

const strategies = '/api/admin/strategies';

const create = (payload: object) => on.ask(`POST ${strategies}`, { payload });
const change = (name: string, payload: object) => on.ask(`PUT ${strategies}/${name}`, { payload });
const read = async (name: string) => (await on.ask(`GET ${strategies}/${name}`)).json();
const pathsOf = (response: { json: () => { details: { path: string }[] } }) =>
  new Set(response.json().details.map(({ path }) => path));

describe('an empty installation', () => {
  test('has the types that the SDKs know, the usual ones first', async () => {
    const response = await on.ask(`GET ${strategies}`);
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
      parameters: [
        expect.objectContaining({ name: 'rollout', type: 'percentage', required: false }),
        expect.objectContaining({ name: 'stickiness', type: 'string', required: false }),
        expect.objectContaining({ name: 'groupId', type: 'string', required: false }),
      ],
    });
  });

  test('recorded nothing of them: they are part of the product', async () => {
    const rows = await on.db
      .selectFrom('events')
      .where('type', 'like', 'strategy-%')
      .where('created_by_user_id', '=', -1337)
      .select('id')
      .execute();
    expect(rows).toEqual([]);
  });
});

describe('creating a type', () => {
  test('needs a name; the rest has defaults, and no title is left out', async () => {
    const response = await create({ name: 'bare' });
    expect(response.statusCode).toBe(201);
    const facts = {
      name: 'bare',
      description: '',
      parameters: [],
      editable: true,
      deprecated: false,
    };
    expect(response.json()).toEqual({ ...facts, displayName: 'bare' });
    expect(await read('bare')).toEqual({ ...facts, displayName: 'bare' });
    expect(await recordedBy(on.db, response)).toEqual([
      { type: 'strategy-created', project: null, environment: null, data: facts, preData: null },
    ]);
  });

  test('takes a title, a description and parameters, and ignores what it does not know', async () => {
    const parameters = [
      { name: 'tenant', type: 'list', description: 'Who', required: true },
      { name: 'share', type: 'percentage' },
      { name: 'big', type: 'boolean', description: null, required: null },
    ];
    const response = await create({
      name: "a-Z_0.~!*'()",
      title: 'By tenant',
      description: 'On for tenants',
      parameters,
      editable: false,
      deprecated: true,
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
    expect(await recordedBy(on.db, response)).toMatchObject([{ data: facts }]);
  });

  test('puts it behind the built-in ones, by name', async () => {
    await create({ name: 'zz' });
    await create({ name: 'aa' });
    const names = (await on.ask(`GET ${strategies}`))
      .json()
      .strategies.map(({ name }: { name: string }) => name);
    expect(names.slice(0, 2)).toEqual(['flexibleRollout', 'default']);
    expect(names.slice(8)).toEqual([...names.slice(8)].sort());
    expect(names.indexOf('aa')).toBeGreaterThanOrEqual(8);
  });

  test('a taken name answers 409 and records nothing', async () => {
    const before = await countEvents(on.db);
    const response = await create({ name: 'default' });
    expect([response.statusCode, response.json().name]).toEqual([409, 'NameExistsError']);
    expect(await countEvents(on.db)).toBe(before);
  });

  test('of five racing creations of one name, one succeeds', async () => {
    const responses = await Promise.all(Array.from({ length: 5 }, () => create({ name: 'raced' })));
    const statuses = responses.map(({ statusCode }) => statusCode).sort();
    expect(statuses).toEqual([201, 409, 409, 409, 409]);
  });

  test.each(['.', '..', '', 'a b', 'ä', 'a/b', 'a'.repeat(101), 7, null])(
    'the name %j answers 400',
    async (name) => {
      const response = await create({ name });
      expect(response.statusCode).toBe(400);
      expect(pathsOf(response)).toEqual(new Set(['/body/name']));
    },
  );

  test('every fault of a body is told at once', async () => {
    const parameters = [
      { name: '', type: 'string' },
      { name: 'b', type: 'date' },
      { type: 'list', required: 'yes' },
    ];
    const response = await create({ title: 1, description: [], parameters });
    expect(response.statusCode).toBe(400);
    expect(pathsOf(response)).toEqual(
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

  test('two parameters of one name answer 400', async () => {
    const parameters = ['a', 'b', 'a'].map((name) => ({ name, type: 'string' }));
    const response = await create({ name: 'doubled', parameters });
    expect(response.statusCode).toBe(400);
    expect(response.json().details).toEqual([
      { path: '/body/parameters/2/name', message: expect.stringContaining("'a' is used twice") },
    ]);
  });
});

describe('changing a type', () => {
  test('changes what is named, and tells the whole of it', async () => {
    const parameters = [{ name: 'a', type: 'string', description: '', required: false }];
    await create({ name: 'changing', title: 'Before', description: 'kept', parameters });
    const response = await change('changing', { title: 'After', name: 'ignored' });
    expect([response.statusCode, response.body]).toEqual([200, '']);
    const facts = {
      name: 'changing',
      title: 'After',
      description: 'kept',
      parameters,
      editable: true,
      deprecated: false,
    };
    expect(await read('changing')).toEqual({ ...facts, displayName: 'After' });
    expect(await recordedBy(on.db, response)).toEqual([
      { type: 'strategy-updated', project: null, environment: null, data: facts, preData: null },
    ]);
    await change('changing', { title: null, description: null, parameters: [] });
    const bare = await read('changing');
    expect(bare).toMatchObject({ displayName: 'changing', description: '', parameters: [] });
    expect(bare).not.toHaveProperty('title');
  });

  test('to what it is already records nothing', async () => {
    const wish = { title: 'Same', parameters: [{ name: 'a', type: 'number' }] };
    await create({ name: 'unchanged', ...wish });
    const response = await change('unchanged', { ...wish, description: '' });
    expect(response.statusCode).toBe(200);
    expect(await recordedBy(on.db, response)).toEqual([]);
  });

  test('two parameters of one name answer 400', async () => {
    await create({ name: 'to-double' });
    const parameters = ['a', 'a'].map((name) => ({ name, type: 'string' }));
    const response = await change('to-double', { parameters });
    expect(response.statusCode).toBe(400);
    expect(pathsOf(response)).toEqual(new Set(['/body/parameters/1/name']));
  });

  test('two racing changes of different fields are both kept', async () => {
    await create({ name: 'contested' });
    await Promise.all([
      change('contested', { title: 'Title' }),
      change('contested', { description: 'Description' }),
    ]);
    expect(await read('contested')).toMatchObject({ title: 'Title', description: 'Description' });
  });

  test('that is built in is refused', async () => {
    const response = await change('default', { description: 'mine' });
    expect([response.statusCode, response.json().name]).toEqual([403, 'InvalidOperationError']);
    expect((await read('default')).description).not.toBe('mine');
  });
});

describe('deprecating a type', () => {
  const say = (name: string, word: 'deprecate' | 'reactivate') =>
    on.ask(`POST ${strategies}/${name}/${word}`);

  test('and reactivating it are told by its name; a second time changes nothing', async () => {
    await create({ name: 'fading' });
    for (const [word, type, deprecated] of [
      ['deprecate', 'strategy-deprecated', true],
      ['reactivate', 'strategy-reactivated', false],
    ] as const) {
      const response = await say('fading', word);
      expect([response.statusCode, response.body]).toEqual([200, '']);
      expect((await read('fading')).deprecated).toBe(deprecated);
      const data = { name: 'fading' };
      expect(await recordedBy(on.db, response)).toEqual([
        { type, project: null, environment: null, data, preData: null },
      ]);
      const again = await say('fading', word);
      expect(again.statusCode).toBe(200);
      expect(await recordedBy(on.db, again)).toEqual([]);
    }
  });

  test('works for built-in ones, but not for those that new features need', async () => {
    expect((await say('remoteAddress', 'deprecate')).statusCode).toBe(200);
    expect((await say('userWithId', 'reactivate')).statusCode).toBe(200);
    for (const name of ['default', 'flexibleRollout']) {
      const response = await say(name, 'deprecate');
      expect([response.statusCode, response.json().name]).toEqual([403, 'InvalidOperationError']);
      expect((await read(name)).deprecated).toBe(false);
    }
  });
});

describe('deleting a type', () => {
  const remove = (name: string) => on.ask(`DELETE ${strategies}/${name}`);

  test('that nobody uses removes it', async () => {
    await create({ name: 'unused' });
    const response = await remove('unused');
    expect([response.statusCode, response.body]).toEqual([200, '']);
    expect((await on.ask(`GET ${strategies}/unused`)).statusCode).toBe(404);
    const data = { name: 'unused' };
    expect(await recordedBy(on.db, response)).toEqual([
      { type: 'strategy-deleted', project: null, environment: null, data, preData: null },
    ]);
  });

  test('that is built in is refused', async () => {
    const response = await remove('userWithId');
    expect([response.statusCode, response.json().name]).toEqual([403, 'InvalidOperationError']);
    expect((await read('userWithId')).name).toBe('userWithId');
  });

  test('that features use is refused, and says which', async () => {
    const { feature, project, strategy } = make(on.ask);
    await create({ name: 'used' });
    for (const name of ['uses-b', 'uses-a']) {
      await feature(name);
      await strategy(name, { name: 'used' });
    }
    await on.ask('DELETE /api/admin/projects/default/features/uses-b');
    const response = await remove('used');
    expect([response.statusCode, response.json().name]).toEqual([403, 'InvalidOperationError']);
    expect(response.json().message).toContain('by uses-a, uses-b (archived);');
    expect(await recordedBy(on.db, response)).toEqual([]);

    await project('hidden');
    await feature('uses-c', { project: 'hidden' });
    await strategy('uses-c', { name: 'used' }, { project: 'hidden' });
    const limited = await limitedApp(on, { sees: new Set(['default']) });
    const { message } = (await limited.ask(`DELETE ${strategies}/used`)).json();
    expect(message).toContain('by uses-a, uses-b (archived), 1 more;');
  });

  test('while a strategy of it is being added: one of the two gives way', async () => {
    const { feature } = make(on.ask);
    await feature('wanting');
    const place = '/api/admin/projects/default/features/wanting/environments/development';
    for (let round = 0; round < 8; round += 1) {
      const name = `wanted-${round}`;
      await create({ name });
      const [added, removed] = await Promise.all([
        on.ask(`POST ${place}/strategies`, { payload: { name } }),
        remove(name),
      ]);
      expect([added.statusCode, removed.statusCode].sort()).toEqual(
        added.statusCode === 200 ? [200, 403] : [200, 400],
      );
      if (removed.statusCode === 403) expect(removed.json().message).toContain('by wanting;');
      else expect(added.json().details).toMatchObject([{ path: '/body/name' }]);
    }
  });
});

describe('what does not exist', () => {
  test('answers 404', async () => {
    for (const request of [
      'GET /nosuch',
      'PUT /nosuch',
      'DELETE /nosuch',
      'POST /nosuch/deprecate',
      'POST /nosuch/reactivate',
    ]) {
      const [method, path] = request.split(' ');
      const response = await on.ask(`${method as 'PUT'} ${strategies}${path}`, {
        ...(method === 'PUT' && { payload: {} }),
      });
      expect(response.statusCode, request).toBe(404);
      expect(response.json().message).toBe("There is no strategy type 'nosuch'");
    }
  });
});

describe('permissions', () => {
  test('reading needs none, each change its own', async () => {
    const limited = await limitedApp(on, { may: (permission) => permission === 'none' });
    expect((await limited.ask(`GET ${strategies}`)).statusCode).toBe(200);
    expect((await limited.ask(`GET ${strategies}/default`)).statusCode).toBe(200);
    for (const [request, permission] of [
      [`POST ${strategies}`, 'CREATE_STRATEGY'],
      [`PUT ${strategies}/bare`, 'UPDATE_STRATEGY'],
      [`DELETE ${strategies}/bare`, 'DELETE_STRATEGY'],
      [`POST ${strategies}/bare/deprecate`, 'UPDATE_STRATEGY'],
      [`POST ${strategies}/bare/reactivate`, 'UPDATE_STRATEGY'],
    ] as const) {
      const response = await limited.ask(request);
      expect(response.statusCode).toBe(403);
      expect(response.json()).toMatchObject({ name: 'NoAccessError' });
      expect(response.json().message).toContain(permission);
    }
  });
});

describe('for the modules above', () => {
  test('a strategy of an unknown type is a fault at its name', async () => {
    expect(await strategyTypeFaults(on.db, { name: 'nosuch' }, '/body')).toEqual([
      { path: '/body/name', message: "There is no strategy type 'nosuch'" },
    ]);
  });

  test('parameters are checked by the type', async () => {
    const parameters = [
      { name: 'limit', type: 'number', required: true },
      { name: 'share', type: 'percentage' },
    ];
    await create({ name: 'checked', parameters });
    const faults = (given: Record<string, unknown>) =>
      strategyTypeFaults(on.db, { name: 'checked', parameters: given }, '/body/2');
    expect(await faults({ limit: 1, share: '5', other: 'x' })).toEqual([]);
    expect((await faults({ share: 'x' })).map(({ path }) => path)).toEqual([
      '/body/2/parameters/limit',
      '/body/2/parameters/share',
    ]);
    expect(await strategyTypeFaults(on.db, { name: 'remoteAddress' }, '/body')).toEqual([]);
  });

  test('the types that stick by a group are those with a parameter for it', async () => {
    await create({ name: 'sticks', parameters: [{ name: 'groupId', type: 'string' }] });
    expect([...(await listGroupSticking(on.db))].sort()).toEqual([
      'flexibleRollout',
      'gradualRolloutRandom',
      'gradualRolloutSessionId',
      'gradualRolloutUserId',
      'sticks',
    ]);
  });
});
