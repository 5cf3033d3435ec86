import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testActor, testApp } from '../../../../../test/support/app.ts';
import { limitedApp } from '../../../../../test/support/limited-app.ts';
import { make } from '../../../../../test/support/make.ts';
import { recordedBy } from '../../../../../test/support/recorded.ts';
import { recordedAboutFeatures } from '../../../../../test/support/recorded-features.ts';
import { tickingClock } from '../../../../../test/support/ticking-clock.ts';
import type { Stage } from './contract.ts';
import { enterStage } from './service.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp({ clock: tickingClock() });
});

const features = '/api/admin/projects/default/features';
const instant = expect.stringMatching(/^2026-01-01T00:\d\d:\d\d\.000Z$/);

const lifecycle = async (name: string) =>
  (await app.ask(`GET ${features}/${name}/lifecycle`)).json();
const stagesOf = async (name: string) =>
  (await lifecycle(name)).map(({ stage }: { stage: Stage }) => stage);
const complete = (name: string, payload: object) =>
  app.ask(`POST ${features}/${name}/lifecycle/complete`, { payload });
const uncomplete = (name: string) => app.ask(`POST ${features}/${name}/lifecycle/uncomplete`);
const enter = (names: string[], stage: Stage, at?: Date) =>
  app.transact(testActor, (tx) =>
    enterStage(
      tx,
      names.map((feature) => ({ feature, at: at ?? tx.now })),
      stage,
    ),
  );

const completed = (data: object) => ({
  type: 'feature-completed',
  project: 'default',
  environment: null,
  data,
  preData: null,
});

describe('the lifecycle of a feature', () => {
  test('starts with the stage initial', async () => {
    await make(app.ask).feature('newborn');
    const response = await app.ask(`GET ${features}/newborn/lifecycle`);
    expect([response.statusCode, response.json()]).toEqual([
      200,
      [{ stage: 'initial', enteredStageAt: instant }],
    ]);
  });

  test('only moves forward and enters each stage once', async () => {
    await make(app.ask).feature('growing');
    await enter(['growing'], 'live');
    const once = await lifecycle('growing');
    expect(once.map(({ stage }: { stage: Stage }) => stage)).toEqual(['initial', 'live']);
    await enter(['growing'], 'pre-live');
    await enter(['growing'], 'live');
    await enter(['growing', 'nosuch'], 'initial');
    expect(await lifecycle('growing')).toEqual(once);
    await enter([], 'archived');
    await enter(['growing'], 'completed');
    expect(await stagesOf('growing')).toEqual(['initial', 'live', 'completed']);
  });

  test('has the time of each stage in order, even if a stage is reported late', async () => {
    await make(app.ask).feature('told-late');
    const [{ enteredStageAt: created }] = await lifecycle('told-late');
    await enter(['told-late'], 'pre-live', new Date('2025-12-24T00:00:00Z'));
    const later = new Date(Date.parse(created) + 1_000);
    await enter(['told-late'], 'live', later);
    expect(await lifecycle('told-late')).toEqual([
      { stage: 'initial', enteredStageAt: created },
      { stage: 'pre-live', enteredStageAt: created },
      { stage: 'live', enteredStageAt: later.toISOString() },
    ]);
  });

  test('moves only features that are in an earlier stage', async () => {
    await make(app.ask).feature('ahead');
    await make(app.ask).feature('behind');
    await enter(['ahead'], 'live');
    await enter(['ahead', 'behind'], 'pre-live');
    expect(await stagesOf('ahead')).toEqual(['initial', 'live']);
    expect(await stagesOf('behind')).toEqual(['initial', 'pre-live']);
  });

  test('can be read for an archived feature and ends with archived', async () => {
    await make(app.ask).feature('ended');
    await app.ask(`DELETE ${features}/ended`);
    expect(await stagesOf('ended')).toEqual(['initial', 'archived']);
  });

  test('returns 404 for an unknown feature or one of another project', async () => {
    await make(app.ask).project('other');
    await make(app.ask).feature('foreign', { project: 'other' });
    for (const name of ['nosuch', 'foreign']) {
      const responses = [
        await app.ask(`GET ${features}/${name}/lifecycle`),
        await complete(name, { status: 'kept' }),
        await uncomplete(name),
      ];
      expect(responses.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404]);
    }
  });
});

describe('completing a feature', () => {
  test('records its outcome', async () => {
    await make(app.ask).feature('done');
    const response = await complete('done', { status: 'kept', statusValue: 'blue' });
    expect([response.statusCode, response.body]).toEqual([200, '']);
    expect(await lifecycle('done')).toEqual([
      { stage: 'initial', enteredStageAt: instant },
      { stage: 'completed', enteredStageAt: instant, status: 'kept', statusValue: 'blue' },
    ]);
    expect(await recordedBy(app.db, response)).toEqual([
      completed({ status: 'kept', statusValue: 'blue', kept: true }),
    ]);
    const [told] = await recordedAboutFeatures(app.db, response);
    expect(told?.featureName).toBe('done');
  });

  test('changes the outcome, and records nothing if it is the same', async () => {
    await make(app.ask).feature('redone');
    await complete('redone', { status: 'kept', statusValue: 'blue' });
    const [, first] = await lifecycle('redone');
    const other = await complete('redone', { status: 'discarded' });
    expect(await recordedBy(app.db, other)).toEqual([
      completed({ status: 'discarded', kept: false }),
    ]);
    expect((await lifecycle('redone'))[1]).toEqual({
      stage: 'completed',
      enteredStageAt: first.enteredStageAt,
      status: 'discarded',
    });
    const same = await complete('redone', { status: 'discarded' });
    expect(same.statusCode).toBe(200);
    expect(await recordedBy(app.db, same)).toEqual([]);
  });

  test('can be undone, which returns the feature to its previous stage', async () => {
    await make(app.ask).feature('undone');
    await enter(['undone'], 'live');
    await complete('undone', { status: 'kept' });
    const response = await uncomplete('undone');
    expect([response.statusCode, response.body]).toEqual([200, '']);
    expect(await stagesOf('undone')).toEqual(['initial', 'live']);
    expect(await recordedBy(app.db, response)).toEqual([
      {
        type: 'feature-uncompleted',
        project: 'default',
        environment: null,
        data: null,
        preData: null,
      },
    ]);
    const again = await uncomplete('undone');
    expect(again.statusCode).toBe(200);
    expect(await recordedBy(app.db, again)).toEqual([]);
  });

  test.each([
    [{}, '/body/status'],
    [{ status: 'lost' }, '/body/status'],
    [{ status: 'kept', statusValue: '' }, '/body/statusValue'],
    [{ status: 'kept', statusValue: 7 }, '/body/statusValue'],
  ])('returns 400 for %j', async (payload, path) => {
    const response = await complete('done', payload);
    expect(response.statusCode).toBe(400);
    expect(response.json().details).toMatchObject([{ path }]);
  });

  test('returns 404 for an archived feature', async () => {
    await make(app.ask).feature('past');
    await app.ask(`DELETE ${features}/past`);
    expect((await complete('past', { status: 'kept' })).statusCode).toBe(404);
    expect((await uncomplete('past')).statusCode).toBe(404);
  });

  test('requires UPDATE_FEATURE', async () => {
    const viewer = limitedApp(app, { may: (permission) => permission === 'none' });
    for (const request of ['complete', 'uncomplete']) {
      const response = await viewer.ask(`POST ${features}/done/lifecycle/${request}`, {
        payload: { status: 'kept' },
      });
      expect([response.statusCode, response.json().message]).toEqual([
        403,
        expect.stringContaining('UPDATE_FEATURE'),
      ]);
    }
    expect((await viewer.ask(`GET ${features}/done/lifecycle`)).statusCode).toBe(200);
  });
});

describe('the number of features in each stage', () => {
  test('counts each visible feature once, in its current stage', async () => {
    await make(app.ask).project('counted');
    await make(app.ask).project('uncounted');
    const own = '/api/admin/projects/counted/features';
    for (const name of ['i1', 'i2', 'p1', 'l1', 'c1', 'x1']) {
      await make(app.ask).feature(name, { project: 'counted' });
    }
    await make(app.ask).feature('invisible', { project: 'uncounted' });
    await enter(['p1', 'l1', 'c1'], 'pre-live');
    await enter(['l1', 'c1'], 'live');
    await app.ask(`POST ${own}/c1/lifecycle/complete`, { payload: { status: 'kept' } });
    await app.ask(`DELETE ${own}/x1`);
    const limited = limitedApp(app, { sees: new Set(['counted']) });
    const response = await limited.ask('GET /api/admin/lifecycle/count');
    expect([response.statusCode, response.json()]).toEqual([
      200,
      { initial: 2, preLive: 1, live: 1, completed: 1, archived: 1 },
    ]);
    const all = (await app.ask('GET /api/admin/lifecycle/count')).json();
    const total = await app.db
      .selectFrom('features')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    const sum = Object.values<number>(all).reduce((left, right) => left + right, 0);
    expect(sum).toBe(total.count);
  });

  test('is zero for all stages if the caller sees no projects', async () => {
    const blind = limitedApp(app, { sees: new Set() });
    expect((await blind.ask('GET /api/admin/lifecycle/count')).json()).toEqual({
      initial: 0,
      preLive: 0,
      live: 0,
      completed: 0,
      archived: 0,
    });
  });
});
