import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../test/support/app.ts';
import { pathsOf } from '../../../../test/support/faults.ts';
import { limitedApp } from '../../../../test/support/limited-app.ts';
import { askedDuring } from '../../../../test/support/locks.ts';
import { make } from '../../../../test/support/make.ts';
import { raceRounds } from '../../../../test/support/random-cases.ts';
import { recordedBy } from '../../../../test/support/recorded.ts';
import { featureEnvironmentPath } from '../../../../test/support/strategies.ts';
import { strategyTypes, strategyTypesOn } from '../../../../test/support/strategy-types.ts';
import { removeStrategyType } from './service.ts';

let app: TestApp;
let types: ReturnType<typeof strategyTypesOn>;
beforeAll(async () => {
  app = await testApp();
  types = strategyTypesOn(app);
});

describe('changing a strategy type', () => {
  test('changes the given properties and records the complete type', async () => {
    const parameters = [{ name: 'a', type: 'string', description: '', required: false }];
    await types.create({ name: 'changing', title: 'Before', description: 'kept', parameters });
    const response = await types.change('changing', { title: 'After', name: 'ignored' });
    expect([response.statusCode, response.body]).toEqual([200, '']);
    const facts = {
      name: 'changing',
      title: 'After',
      description: 'kept',
      parameters,
      editable: true,
      deprecated: false,
    };
    expect(await types.read('changing')).toEqual({
      ...facts,
      displayName: 'After',
      usedInFeatures: 0,
    });
    expect(await recordedBy(app.db, response)).toEqual([
      { type: 'strategy-updated', project: null, environment: null, data: facts, preData: null },
    ]);
    await types.change('changing', { title: null, description: null, parameters: [] });
    const bare = await types.read('changing');
    expect(bare).toMatchObject({ displayName: 'changing', description: null, parameters: [] });
    expect(bare).not.toHaveProperty('title');
  });

  test('records nothing if nothing changes', async () => {
    const input = { title: 'Same', parameters: [{ name: 'a', type: 'number' }] };
    await types.create({ name: 'unchanged', ...input });
    const response = await types.change('unchanged', { ...input, description: null });
    expect(response.statusCode).toBe(200);
    expect(await recordedBy(app.db, response)).toEqual([]);
  });

  test('returns 400 for two parameters with the same name', async () => {
    await types.create({ name: 'to-double' });
    const parameters = ['a', 'a'].map((name) => ({ name, type: 'string' }));
    const response = await types.change('to-double', { parameters });
    expect(response.statusCode).toBe(400);
    expect(new Set(pathsOf(response))).toEqual(new Set(['/body/parameters/1/name']));
  });

  test('applies two concurrent changes of different properties', async () => {
    await types.create({ name: 'contested' });
    await Promise.all([
      types.change('contested', { title: 'Title' }),
      types.change('contested', { description: 'Description' }),
    ]);
    expect(await types.read('contested')).toMatchObject({
      title: 'Title',
      description: 'Description',
    });
  });

  test('rejects a built-in type', async () => {
    const response = await types.change('default', { description: 'mine' });
    expect([response.statusCode, response.json().name]).toEqual([403, 'InvalidOperationError']);
    expect((await types.read('default')).description).not.toBe('mine');
  });
});

describe('deprecating and reactivating a strategy type', () => {
  const say = (name: string, word: 'deprecate' | 'reactivate') =>
    app.ask(`POST ${strategyTypes}/${name}/${word}`);

  test('is recorded with its name, and not recorded if nothing changes', async () => {
    await types.create({ name: 'fading' });
    for (const [word, type, deprecated] of [
      ['deprecate', 'strategy-deprecated', true],
      ['reactivate', 'strategy-reactivated', false],
    ] as const) {
      const response = await say('fading', word);
      expect([response.statusCode, response.body]).toEqual([200, '']);
      expect((await types.read('fading')).deprecated).toBe(deprecated);
      const data = { name: 'fading' };
      expect(await recordedBy(app.db, response)).toEqual([
        { type, project: null, environment: null, data, preData: null },
      ]);
      const again = await say('fading', word);
      expect(again.statusCode).toBe(200);
      expect(await recordedBy(app.db, again)).toEqual([]);
    }
  });

  test('is possible for built-in types, except those that new features need', async () => {
    expect((await say('remoteAddress', 'deprecate')).statusCode).toBe(200);
    expect((await say('userWithId', 'reactivate')).statusCode).toBe(200);
    for (const name of ['default', 'flexibleRollout']) {
      const response = await say(name, 'deprecate');
      expect([response.statusCode, response.json().name]).toEqual([403, 'InvalidOperationError']);
      expect((await types.read(name)).deprecated).toBe(false);
    }
  });
});

describe('deleting a strategy type', () => {
  const remove = (name: string) => app.ask(`DELETE ${strategyTypes}/${name}`);

  test('removes an unused type', async () => {
    await types.create({ name: 'unused' });
    const response = await remove('unused');
    expect([response.statusCode, response.body]).toEqual([200, '']);
    expect((await app.ask(`GET ${strategyTypes}/unused`)).statusCode).toBe(404);
    const data = { name: 'unused' };
    expect(await recordedBy(app.db, response)).toEqual([
      { type: 'strategy-deleted', project: null, environment: null, data, preData: null },
    ]);
  });

  test('rejects a built-in type', async () => {
    const response = await remove('userWithId');
    expect([response.statusCode, response.json().name]).toEqual([403, 'InvalidOperationError']);
    expect((await types.read('userWithId')).name).toBe('userWithId');
  });

  test('rejects a type in use and names the features that the caller can see', async () => {
    const { feature, project, strategy } = make(app.ask);
    await types.create({ name: 'used' });
    for (const name of ['uses-b', 'uses-a']) {
      await feature(name);
      await strategy(name, { name: 'used' });
    }
    await app.ask('DELETE /api/admin/projects/default/features/uses-b');
    const response = await remove('used');
    expect([response.statusCode, response.json().name]).toEqual([403, 'InvalidOperationError']);
    expect(response.json().message).toContain('by uses-a, uses-b (archived).');
    expect(await recordedBy(app.db, response)).toEqual([]);

    await project('hidden');
    await feature('uses-c', { project: 'hidden' });
    await strategy('uses-c', { name: 'used' }, { project: 'hidden' });
    const limited = limitedApp(app, { sees: new Set(['default']) });
    const { message } = (await limited.ask(`DELETE ${strategyTypes}/used`)).json();
    expect(message).toContain('by uses-a, uses-b (archived), features that you cannot see.');
  });

  const add = (feature: string, name: string) =>
    app.ask(`POST ${featureEnvironmentPath(feature)}/strategies`, { payload: { name } });

  test('waits for a transaction that uses the type and is then rejected', async () => {
    const { feature, strategy } = make(app.ask);
    await types.create({ name: 'wanted' });
    await feature('wanting');
    await strategy('wanting');
    const { waited, response } = await askedDuring(
      app,
      (tx) =>
        tx.db
          .updateTable('feature_strategies')
          .set({ name: 'wanted' })
          .where('feature_name', '=', 'wanting')
          .execute(),
      () => remove('wanted'),
    );
    expect([waited, response.statusCode]).toEqual([true, 403]);
    expect(response.json().message).toContain('by wanting.');
  });

  test('makes a concurrent request to use the type wait and then return 400', async () => {
    await types.create({ name: 'leaving' });
    await make(app.ask).feature('late');
    const { waited, response } = await askedDuring(
      app,
      (tx) => removeStrategyType(tx, 'leaving'),
      () => add('late', 'leaving'),
    );
    expect([waited, response.statusCode]).toEqual([true, 400]);
    expect(response.json().details).toMatchObject([{ path: '/body/name' }]);
  });

  test('and adding a strategy of it concurrently never both succeed', async () => {
    await make(app.ask).feature('racing');
    for (let round = 0; round < raceRounds; round += 1) {
      const name = `raced-${round}`;
      await types.create({ name });
      const [added, removed] = await Promise.all([add('racing', name), remove(name)]);
      expect([
        [200, 403],
        [400, 200],
      ]).toContainEqual([added.statusCode, removed.statusCode]);
    }
  });
});

describe('an unknown strategy type', () => {
  test('returns 404 for every request', async () => {
    for (const request of [
      'GET /nosuch',
      'PUT /nosuch',
      'DELETE /nosuch',
      'POST /nosuch/deprecate',
      'POST /nosuch/reactivate',
    ]) {
      const [method, path] = request.split(' ');
      const response = await app.ask(`${method as 'PUT'} ${strategyTypes}${path}`, {
        ...(method === 'PUT' && { payload: {} }),
      });
      expect(response.statusCode, request).toBe(404);
      expect(response.json().message).toBe("Strategy type 'nosuch' not found");
    }
  });
});

describe('permissions for strategy types', () => {
  test('are not needed for reading, and each change needs its own', async () => {
    await types.create({ name: 'bare' });
    const limited = limitedApp(app, { may: (permission) => permission === 'none' });
    expect((await limited.ask(`GET ${strategyTypes}`)).statusCode).toBe(200);
    expect((await limited.ask(`GET ${strategyTypes}/default`)).statusCode).toBe(200);
    for (const [request, permission] of [
      [`POST ${strategyTypes}`, 'CREATE_STRATEGY'],
      [`PUT ${strategyTypes}/bare`, 'UPDATE_STRATEGY'],
      [`DELETE ${strategyTypes}/bare`, 'DELETE_STRATEGY'],
      [`POST ${strategyTypes}/bare/deprecate`, 'UPDATE_STRATEGY'],
      [`POST ${strategyTypes}/bare/reactivate`, 'UPDATE_STRATEGY'],
    ] as const) {
      const response = await limited.ask(request);
      expect(response.statusCode).toBe(403);
      expect(response.json()).toMatchObject({ name: 'NoAccessError' });
      expect(response.json().message).toContain(permission);
    }
  });
});
