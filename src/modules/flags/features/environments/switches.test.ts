import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../../test/support/app.ts';
import { documentOf, sent, strategyOf } from '../../../../../test/support/import-export.ts';
import { make } from '../../../../../test/support/make.ts';
import { countEvents, recordedBy } from '../../../../../test/support/recorded.ts';
import { recordedAboutFeatures } from '../../../../../test/support/recorded-features.ts';
import { featureEnvironmentPath, strategiesOn } from '../../../../../test/support/strategies.ts';

let app: TestApp;
let strategies: ReturnType<typeof strategiesOn>;
beforeAll(async () => {
  app = await testApp();
  strategies = strategiesOn(app);
});

const typesOf = async (response: Parameters<typeof recordedBy>[1]) =>
  (await recordedBy(app.db, response)).map(({ type }) => type);
const activating = '?shouldActivateDisabledStrategies=true';

describe('enabling a feature', () => {
  test('records one event if it has an enabled strategy', async () => {
    await strategies.feature('ready');
    await strategies.added('ready');
    const response = await strategies.turn('ready', 'on');
    expect([response.statusCode, response.json()]).toEqual([200, await strategies.whole('ready')]);
    expect(response.json()).toMatchObject({ name: 'ready', enabled: true });
    expect(await recordedBy(app.db, response)).toEqual([
      {
        type: 'feature-environment-enabled',
        project: 'default',
        environment: 'development',
        data: null,
        preData: null,
      },
    ]);
    expect(await strategies.isOn('ready')).toBe(true);
    expect(await strategies.isOn('ready', { environment: 'production' })).toBe(false);
  });

  test('records nothing if it is already enabled', async () => {
    await strategies.feature('again');
    await strategies.turn('again', 'on');
    const response = await strategies.turn('again', 'on');
    expect([response.statusCode, await typesOf(response)]).toEqual([200, []]);
    expect(await strategies.list('again')).toHaveLength(1);
  });

  test('adds the default strategy first if it has none', async () => {
    await strategies.feature('empty');
    const response = await strategies.turn('empty', 'on');
    const [strategy] = await strategies.list('empty');
    expect(strategy).toEqual({
      id: expect.any(String),
      featureName: 'empty',
      name: 'flexibleRollout',
      title: null,
      disabled: false,
      sortOrder: 0,
      constraints: [],
      variants: [],
      parameters: { rollout: '100', stickiness: 'default', groupId: 'empty' },
      segments: [],
    });
    expect(await recordedBy(app.db, response)).toMatchObject([
      {
        type: 'feature-strategy-add',
        project: 'default',
        environment: 'development',
        data: { id: strategy?.id, parameters: { groupId: 'empty' } },
        preData: null,
      },
      { type: 'feature-environment-enabled', environment: 'development' },
    ]);
  });

  test('adds the default strategy of the project in that environment, enabled', async () => {
    const { project, segment } = make(app.ask);
    await project('with-default');
    const { id } = await segment('of-default');
    const place = '/api/admin/projects/with-default/environments/production/default-strategy';
    const set = await app.ask(`POST ${place}`, {
      payload: {
        name: 'flexibleRollout',
        title: 'A tenth',
        disabled: true,
        sortOrder: 8,
        parameters: { rollout: '10' },
        constraints: [{ contextName: 'country', operator: 'IN', values: ['no'] }],
        segments: [id],
      },
    });
    expect(set.statusCode, set.body).toBe(200);
    await strategies.feature('defaulting', 'with-default');
    const where = { project: 'with-default', environment: 'production' };
    await strategies.turn('defaulting', 'on', '', where);
    expect(await strategies.list('defaulting', where)).toMatchObject([
      {
        title: 'A tenth',
        disabled: false,
        sortOrder: 0,
        parameters: { rollout: '10', stickiness: 'default', groupId: 'defaulting' },
        constraints: [{ contextName: 'country' }],
        segments: [id],
      },
    ]);
  });

  test('adds the default strategy after existing ones if all of them are disabled', async () => {
    await strategies.feature('all-disabled');
    const disabled = await strategies.added('all-disabled', { disabled: true, sortOrder: 3 });
    const response = await strategies.turn('all-disabled', 'on');
    expect(await typesOf(response)).toEqual([
      'feature-strategy-add',
      'feature-environment-enabled',
    ]);
    const listed = await strategies.list('all-disabled');
    expect(listed).toMatchObject([disabled, { disabled: false, sortOrder: 4 }]);
  });

  test('enables disabled strategies instead if requested', async () => {
    await strategies.feature('waking');
    const first = await strategies.added('waking', { disabled: true });
    const second = await strategies.added('waking');
    const third = await strategies.added('waking', { disabled: true });
    const response = await strategies.turn('waking', 'on', activating);
    const facts = { type: 'feature-strategy-update', environment: 'development' };
    expect(await recordedBy(app.db, response)).toMatchObject([
      {
        ...facts,
        data: { id: first.id, disabled: false },
        preData: { id: first.id, disabled: true },
      },
      {
        ...facts,
        data: { id: third.id, disabled: false },
        preData: { id: third.id, disabled: true },
      },
      { type: 'feature-environment-enabled' },
    ]);
    expect(await strategies.list('waking')).toEqual([
      { ...first, disabled: false },
      second,
      { ...third, disabled: false },
    ]);
  });

  test('enables disabled strategies even if the feature is already enabled', async () => {
    await strategies.feature('waking-on');
    await strategies.added('waking-on');
    await strategies.added('waking-on', { disabled: true });
    await strategies.turn('waking-on', 'on');
    const response = await strategies.turn('waking-on', 'on', activating);
    expect(await typesOf(response)).toEqual(['feature-strategy-update']);
    expect(await typesOf(await strategies.turn('waking-on', 'on', activating))).toEqual([]);
  });

  test('adds the default strategy if there is no strategy to enable', async () => {
    await strategies.feature('nothing-to-wake');
    const response = await strategies.turn('nothing-to-wake', 'on', activating);
    expect(await typesOf(response)).toEqual([
      'feature-strategy-add',
      'feature-environment-enabled',
    ]);
  });

  test('is rejected if there is no room for the default strategy', async () => {
    const featureStrategies = Array.from({ length: 30 }, () =>
      strategyOf('full', { disabled: true }),
    );
    const document = documentOf('full', { featureStrategies });
    await sent(app, 'import', document, { environment: 'development' });
    const response = await strategies.turn('full', 'on');
    expect([response.statusCode, response.json().name]).toEqual([403, 'InvalidOperationError']);
    expect(await strategies.isOn('full')).toBe(false);
    expect((await strategies.turn('full', 'on', activating)).statusCode).toBe(200);
  });

  test('returns 404 for an unknown feature or environment and 400 for an invalid query', async () => {
    await strategies.feature('here');
    expect((await strategies.turn('nosuch', 'on')).statusCode).toBe(404);
    expect((await strategies.turn('here', 'on', '', { environment: 'nosuch' })).statusCode).toBe(
      404,
    );
    expect((await strategies.turn('here', 'off', '', { environment: 'nosuch' })).statusCode).toBe(
      404,
    );
    const strange = await strategies.turn('here', 'on', '?shouldActivateDisabledStrategies=maybe');
    expect(strange.json().details).toMatchObject([
      { path: '/query/shouldActivateDisabledStrategies' },
    ]);
  });
});

describe('disabling a feature', () => {
  test('keeps its strategies, and records nothing if it is already disabled', async () => {
    await strategies.feature('leaving');
    await strategies.turn('leaving', 'on');
    const response = await strategies.turn('leaving', 'off');
    expect([response.statusCode, response.json()]).toEqual([
      200,
      await strategies.whole('leaving'),
    ]);
    expect(await recordedBy(app.db, response)).toEqual([
      {
        type: 'feature-environment-disabled',
        project: 'default',
        environment: 'development',
        data: null,
        preData: null,
      },
    ]);
    expect(await strategies.list('leaving')).toHaveLength(1);
    expect(await strategies.isOn('leaving')).toBe(false);
    expect(await typesOf(await strategies.turn('leaving', 'off'))).toEqual([]);
  });
});

describe('a feature that loses its last enabled strategy', () => {
  const switchedOff = 'feature-environment-disabled';

  test('is disabled when that strategy is removed', async () => {
    await strategies.feature('last-removed');
    const [first, second] = [
      await strategies.added('last-removed'),
      await strategies.added('last-removed'),
    ];
    await strategies.added('last-removed', { disabled: true });
    await strategies.turn('last-removed', 'on');
    const one = await strategies.remove('last-removed', first.id);
    expect(await typesOf(one)).toEqual(['feature-strategy-remove']);
    const last = await strategies.remove('last-removed', second.id);
    expect(await typesOf(last)).toEqual(['feature-strategy-remove', switchedOff]);
    expect(await strategies.isOn('last-removed')).toBe(false);
  });

  test('is disabled when that strategy is disabled with PUT or PATCH', async () => {
    await strategies.feature('last-disabled');
    const { id } = await strategies.added('last-disabled');
    await strategies.turn('last-disabled', 'on');
    const replaced = await strategies.replace('last-disabled', id, { disabled: true });
    expect(await typesOf(replaced)).toEqual(['feature-strategy-update', switchedOff]);
    await strategies.turn('last-disabled', 'on', activating);
    const patch = [{ op: 'replace', path: '/disabled', value: true }];
    const patched = await strategies.patch('last-disabled', id, patch);
    expect(await typesOf(patched)).toEqual(['feature-strategy-update', switchedOff]);
    expect(await strategies.isOn('last-disabled')).toBe(false);
  });

  test('is not changed if it is already disabled or the strategy was disabled', async () => {
    await strategies.feature('left-alone');
    const enabled = await strategies.added('left-alone');
    const disabled = await strategies.added('left-alone', { disabled: true });
    await strategies.turn('left-alone', 'on');
    await strategies.turn('left-alone', 'on', '', { environment: 'production' });
    expect(await typesOf(await strategies.remove('left-alone', disabled.id))).toEqual([
      'feature-strategy-remove',
    ]);
    await strategies.turn('left-alone', 'off');
    expect(await typesOf(await strategies.remove('left-alone', enabled.id))).toEqual([
      'feature-strategy-remove',
    ]);
    expect(await strategies.isOn('left-alone', { environment: 'production' })).toBe(true);
  });
});

describe('enabling and disabling in bulk', () => {
  const bulk = (state: string, features: unknown, environment = 'development') =>
    app.ask(`POST /api/admin/projects/default/bulk_features/environments/${environment}/${state}`, {
      payload: { features },
    });

  test('changes only features that need it, ordered by name', async () => {
    for (const name of ['bulk-c', 'bulk-a', 'bulk-b', 'bulk-d']) await strategies.feature(name);
    await strategies.added('bulk-a');
    await strategies.turn('bulk-d', 'on');
    const names = ['bulk-c', 'bulk-a', 'bulk-b', 'bulk-d', 'bulk-a'];
    const response = await bulk('on', names);
    expect([response.statusCode, response.body]).toEqual([200, '']);
    const recorded = await recordedAboutFeatures(app.db, response);
    expect(recorded.map(({ type, featureName }) => [type, featureName])).toEqual([
      ['feature-strategy-add', 'bulk-b'],
      ['feature-strategy-add', 'bulk-c'],
      ['feature-environment-enabled', 'bulk-a'],
      ['feature-environment-enabled', 'bulk-b'],
      ['feature-environment-enabled', 'bulk-c'],
    ]);
    expect(await strategies.list('bulk-b')).toMatchObject([{ parameters: { groupId: 'bulk-b' } }]);
    expect(await typesOf(await bulk('on', names))).toEqual([]);
    expect(await typesOf(await bulk('off', names))).toEqual(
      Array(4).fill('feature-environment-disabled'),
    );
    expect(await typesOf(await bulk('off', names))).toEqual([]);
  });

  test('changes nothing if one feature is unknown or the request is invalid', async () => {
    await strategies.feature('bulk-known');
    const before = await countEvents(app.db);
    for (const state of ['on', 'off']) {
      const response = await bulk(state, ['bulk-known', 'nosuch', 'neither']);
      expect(response.statusCode).toBe(400);
      expect(response.json().details).toMatchObject([
        { path: '/body/features/1' },
        { path: '/body/features/2' },
      ]);
      expect((await bulk(state, ['bulk-known'], 'nosuch')).statusCode).toBe(404);
      expect((await bulk(state, 'bulk-known')).statusCode).toBe(400);
      expect((await bulk(state, Array(1001).fill('bulk-known'))).statusCode).toBe(400);
    }
    expect(await strategies.isOn('bulk-known')).toBe(false);
    expect(await countEvents(app.db)).toBe(before);
  });

  test('accepts an empty list', async () => {
    expect((await bulk('on', [])).statusCode).toBe(200);
    expect((await bulk('off', [])).statusCode).toBe(200);
  });

  test('enables disabled strategies of all features if requested', async () => {
    for (const name of ['bulk-x', 'bulk-y']) {
      await strategies.feature(name);
      await strategies.added(name, { disabled: true });
    }
    const path = '/api/admin/projects/default/bulk_features/environments/development/on';
    const response = await app.ask(`POST ${path}${activating}`, {
      payload: { features: ['bulk-y', 'bulk-x'] },
    });
    expect(await typesOf(response)).toEqual([
      'feature-strategy-update',
      'feature-strategy-update',
      'feature-environment-enabled',
      'feature-environment-enabled',
    ]);
  });
});

test('reading an environment of an unknown feature, project or environment returns 404', async () => {
  await strategies.feature('looked-at');
  await make(app.ask).project('elsewhere');
  for (const path of [
    featureEnvironmentPath('nosuch'),
    featureEnvironmentPath('looked-at', { environment: 'nosuch' }),
    featureEnvironmentPath('looked-at', { project: 'elsewhere' }),
    featureEnvironmentPath('looked-at', { project: 'nosuch' }),
  ]) {
    expect((await app.ask(`GET ${path}`)).statusCode).toBe(404);
  }
});
