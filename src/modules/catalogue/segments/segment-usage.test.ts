import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testActor, testApp } from '../../../../test/support/app.ts';
import { limitedApp } from '../../../../test/support/limited-app.ts';
import { askedDuring } from '../../../../test/support/locks.ts';
import { make } from '../../../../test/support/make.ts';
import { countEvents, recordedBy } from '../../../../test/support/recorded.ts';
import { setDefaultStrategy } from '../projects/index.ts';
import { removeSegmentsOf, segmentFaults } from './index.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
  await make(app.ask).project('shop');
  await make(app.ask).project('bank');
});

const segments = '/api/admin/segments';
const projects = '/api/admin/projects';

const segment = async (name: string, more: object = {}) =>
  (await make(app.ask).segment(name, more)).id;
const read = async (id: number, reader = app) => (await reader.ask(`GET ${segments}/${id}`)).json();
const remove = (id: number, actor = app) => actor.ask(`DELETE ${segments}/${id}`);
const setDefault = (project: string, ids: number[], environment = 'production') =>
  app.ask(`POST ${projects}/${project}/environments/${environment}/default-strategy`, {
    payload: { name: 'flexibleRollout', segments: ids },
  });
const move = async (id: number, project: string | null) => {
  const { name, constraints } = await read(id);
  return app.ask(`PUT ${segments}/${id}`, { payload: { name, constraints, project } });
};

/** Creates a feature with strategies that use a segment; returns the ids of the strategies. */
async function use(
  id: number,
  name: string,
  { project = 'default', environments = ['development'] } = {},
): Promise<unknown[]> {
  const { feature, strategy } = make(app.ask);
  await feature(name, { project });
  const ids = [];
  for (const environment of environments) {
    const made = await strategy(name, { segments: [id] }, { project, environment });
    ids.push(made.id);
  }
  return ids;
}
const archive = (feature: string, project = 'default') =>
  app.ask(`DELETE ${projects}/${project}/features/${feature}`);

describe('the usage of a segment', () => {
  test('lists strategies, counts features and projects, and can be read by strategy, as far as the caller can see them', async () => {
    const id = await segment('told');
    const both = ['development', 'production'];
    const [one, two] = await use(id, 'told-a', { environments: both });
    const [three] = await use(id, 'told-b', { project: 'shop' });
    await setDefault('bank', [id]);

    const response = await app.ask(`GET ${segments}/${id}/strategies`);
    expect(response.statusCode).toBe(200);
    const place = (strategyId: unknown, projectId: string, featureName: string, at: string) => ({
      id: strategyId,
      projectId,
      featureName,
      environment: at,
      strategyName: 'flexibleRollout',
    });
    const inShop = place(three, 'shop', 'told-b', 'development');
    expect(response.json()).toEqual({
      strategies: [
        place(one, 'default', 'told-a', 'development'),
        place(two, 'default', 'told-a', 'production'),
        inShop,
      ],
    });
    const counted = { usedInFeatures: 2, usedInProjects: 3 };
    expect(await read(id)).toMatchObject(counted);
    const listed = (await app.ask(`GET ${segments}`)).json().segments;
    expect(listed.find((each: { id: number }) => each.id === id)).toMatchObject(counted);
    expect((await app.ask(`GET ${segments}/strategies/${one}`)).json()).toEqual({
      segments: [await read(id)],
    });

    const limited = limitedApp(app, { sees: new Set(['shop']) });
    expect((await limited.ask(`GET ${segments}/${id}/strategies`)).json()).toEqual({
      strategies: [inShop],
    });
    expect(await read(id, limited)).toMatchObject({ usedInFeatures: 1, usedInProjects: 1 });
    expect((await limited.ask(`GET ${segments}/strategies/${one}`)).statusCode).toBe(404);
    expect((await limited.ask(`GET ${segments}/strategies/${three}`)).statusCode).toBe(200);
  });

  test('is empty for a strategy without segments and returns 404 for an unknown strategy', async () => {
    await make(app.ask).feature('plain');
    const { id } = await make(app.ask).strategy('plain');
    expect((await app.ask(`GET ${segments}/strategies/${id}`)).json()).toEqual({ segments: [] });
    expect((await app.ask(`GET ${segments}/strategies/nosuch`)).statusCode).toBe(404);
  });
});

describe('deleting a segment in use', () => {
  test('returns 409 and lists where, including archived features and default strategies', async () => {
    const id = await segment('needed');
    await use(id, 'needed-a', { environments: ['development', 'production'] });
    await use(id, 'needed-z');
    await archive('needed-z');
    await setDefault('shop', [id]);
    const before = await countEvents(app.db);
    const response = await remove(id);
    expect(response.statusCode).toBe(409);
    expect(response.json()).toMatchObject({
      name: 'NameExistsError',
      message:
        "The segment 'needed' is in use by the feature 'needed-a' in development, " +
        "the feature 'needed-a' in production, the feature 'needed-z' (archived) in development, " +
        "the default strategy of the project 'shop' in production. Remove it there first " +
        '(archived features count too, because they can be revived)',
    });
    expect(await countEvents(app.db)).toBe(before);
    expect(await read(id)).toMatchObject({ name: 'needed' });
  });

  test('does not name projects that the caller cannot see', async () => {
    const id = await segment('secret');
    await use(id, 'secret-a', { project: 'bank' });
    await use(id, 'open-b', { project: 'shop' });
    const limited = limitedApp(app, { sees: new Set(['shop']) });
    const { message } = (await remove(id, limited)).json();
    expect(message).toContain("the feature 'open-b' in development, projects that you cannot");
    expect(message).not.toContain('secret-a');
  });

  test('lists at most twenty places', async () => {
    const id = await segment('popular');
    for (let n = 10; n < 32; n += 1) await use(id, `popular-${n}`);
    const { message } = (await remove(id)).json();
    expect(message).toContain("'popular-29' in development, 2 more. Remove");
    expect(message).not.toContain('popular-30');
  });

  test('succeeds once nothing uses it', async () => {
    const id = await segment('released');
    await setDefault('shop', [id]);
    expect((await remove(id)).statusCode).toBe(409);
    await setDefault('shop', []);
    expect((await remove(id)).statusCode).toBe(204);
  });
});

describe('moving a segment into a project', () => {
  test('is rejected while features or default strategies of other projects use it', async () => {
    const byFeature = await segment('shared');
    await use(byFeature, 'shared-in-bank', { project: 'bank' });
    await use(byFeature, 'shared-in-shop', { project: 'shop' });
    const response = await move(byFeature, 'shop');
    expect(response.statusCode).toBe(400);
    expect(response.json().details).toEqual([
      {
        path: '/body/project',
        message:
          "The segment 'shared' cannot be limited to the project 'shop', because it is used by the feature 'shared-in-bank' in development",
      },
    ]);
    expect(await recordedBy(app.db, response)).toEqual([]);

    const byDefault = await segment('shared by default');
    await setDefault('bank', [byDefault], 'development');
    expect((await move(byDefault, 'shop')).json().message).toContain(
      "the default strategy of the project 'bank' in development",
    );
    await setDefault('bank', [], 'development');
    expect((await move(byDefault, 'shop')).statusCode).toBe(204);
  });

  test('succeeds if only that project uses it, and making it global again always succeeds', async () => {
    const id = await segment('own');
    await use(id, 'own-in-shop', { project: 'shop' });
    expect((await move(id, 'shop')).statusCode).toBe(204);
    expect(await read(id)).toMatchObject({ project: 'shop', usedInFeatures: 1 });
    expect((await move(id, null)).statusCode).toBe(204);
  });
});

describe('the segments that a strategy may use', () => {
  const faults = (ids: number[], project: string, actor = testActor) =>
    app.transact(actor, (tx) => segmentFaults(tx, ids, project, '/body/segments'));

  test('are global ones and those of its project; others are reported by position', async () => {
    const global = await segment('for all');
    const own = await segment('for shop', { project: 'shop' });
    expect(await faults([], 'shop')).toEqual([]);
    expect(await faults([own, global, own], 'shop')).toEqual([]);
    expect(await faults([global, own, 999_999], 'bank')).toEqual([
      {
        path: '/body/segments/1',
        message: `The segment ${own} ('for shop') belongs to the project 'shop', not to 'bank'`,
      },
      { path: '/body/segments/2', message: 'Segment 999999 not found' },
    ]);
    const banker = { ...testActor, sees: new Set(['bank']) };
    expect(await faults([own], 'bank', banker)).toMatchObject([
      { message: `Segment ${own} not found` },
    ]);
  });
});

describe('concurrent changes of a segment', () => {
  const rounds = Array.from({ length: 8 }, (_, n) => n);

  test.each(rounds)(
    'deleting and using a segment never leaves a reference to a deleted one (%i)',
    async (n) => {
      const id = await segment(`raced ${n}`);
      await setDefault('bank', []);
      const [used, deleted] = await Promise.all([setDefault('bank', [id]), remove(id)]);
      const place = `${projects}/bank/environments/production/default-strategy` as const;
      const { segments: kept } = (await app.ask(`GET ${place}`)).json();
      const outcome = [used.statusCode, deleted.statusCode];
      expect([
        [200, 409],
        [400, 204],
      ]).toContainEqual(outcome);
      expect(kept).toEqual(deleted.statusCode === 204 ? [] : [id]);
    },
  );

  test.each(rounds)(
    'moving a segment to a project and using it in another never both succeed (%i)',
    async (n) => {
      const id = await segment(`given ${n}`);
      await setDefault('bank', []);
      const [used, given] = await Promise.all([setDefault('bank', [id]), give(id, `given ${n}`)]);
      expect([
        [200, 400],
        [400, 204],
      ]).toContainEqual([used.statusCode, given.statusCode]);
    },
  );

  const give = (id: number, name: string) =>
    app.ask(`PUT ${segments}/${id}`, { payload: { name, project: 'shop', constraints: [] } });

  test.each([
    ['deleting', 409, remove],
    ['moving', 400, (id: number) => give(id, 'given late')],
  ] as const)(
    '%s a segment waits for a transaction that uses it, then returns %i',
    async (what, status, act) => {
      const id = await segment(`late ${what}`);
      const { waited, response } = await askedDuring(
        app,
        (tx) =>
          setDefaultStrategy(
            tx,
            { project: 'bank', environment: 'development' },
            { name: 'flexibleRollout', segments: [id] },
          ),
        () => act(id),
      );
      expect([waited, response.statusCode]).toEqual([true, status]);
    },
  );
});

describe('deleting the segments of a project', () => {
  test('records one event for each', async () => {
    const ids = [
      await segment('leaving 1', { project: 'bank' }),
      await segment('leaving 2', { project: 'bank' }),
    ];
    const stays = await segment('staying', { project: 'shop' });
    const before = await countEvents(app.db);
    await app.transact(testActor, (tx) => removeSegmentsOf(tx, 'bank'));
    const events = await app.db
      .selectFrom('events')
      .where('type', '=', 'segment-deleted')
      .where('id', '>', before)
      .select(['project', 'pre_data as preData', 'data'])
      .orderBy('id')
      .execute();
    expect(events).toMatchObject([
      { project: 'bank', data: null, preData: { id: ids[0], name: 'leaving 1' } },
      { project: 'bank', data: null, preData: { id: ids[1], name: 'leaving 2' } },
    ]);
    for (const id of ids) expect((await app.ask(`GET ${segments}/${id}`)).statusCode).toBe(404);
    expect((await app.ask(`GET ${segments}/${stays}`)).statusCode).toBe(200);
    await app.transact(testActor, (tx) => removeSegmentsOf(tx, 'bank'));
    expect(await countEvents(app.db)).toBe(before + 2);
  });

  test('is rejected while a feature uses one', async () => {
    const id = await segment('held', { project: 'bank' });
    await use(id, 'holding', { project: 'bank' });
    const removing = app.transact(testActor, (tx) => removeSegmentsOf(tx, 'bank'));
    await expect(removing).rejects.toThrow("Features still use segments of the project 'bank'");
    expect((await app.ask(`GET ${segments}/${id}`)).statusCode).toBe(200);
  });
});
