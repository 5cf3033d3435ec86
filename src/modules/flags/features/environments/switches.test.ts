import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../../test/support/app.ts';
import { make } from '../../../../../test/support/make.ts';
import { countEvents, recordedBy } from '../../../../../test/support/recorded.ts';
import { recordedAboutFeatures } from '../../../../../test/support/recorded-features.ts';
import { placePath, strategiesOn } from '../../../../../test/support/strategies.ts';

let on: TestApp;
let of: ReturnType<typeof strategiesOn>;
beforeAll(async () => {
  on = await testApp();
  of = strategiesOn(on);
});

const typesOf = async (response: Parameters<typeof recordedBy>[1]) =>
  (await recordedBy(on.db, response)).map(({ type }) => type);
const activating = '?shouldActivateDisabledStrategies=true';

describe('switching a feature on', () => {
  test('that has an enabled strategy records only that', async () => {
    await of.feature('ready');
    await of.added('ready');
    const response = await of.turn('ready', 'on');
    expect([response.statusCode, response.json()]).toEqual([200, await of.whole('ready')]);
    expect(response.json()).toMatchObject({ name: 'ready', enabled: true });
    expect(await recordedBy(on.db, response)).toEqual([
      {
        type: 'feature-environment-enabled',
        project: 'default',
        environment: 'development',
        data: null,
        preData: null,
      },
    ]);
    expect(await of.isOn('ready')).toBe(true);
    expect(await of.isOn('ready', { environment: 'production' })).toBe(false);
  });

  test('that is on already records nothing', async () => {
    await of.feature('again');
    await of.turn('again', 'on');
    const response = await of.turn('again', 'on');
    expect([response.statusCode, await typesOf(response)]).toEqual([200, []]);
    expect(await of.list('again')).toHaveLength(1);
  });

  test('that has no strategy adds the usual one first', async () => {
    await of.feature('empty');
    const response = await of.turn('empty', 'on');
    const [strategy] = await of.list('empty');
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
    expect(await recordedBy(on.db, response)).toMatchObject([
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

  test('takes the default strategy of the project in that environment, enabled', async () => {
    const { project, segment } = make(on.ask);
    await project('with-default');
    const { id } = await segment('of-default');
    const place = '/api/admin/projects/with-default/environments/production/default-strategy';
    const set = await on.ask(`POST ${place}`, {
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
    await of.feature('defaulting', 'with-default');
    const where = { project: 'with-default', environment: 'production' };
    await of.turn('defaulting', 'on', '', where);
    expect(await of.list('defaulting', where)).toMatchObject([
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

  test('whose strategies are all disabled adds the usual one behind them', async () => {
    await of.feature('all-disabled');
    const disabled = await of.added('all-disabled', { disabled: true, sortOrder: 3 });
    const response = await of.turn('all-disabled', 'on');
    expect(await typesOf(response)).toEqual([
      'feature-strategy-add',
      'feature-environment-enabled',
    ]);
    const listed = await of.list('all-disabled');
    expect(listed).toMatchObject([disabled, { disabled: false, sortOrder: 4 }]);
  });

  test('enables disabled strategies instead when asked to', async () => {
    await of.feature('waking');
    const first = await of.added('waking', { disabled: true });
    const second = await of.added('waking');
    const third = await of.added('waking', { disabled: true });
    const response = await of.turn('waking', 'on', activating);
    const facts = { type: 'feature-strategy-update', environment: 'development' };
    expect(await recordedBy(on.db, response)).toMatchObject([
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
    expect(await of.list('waking')).toEqual([
      { ...first, disabled: false },
      second,
      { ...third, disabled: false },
    ]);
  });

  test('enables them when it is on already, too', async () => {
    await of.feature('waking-on');
    await of.added('waking-on');
    await of.added('waking-on', { disabled: true });
    await of.turn('waking-on', 'on');
    const response = await of.turn('waking-on', 'on', activating);
    expect(await typesOf(response)).toEqual(['feature-strategy-update']);
    expect(await typesOf(await of.turn('waking-on', 'on', activating))).toEqual([]);
  });

  test('adds the usual strategy when there is none to enable', async () => {
    await of.feature('nothing-to-wake');
    const response = await of.turn('nothing-to-wake', 'on', activating);
    expect(await typesOf(response)).toEqual([
      'feature-strategy-add',
      'feature-environment-enabled',
    ]);
  });

  test('is refused when there is no room for the usual strategy', async () => {
    await of.feature('full');
    for (let nth = 0; nth < 30; nth += 1) await of.added('full', { disabled: true });
    const response = await of.turn('full', 'on');
    expect([response.statusCode, response.json().name]).toEqual([403, 'InvalidOperationError']);
    expect(await of.isOn('full')).toBe(false);
    expect((await of.turn('full', 'on', activating)).statusCode).toBe(200);
  });

  test('that does not exist, or where it cannot be, answers 404; a strange wish 400', async () => {
    await of.feature('here');
    expect((await of.turn('nosuch', 'on')).statusCode).toBe(404);
    expect((await of.turn('here', 'on', '', { environment: 'nosuch' })).statusCode).toBe(404);
    expect((await of.turn('here', 'off', '', { environment: 'nosuch' })).statusCode).toBe(404);
    const strange = await of.turn('here', 'on', '?shouldActivateDisabledStrategies=maybe');
    expect(strange.json().details).toMatchObject([
      { path: '/query/shouldActivateDisabledStrategies' },
    ]);
  });
});

describe('switching a feature off', () => {
  test('keeps its strategies, and records nothing when it is off', async () => {
    await of.feature('leaving');
    await of.turn('leaving', 'on');
    const response = await of.turn('leaving', 'off');
    expect([response.statusCode, response.json()]).toEqual([200, await of.whole('leaving')]);
    expect(await recordedBy(on.db, response)).toEqual([
      {
        type: 'feature-environment-disabled',
        project: 'default',
        environment: 'development',
        data: null,
        preData: null,
      },
    ]);
    expect(await of.list('leaving')).toHaveLength(1);
    expect(await of.isOn('leaving')).toBe(false);
    expect(await typesOf(await of.turn('leaving', 'off'))).toEqual([]);
  });
});

describe('a feature that loses its last enabled strategy', () => {
  const switchedOff = 'feature-environment-disabled';

  test('is switched off when it is removed', async () => {
    await of.feature('last-removed');
    const [first, second] = [await of.added('last-removed'), await of.added('last-removed')];
    await of.added('last-removed', { disabled: true });
    await of.turn('last-removed', 'on');
    const one = await of.remove('last-removed', first.id);
    expect(await typesOf(one)).toEqual(['feature-strategy-remove']);
    const last = await of.remove('last-removed', second.id);
    expect(await typesOf(last)).toEqual(['feature-strategy-remove', switchedOff]);
    expect(await of.isOn('last-removed')).toBe(false);
  });

  test('is switched off when it is disabled, by PUT or by PATCH', async () => {
    await of.feature('last-disabled');
    const { id } = await of.added('last-disabled');
    await of.turn('last-disabled', 'on');
    const replaced = await of.replace('last-disabled', id, { disabled: true });
    expect(await typesOf(replaced)).toEqual(['feature-strategy-update', switchedOff]);
    await of.turn('last-disabled', 'on', activating);
    const patch = [{ op: 'replace', path: '/disabled', value: true }];
    const patched = await of.patch('last-disabled', id, patch);
    expect(await typesOf(patched)).toEqual(['feature-strategy-update', switchedOff]);
    expect(await of.isOn('last-disabled')).toBe(false);
  });

  test('is left alone when it is off, or loses one that was disabled', async () => {
    await of.feature('left-alone');
    const enabled = await of.added('left-alone');
    const disabled = await of.added('left-alone', { disabled: true });
    await of.turn('left-alone', 'on');
    await of.turn('left-alone', 'on', '', { environment: 'production' });
    expect(await typesOf(await of.remove('left-alone', disabled.id))).toEqual([
      'feature-strategy-remove',
    ]);
    await of.turn('left-alone', 'off');
    expect(await typesOf(await of.remove('left-alone', enabled.id))).toEqual([
      'feature-strategy-remove',
    ]);
    expect(await of.isOn('left-alone', { environment: 'production' })).toBe(true);
  });
});

describe('switching many', () => {
  const bulk = (state: string, features: unknown, environment = 'development') =>
    on.ask(`POST /api/admin/projects/default/bulk_features/environments/${environment}/${state}`, {
      payload: { features },
    });

  test('switches each that is not there yet, in the order of their names', async () => {
    for (const name of ['bulk-c', 'bulk-a', 'bulk-b', 'bulk-d']) await of.feature(name);
    await of.added('bulk-a');
    await of.turn('bulk-d', 'on');
    const names = ['bulk-c', 'bulk-a', 'bulk-b', 'bulk-d', 'bulk-a'];
    const response = await bulk('on', names);
    expect([response.statusCode, response.body]).toEqual([200, '']);
    const recorded = await recordedAboutFeatures(on.db, response);
    expect(recorded.map(({ type, featureName }) => [type, featureName])).toEqual([
      ['feature-strategy-add', 'bulk-b'],
      ['feature-strategy-add', 'bulk-c'],
      ['feature-environment-enabled', 'bulk-a'],
      ['feature-environment-enabled', 'bulk-b'],
      ['feature-environment-enabled', 'bulk-c'],
    ]);
    expect(await of.list('bulk-b')).toMatchObject([{ parameters: { groupId: 'bulk-b' } }]);
    expect(await typesOf(await bulk('on', names))).toEqual([]);
    expect(await typesOf(await bulk('off', names))).toEqual(
      Array(4).fill('feature-environment-disabled'),
    );
    expect(await typesOf(await bulk('off', names))).toEqual([]);
  });

  test('is all or nothing', async () => {
    await of.feature('bulk-known');
    const before = await countEvents(on.db);
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
    expect(await of.isOn('bulk-known')).toBe(false);
    expect(await countEvents(on.db)).toBe(before);
  });

  test('of nobody changes nothing', async () => {
    expect((await bulk('on', [])).statusCode).toBe(200);
    expect((await bulk('off', [])).statusCode).toBe(200);
  });

  test('enables disabled strategies of all when asked to', async () => {
    for (const name of ['bulk-x', 'bulk-y']) {
      await of.feature(name);
      await of.added(name, { disabled: true });
    }
    const path = '/api/admin/projects/default/bulk_features/environments/development/on';
    const response = await on.ask(`POST ${path}${activating}`, {
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

test('reading an environment of what is not there answers 404', async () => {
  await of.feature('looked-at');
  await make(on.ask).project('elsewhere');
  for (const path of [
    placePath('nosuch'),
    placePath('looked-at', { environment: 'nosuch' }),
    placePath('looked-at', { project: 'elsewhere' }),
    placePath('looked-at', { project: 'nosuch' }),
  ]) {
    expect((await on.ask(`GET ${path}`)).statusCode).toBe(404);
  }
});
