import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../../../test/support/app.ts';
import { limitedApp } from '../../../../../../test/support/limited-app.ts';
import { make } from '../../../../../../test/support/make.ts';
import { recordedBy } from '../../../../../../test/support/recorded.ts';
import { strategiesOn } from '../../../../../../test/support/strategies.ts';
import { strategyVariant } from '../../../../../../test/support/variants.ts';

let app: TestApp;
let strategies: ReturnType<typeof strategiesOn>;
beforeAll(async () => {
  app = await testApp();
  strategies = strategiesOn(app);
});

const pathsOf = (response: { json: () => { details: { path: string }[] } }) =>
  response.json().details.map(({ path }) => path);

async function threeOf(feature: string) {
  await strategies.feature(feature);
  const ids: string[] = [];
  for (let nth = 0; nth < 3; nth += 1) ids.push((await strategies.added(feature)).id);
  return ids as [string, string, string];
}

describe('ordering strategies', () => {
  beforeAll(() => strategies.feature('ordered-badly'));

  test('stores the sort orders and records the order before and after', async () => {
    const [a, b, c] = await threeOf('ordered');
    const response = await strategies.order('ordered', [
      { id: c, sortOrder: 0 },
      { id: a, sortOrder: 20 },
    ]);
    expect([response.statusCode, response.body]).toEqual([200, '']);
    const listed = await strategies.list('ordered');
    expect(listed.map(({ id, sortOrder }) => [id, sortOrder])).toEqual([
      [c, 0],
      [b, 1],
      [a, 20],
    ]);
    expect(await recordedBy(app.db, response)).toEqual([
      {
        type: 'strategy-order-changed',
        project: 'default',
        environment: 'development',
        data: { strategyIds: [c, b, a], sortOrders: [0, 1, 20] },
        preData: { strategyIds: [a, b, c], sortOrders: [0, 1, 2] },
      },
    ]);
  });

  test('records changed sort orders even if the sequence stays the same, but only once', async () => {
    const [a, b, c] = await threeOf('spread');
    const places = [a, b, c].map((id, index) => ({ id, sortOrder: (index + 1) * 10 }));
    const response = await strategies.order('spread', places);
    expect(await recordedBy(app.db, response)).toMatchObject([
      { data: { strategyIds: [a, b, c], sortOrders: [10, 20, 30] } },
    ]);
    const listed = await strategies.list('spread');
    expect(listed.map(({ sortOrder }) => sortOrder)).toEqual([10, 20, 30]);
    for (const nothing of [places, []]) {
      const again = await strategies.order('spread', nothing);
      expect([again.statusCode, await recordedBy(app.db, again)]).toEqual([200, []]);
    }
  });

  test('accepts only strategies of the feature and environment, each once', async () => {
    const [a] = await threeOf('well-ordered');
    const [foreign] = await threeOf('other-ordered');
    const elsewhere = await strategies.added('well-ordered', {}, { environment: 'production' });
    const before = await strategies.list('well-ordered');
    const unknown = await strategies.order('well-ordered', [
      { id: a, sortOrder: 9 },
      { id: foreign, sortOrder: 1 },
      { id: 'nosuch', sortOrder: 1 },
      { id: elsewhere.id, sortOrder: 1 },
    ]);
    expect([unknown.statusCode, ...pathsOf(unknown)]).toEqual([
      400,
      '/body/1/id',
      '/body/2/id',
      '/body/3/id',
    ]);
    const twice = await strategies.order('well-ordered', [
      { id: a, sortOrder: 9 },
      { id: a, sortOrder: 8 },
    ]);
    expect([twice.statusCode, ...pathsOf(twice)]).toEqual([400, '/body/1/id']);
    expect(await strategies.list('well-ordered')).toEqual(before);
  });

  test.each([
    ['/body', {}],
    ['/body', Array(101).fill({ id: 'x', sortOrder: 1 })],
    ['/body/0', [null]],
    ['/body/0/id', [{ sortOrder: 1 }]],
    ['/body/0/sortOrder', [{ id: 'x' }]],
    ['/body/0/sortOrder', [{ id: 'x', sortOrder: 1.5 }]],
    ['/body/0/sortOrder', [{ id: 'x', sortOrder: -1 }]],
    ['/body/0/sortOrder', [{ id: 'x', sortOrder: 2_147_483_648 }]],
    ['/body/0/sortOrder', [{ id: 'x', sortOrder: '1' }]],
  ])('returns 400 for an error at %s', async (path, payload) => {
    const response = await strategies.order('ordered-badly', payload as object[]);
    expect(response.statusCode).toBe(400);
    expect(pathsOf(response)).toContain(path);
  });
});

describe('setting the segments of a strategy', () => {
  const set = (strategyId: string, segmentIds: unknown, more: object = {}, ask = app.ask) =>
    ask('POST /api/admin/segments/strategies', {
      payload: {
        projectId: 'default',
        environmentId: 'development',
        strategyId,
        segmentIds,
        additional: 'ignored',
        ...more,
      },
    });

  test('does not change the weights of its variants', async () => {
    await strategies.feature('segmented-variants');
    const { id } = await make(app.ask).segment('segmented-variants');
    const variants = ['c', 'b', 'a'].map((name) => strategyVariant(name));
    const before = await strategies.added('segmented-variants', { variants });
    expect(before.variants.map(({ weight }) => weight)).toEqual([333, 333, 334]);
    expect((await set(before.id, [id])).statusCode).toBe(201);
    expect(await strategies.list('segmented-variants')).toEqual([{ ...before, segments: [id] }]);
  });

  test('replaces them and records the change of the strategy', async () => {
    await strategies.feature('segmented');
    const first = await make(app.ask).segment('segmented-first');
    const second = await make(app.ask).segment('segmented-second');
    const before = await strategies.added('segmented', { segments: [first.id], title: 'Kept' });
    const response = await set(before.id, [second.id]);
    expect(response.statusCode, response.body).toBe(201);
    expect(response.json()).toEqual({
      projectId: 'default',
      environmentId: 'development',
      strategyId: before.id,
      segmentIds: [second.id],
    });
    expect(await strategies.list('segmented')).toEqual([{ ...before, segments: [second.id] }]);
    expect(await recordedBy(app.db, response)).toMatchObject([
      {
        type: 'feature-strategy-update',
        project: 'default',
        environment: 'development',
        data: { title: 'Kept', segments: [second.id] },
        preData: { title: 'Kept', segments: [first.id] },
      },
    ]);
    const again = await set(before.id, [second.id]);
    expect([again.statusCode, await recordedBy(app.db, again)]).toEqual([201, []]);
    await set(before.id, []);
    expect(await strategies.list('segmented')).toMatchObject([{ segments: [] }]);
  });

  test('rejects unknown segments and strategies', async () => {
    await strategies.feature('unsegmented');
    await make(app.ask).project('other-segments');
    const strategy = await strategies.added('unsegmented');
    const foreign = await make(app.ask).segment('foreign-segment', { project: 'other-segments' });
    const wrong = await set(strategy.id, [999_999, foreign.id]);
    expect([wrong.statusCode, ...pathsOf(wrong)]).toEqual([
      400,
      '/body/segmentIds/0',
      '/body/segmentIds/1',
    ]);
    for (const more of [
      { projectId: 'nosuch' },
      { projectId: 'other-segments' },
      { environmentId: 'production' },
      { strategyId: 'nosuch' },
    ]) {
      const response = await set(strategy.id, [], more);
      expect([response.statusCode, ...pathsOf(response)]).toEqual([400, '/body/strategyId']);
    }
    const malformed = await set(7 as unknown as string, ['1']);
    expect(pathsOf(malformed)).toEqual(['/body/strategyId', '/body/segmentIds/0']);
    expect((await set(strategy.id, Array(21).fill(1))).statusCode).toBe(400);
  });

  test('requires UPDATE_FEATURE_STRATEGY in the environment and a visible project', async () => {
    await strategies.feature('guarded-segments');
    const strategy = await strategies.added('guarded-segments');
    const elsewhere = limitedApp(app, {
      may: (permission, project, environment) =>
        permission === 'none' ||
        project === undefined ||
        (project === 'default' && environment === 'production'),
    });
    const refused = await set(strategy.id, [], {}, elsewhere.ask);
    expect([refused.statusCode, refused.json().message]).toEqual([
      403,
      "You need the UPDATE_FEATURE_STRATEGY permission in the environment 'development' to do this",
    ]);
    const blind = limitedApp(app, { may: () => true, sees: new Set(['other']) });
    const unknown = await set(strategy.id, [], {}, blind.ask);
    expect([unknown.statusCode, ...pathsOf(unknown)]).toEqual([400, '/body/strategyId']);
  });
});

test('strategies cloned together keep their order and none is dated in the future', async () => {
  let now = Date.parse('2031-05-01T11:00:00.000Z');
  const still = await testApp({ clock: () => new Date(now) });
  const { feature, strategy } = make(still.ask);
  await feature('original');
  for (const title of ['first', 'second', 'third']) {
    now += 60_000;
    await strategy('original', { title, sortOrder: 7 });
  }
  now = Date.parse('2031-05-01T12:00:00.000Z');
  const response = await still.ask('POST /api/admin/projects/default/features/original/clone', {
    payload: { name: 'copy' },
  });
  expect(response.statusCode, response.body).toBe(200);
  const copied = await still.db
    .selectFrom('feature_strategies')
    .where('feature_name', '=', 'copy')
    .select(['title', 'created_at as at'])
    .orderBy('created_at')
    .execute();
  expect(copied.map(({ title, at }) => [title, at.toISOString().slice(17)])).toEqual([
    ['first', '59.998Z'],
    ['second', '59.999Z'],
    ['third', '00.000Z'],
  ]);
});
