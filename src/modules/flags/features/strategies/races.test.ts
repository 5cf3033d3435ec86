import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../../test/support/app.ts';
import { documentOf, sent, strategyOf } from '../../../../../test/support/import-export.ts';
import { raceRounds } from '../../../../../test/support/random-cases.ts';
import { recordedSinceCreation } from '../../../../../test/support/recorded.ts';
import { strategiesOn } from '../../../../../test/support/strategies.ts';

let app: TestApp;
let strategies: ReturnType<typeof strategiesOn>;
beforeAll(async () => {
  app = await testApp();
  strategies = strategiesOn(app);
});

const statuses = (responses: readonly { statusCode: number }[]) =>
  responses.map(({ statusCode }) => statusCode).sort();

describe('concurrent requests for strategies', () => {
  test('add all strategies with different sort orders', async () => {
    await strategies.feature('racing-adds');
    const responses = await Promise.all(
      Array.from({ length: 8 }, () => strategies.add('racing-adds')),
    );
    expect(statuses(responses)).toEqual(Array(8).fill(200));
    const listed = await strategies.list('racing-adds');
    expect(listed.map(({ sortOrder }) => sortOrder)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  test('do not exceed thirty strategies', async () => {
    const featureStrategies = Array.from({ length: 28 }, () => strategyOf('racing-limit'));
    const document = documentOf('racing-limit', { featureStrategies });
    await sent(app, 'import', document, { environment: 'development' });
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => strategies.add('racing-limit')),
    );
    expect(statuses(responses)).toEqual([200, 200, 403, 403, 403]);
    expect(await strategies.list('racing-limit')).toHaveLength(30);
  });

  test('apply patches of different parts, and each records the state after the previous one', async () => {
    await strategies.feature('racing-patches');
    const { id } = await strategies.added('racing-patches');
    const patches = [
      [{ op: 'replace', path: '/parameters/rollout', value: '1' }],
      [{ op: 'add', path: '/title', value: 'Told' }],
      [{ op: 'add', path: '/constraints/-', value: { contextName: 'a', operator: 'IN' } }],
      [{ op: 'add', path: '/constraints/-', value: { contextName: 'b', operator: 'IN' } }],
    ];
    const responses = await Promise.all([
      ...patches.map((patch) => strategies.patch('racing-patches', id, patch)),
      strategies.add('racing-patches'),
    ]);
    expect(statuses(responses)).toEqual(Array(5).fill(200));
    const [patched, ...others] = await strategies.list('racing-patches');
    expect(others).toHaveLength(1);
    expect(patched).toMatchObject({ title: 'Told', parameters: { rollout: '1' } });
    expect(patched?.constraints.map(({ contextName }) => contextName).sort()).toEqual(['a', 'b']);
    const updates = (await recordedSinceCreation(app.db, 'racing-patches')).filter(
      ({ type }) => type === 'feature-strategy-update',
    );
    for (const [index, update] of updates.slice(1).entries()) {
      expect(update.preData).toEqual(updates[index]?.data);
    }
  });

  test('do not order a removed strategy', async () => {
    await strategies.feature('racing-order');
    const [a, b] = [await strategies.added('racing-order'), await strategies.added('racing-order')];
    const [ordered, removed] = await Promise.all([
      strategies.order('racing-order', [
        { id: a.id, sortOrder: 5 },
        { id: b.id, sortOrder: 1 },
      ]),
      strategies.remove('racing-order', b.id),
    ]);
    expect(removed.statusCode).toBe(200);
    expect([200, 400]).toContain(ordered.statusCode);
    const left = await strategies.list('racing-order');
    expect(left.map(({ id }) => id)).toEqual([a.id]);
    expect(left[0]?.sortOrder).toBe(ordered.statusCode === 200 ? 5 : 0);
  });

  test('enable a feature once and add one default strategy', async () => {
    await strategies.feature('racing-on');
    const responses = await Promise.all(
      Array.from({ length: 4 }, () => strategies.turn('racing-on', 'on')),
    );
    expect(statuses(responses)).toEqual([200, 200, 200, 200]);
    expect((await recordedSinceCreation(app.db, 'racing-on')).map(({ type }) => type)).toEqual([
      'feature-strategy-add',
      'feature-environment-enabled',
    ]);
  });

  test('disable a feature once when they remove its last two enabled strategies', async () => {
    await strategies.feature('racing-last');
    const [a, b] = [await strategies.added('racing-last'), await strategies.added('racing-last')];
    await strategies.turn('racing-last', 'on');
    const responses = await Promise.all([
      strategies.remove('racing-last', a.id),
      strategies.replace('racing-last', b.id, { disabled: true }),
    ]);
    expect(statuses(responses)).toEqual([200, 200]);
    expect(await strategies.isOn('racing-last')).toBe(false);
    const types = (await recordedSinceCreation(app.db, 'racing-last')).map(({ type }) => type);
    expect(types.at(-1)).toBe('feature-environment-disabled');
    expect(types.filter((type) => type === 'feature-environment-disabled')).toHaveLength(1);
  });

  test('do not deadlock when bulk requests enable and disable overlapping features', async () => {
    const names = ['wide-a', 'wide-b', 'wide-c', 'wide-d'];
    for (const name of names) await strategies.feature(name);
    const path = '/api/admin/projects/default/bulk_features/environments/development';
    const turn = (state: string, features: string[]) =>
      app.ask(`POST ${path}/${state}`, { payload: { features } });
    const responses = await Promise.all([
      turn('on', names),
      turn('on', [...names].reverse()),
      turn('off', ['wide-d', 'wide-a']),
      ...names.map((name) => strategies.add(name)),
    ]);
    expect(statuses(responses)).toEqual(Array(7).fill(200));
    for (const name of names) expect((await strategies.list(name)).length).toBeLessThanOrEqual(2);
  });

  test('never leave a strategy of a type that is being deleted', async () => {
    for (let round = 0; round < raceRounds; round += 1) {
      const name = `fleeting-${round}`;
      await app.ask('POST /api/admin/strategies', { payload: { name, parameters: [] } });
      await strategies.feature(name);
      const [added, deleted] = await Promise.all([
        strategies.add(name, { name }),
        app.ask(`DELETE /api/admin/strategies/${name}`),
      ]);
      expect([added.statusCode, deleted.statusCode < 300 ? 'deleted' : deleted.statusCode]).toEqual(
        deleted.statusCode < 300 ? [400, 'deleted'] : [200, 403],
      );
    }
  });
});
