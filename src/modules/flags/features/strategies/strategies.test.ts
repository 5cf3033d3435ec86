import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../../test/support/app.ts';
import { documentOf, sent, strategyOf } from '../../../../../test/support/import-export.ts';
import { make } from '../../../../../test/support/make.ts';
import { countEvents, recordedBy } from '../../../../../test/support/recorded.ts';
import { featureEnvironmentPath, strategiesOn } from '../../../../../test/support/strategies.ts';
import { tickingClock } from '../../../../../test/support/ticking-clock.ts';

let app: TestApp;
let strategies: ReturnType<typeof strategiesOn>;
beforeAll(async () => {
  // Strategies with the same sort order are sorted by age, and two requests can start in the same millisecond.
  app = await testApp({ clock: tickingClock() });
  strategies = strategiesOn(app);
});

const rollout = (groupId: string, more: object = {}) => ({
  rollout: '100',
  stickiness: 'default',
  groupId,
  ...more,
});
const bare = { disabled: false, constraints: [], variants: [], segments: [] };
const factsOf = ({ featureName, ...strategy }: { featureName: string }) => ({
  title: null,
  ...strategy,
});
const pathsOf = (response: { json: () => { details: { path: string }[] } }) =>
  response.json().details.map(({ path }) => path);

describe('adding a strategy', () => {
  test('returns it with an id, default parameters and a sort order, and records it', async () => {
    await strategies.feature('first');
    const response = await strategies.add('first');
    expect(response.statusCode).toBe(200);
    const strategy = response.json();
    expect(strategy).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      featureName: 'first',
      name: 'flexibleRollout',
      title: null,
      sortOrder: 0,
      parameters: rollout('first'),
      ...bare,
    });
    expect(await strategies.list('first')).toEqual([strategy]);
    expect(await recordedBy(app.db, response)).toEqual([
      {
        type: 'feature-strategy-add',
        project: 'default',
        environment: 'development',
        data: factsOf(strategy),
        preData: null,
      },
    ]);
  });

  test('records the tags of the feature, as other changes of strategies do', async () => {
    const tags = [{ type: 'simple', value: 'billing' }];
    await make(app.ask).feature('tagged', { tags });
    const { id } = await strategies.added('tagged');
    await strategies.added('tagged');
    await strategies.replace('tagged', id, { title: 'New' });
    await strategies.order('tagged', [{ id, sortOrder: 9 }]);
    await strategies.turn('tagged', 'on');
    await strategies.remove('tagged', id);
    const recorded = await app.db
      .selectFrom('events')
      .where('type', 'like', '%strategy%')
      .where('feature_name', '=', 'tagged')
      .select(['type', 'environment', 'tags'])
      .orderBy('id')
      .execute();
    expect(recorded).toEqual(
      [
        'feature-strategy-add',
        'feature-strategy-add',
        'feature-strategy-update',
        'strategy-order-changed',
        'feature-strategy-remove',
      ].map((type) => ({ type, environment: 'development', tags })),
    );
  });

  test('stores everything that was sent, numbers and booleans as text, and drops unknown properties', async () => {
    await strategies.feature('whole');
    const { id: segment } = await make(app.ask).segment('whole-segment');
    const response = await strategies.add('whole', {
      id: 'mine',
      unknown: 1,
      title: 'Half of Norway',
      disabled: true,
      sortOrder: 7,
      parameters: { rollout: 50, stickiness: 'userId', groupId: 'shared', sticky: true },
      constraints: [{ contextName: 'country', operator: 'IN', values: ['no'], unknown: 1 }],
      variants: [
        { name: 'a', weight: 1, weightType: 'variable', stickiness: 'default' },
        {
          name: 'b',
          weight: 250,
          weightType: 'fix',
          stickiness: 'default',
          payload: { type: 'string', value: 'x' },
        },
      ],
      segments: [segment, segment],
    });
    expect(response.statusCode, response.body).toBe(200);
    const strategy = response.json();
    expect(strategy).toEqual({
      id: expect.not.stringMatching('mine'),
      featureName: 'whole',
      name: 'flexibleRollout',
      title: 'Half of Norway',
      disabled: true,
      sortOrder: 7,
      parameters: { rollout: '50', stickiness: 'userId', groupId: 'shared', sticky: 'true' },
      constraints: [
        {
          contextName: 'country',
          operator: 'IN',
          caseInsensitive: false,
          inverted: false,
          values: ['no'],
        },
      ],
      variants: [
        { name: 'a', weight: 750, weightType: 'variable', stickiness: 'default' },
        {
          name: 'b',
          weight: 250,
          weightType: 'fix',
          stickiness: 'default',
          payload: { type: 'string', value: 'x' },
        },
      ],
      segments: [segment],
    });
    expect(await strategies.list('whole')).toEqual([strategy]);
    expect(await recordedBy(app.db, response)).toMatchObject([{ data: factsOf(strategy) }]);
  });

  test('keeps the parameters of other types unchanged', async () => {
    await strategies.feature('other-type');
    const parameters = { IPs: '127.0.0.1', __proto__own: 'x', 'line\nbreak': 'y' };
    const strategy = await strategies.added('other-type', { name: 'remoteAddress', parameters });
    expect(strategy.parameters).toEqual(parameters);
    expect((await strategies.added('other-type', { name: 'default' })).parameters).toEqual({});
  });

  test('uses the stickiness of the project, and keeps an empty groupId', async () => {
    await make(app.ask).project('sticky', { defaultStickiness: 'sessionId' });
    await strategies.feature('sticking', 'sticky');
    const where = { project: 'sticky' };
    const strategy = await strategies.added(
      'sticking',
      { parameters: { rollout: 0, stickiness: '', groupId: '' } },
      where,
    );
    expect(strategy.parameters).toEqual({
      rollout: '0',
      stickiness: 'sessionId',
      groupId: '',
    });
  });

  test('appends it unless it has a sort order, and sorts equal sort orders by age', async () => {
    await strategies.feature('placed');
    const ids = [];
    for (const more of [{}, { sortOrder: 5 }, {}, { sortOrder: 0 }, { sortOrder: 6 }]) {
      ids.push((await strategies.added('placed', more)).id);
    }
    const listed = await strategies.list('placed');
    expect(listed.map(({ sortOrder }) => sortOrder)).toEqual([0, 0, 5, 6, 6]);
    expect(listed.map(({ id }) => id)).toEqual([ids[0], ids[3], ids[1], ids[2], ids[4]]);
  });

  test('appends it even after the highest possible sort order', async () => {
    await strategies.feature('far');
    await strategies.added('far', { sortOrder: 2_147_483_647 });
    expect((await strategies.added('far')).sortOrder).toBe(2_147_483_647);
    expect((await strategies.add('far', { sortOrder: 2_147_483_648 })).statusCode).toBe(400);
  });

  test('affects only one environment', async () => {
    await strategies.feature('one-environment');
    await strategies.added('one-environment');
    expect(await strategies.list('one-environment', { environment: 'production' })).toEqual([]);
  });

  test('is rejected if there are already thirty', async () => {
    const featureStrategies = Array.from({ length: 30 }, () => strategyOf('thirty'));
    const document = documentOf('thirty', { featureStrategies });
    await sent(app, 'import', document, { environment: 'development' });
    const response = await strategies.add('thirty', { name: 'default' });
    expect(response.statusCode).toBe(403);
    expect(response.json()).toMatchObject({
      name: 'InvalidOperationError',
      message: expect.stringContaining('at most 30'),
    });
    expect(await strategies.list('thirty')).toHaveLength(30);
    const elsewhere = await strategies.add('thirty', {}, { environment: 'production' });
    expect(elsewhere.statusCode).toBe(200);
  });

  test('returns 400 with all validation errors of the body', async () => {
    await strategies.feature('faulty');
    const before = await countEvents(app.db);
    const response = await strategies.add('faulty', {
      name: 7,
      title: 'x'.repeat(10_001),
      disabled: 'no',
      sortOrder: -1,
      parameters: { rollout: 101 },
      constraints: [{ contextName: '', operator: 'LIKE' }],
      variants: [{ name: 'a' }],
      segments: ['1'],
    });
    expect(response.statusCode).toBe(400);
    expect(new Set(pathsOf(response))).toEqual(
      new Set([
        '/body/name',
        '/body/title',
        '/body/disabled',
        '/body/sortOrder',
        '/body/parameters/rollout',
        '/body/constraints/0/contextName',
        '/body/constraints/0/operator',
        '/body/variants/0/weight',
        '/body/variants/0/weightType',
        '/body/variants/0/stickiness',
        '/body/segments/0',
      ]),
    );
    expect(await strategies.list('faulty')).toEqual([]);
    expect(await countEvents(app.db)).toBe(before);
  });

  test('returns 400 with all errors that only the database can find', async () => {
    await strategies.feature('unknown-things');
    const legalValues = [{ value: 'no' }, { value: 'se' }];
    await app.ask('POST /api/admin/context', { payload: { name: 'realm', legalValues } });
    const response = await strategies.add('unknown-things', {
      name: 'nosuch',
      constraints: [
        { contextName: 'realm', operator: 'IN', values: ['no', 'dk'] },
        { contextName: 'anything', operator: 'IN', values: ['dk'] },
      ],
      segments: [999_999],
    });
    expect(response.statusCode).toBe(400);
    expect(pathsOf(response)).toEqual([
      '/body/name',
      '/body/constraints/0/values/1',
      '/body/segments/0',
    ]);
  });

  test('rejects a segment of another project', async () => {
    await strategies.feature('own-segments');
    await make(app.ask).project('segment-owner');
    const { id } = await make(app.ask).segment('foreign', { project: 'segment-owner' });
    const response = await strategies.add('own-segments', { segments: [id] });
    expect([response.statusCode, ...pathsOf(response)]).toEqual([400, '/body/segments/0']);
  });

  test.each([
    ['/body/constraints', { constraints: Array(31).fill({ contextName: 'x', operator: 'IN' }) }],
    [
      '/body/constraints/0/values',
      { constraints: [{ contextName: 'x', operator: 'IN', values: Array(251).fill('x') }] },
    ],
    ['/body/segments', { segments: Array(21).fill(1) }],
    ['/body/parameters', { parameters: [] }],
    ['/body/parameters/rollout', { parameters: { rollout: '50.5' } }],
    ['/body/parameters/groupId', { parameters: { groupId: null } }],
    ['/body', null],
    ['/body', []],
  ])('returns 400 for an error at %s', async (path, more) => {
    const payload = more && !Array.isArray(more) ? { name: 'flexibleRollout', ...more } : more;
    const response = await app.ask(`POST ${featureEnvironmentPath('faulty')}/strategies`, {
      payload: JSON.stringify(payload),
      headers: { 'content-type': 'application/json' },
    });
    expect([response.statusCode, ...pathsOf(response)]).toEqual([400, path]);
  });

  test('returns 404 for an unknown feature, environment or project', async () => {
    await strategies.feature('somewhere');
    const refused = await Promise.all([
      strategies.add('nosuch'),
      strategies.add('somewhere', {}, { environment: 'nosuch' }),
      strategies.add('somewhere', {}, { project: 'nosuch' }),
    ]);
    expect(refused.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404]);
    expect(refused.map((response) => response.json().message)).toEqual([
      "Feature 'nosuch' not found",
      "Environment 'nosuch' not found",
      "Project 'nosuch' not found",
    ]);
    await make(app.ask).project('not-its-home');
    const elsewhere = await strategies.add('somewhere', {}, { project: 'not-its-home' });
    expect(elsewhere.json().message).toBe("Feature 'somewhere' not found");
  });
});

describe('reading strategies', () => {
  test('returns one by its id, only in its feature and environment', async () => {
    await strategies.feature('read');
    await strategies.feature('read-other');
    const strategy = await strategies.added('read', { title: 'x' });
    const get = (feature: string, id: string, environment = 'development') =>
      app.ask(`GET ${featureEnvironmentPath(feature, { environment })}/strategies/${id}`);
    expect((await get('read', strategy.id)).json()).toEqual(strategy);
    for (const wrong of [
      get('read', 'nosuch'),
      get('read', strategy.id, 'production'),
      get('read-other', strategy.id),
      get('nosuch', strategy.id),
    ]) {
      expect((await wrong).statusCode).toBe(404);
    }
  });

  test('works for an archived feature, but changing them returns 404', async () => {
    await strategies.feature('asleep');
    const strategy = await strategies.added('asleep');
    const archived = await app.ask('DELETE /api/admin/projects/default/features/asleep');
    expect(archived.statusCode).toBe(202);
    expect(await strategies.list('asleep')).toEqual([strategy]);
    const refused = await Promise.all([
      strategies.add('asleep'),
      strategies.replace('asleep', strategy.id, {}),
      strategies.patch('asleep', strategy.id, []),
      strategies.remove('asleep', strategy.id),
      strategies.order('asleep', []),
      strategies.turn('asleep', 'on'),
      strategies.turn('asleep', 'off'),
    ]);
    expect(refused.map(({ statusCode }) => statusCode)).toEqual(Array(7).fill(404));
  });
});

describe('removing a strategy', () => {
  test('records it with its segments and keeps the others', async () => {
    await strategies.feature('losing');
    const { id: segment } = await make(app.ask).segment('losing-segment');
    const strategy = await strategies.added('losing', { segments: [segment], title: 'Going' });
    const other = await strategies.added('losing');
    const response = await strategies.remove('losing', strategy.id);
    expect([response.statusCode, response.body]).toEqual([200, '']);
    expect(await strategies.list('losing')).toEqual([other]);
    expect(await recordedBy(app.db, response)).toEqual([
      {
        type: 'feature-strategy-remove',
        project: 'default',
        environment: 'development',
        data: null,
        preData: factsOf(strategy),
      },
    ]);
    const again = await strategies.remove('losing', strategy.id);
    expect(again.statusCode).toBe(404);
    expect(await recordedBy(app.db, again)).toEqual([]);
  });

  test('returns 404 for a strategy of another feature or environment', async () => {
    await strategies.feature('keeping');
    await strategies.feature('keeping-other');
    const strategy = await strategies.added('keeping');
    const elsewhere = { environment: 'production' };
    expect((await strategies.remove('keeping', strategy.id, elsewhere)).statusCode).toBe(404);
    expect((await strategies.remove('keeping-other', strategy.id)).statusCode).toBe(404);
    expect(await strategies.list('keeping')).toEqual([strategy]);
  });
});
