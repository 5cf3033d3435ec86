import { beforeAll, expect, test } from 'vitest';
import { type TestApp, testActor, testApp } from '../../../../../test/support/app.ts';
import { make } from '../../../../../test/support/make.ts';
import { countEvents } from '../../../../../test/support/recorded.ts';
import { lockActiveFeature } from '../lock.ts';
import { setVariantsOf } from '../variants/service.ts';
import { getEnvironmentState } from './state.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});

const stateOf = (name: string, environment = 'development') =>
  getEnvironmentState(app.db, { name, project: 'default' }, environment);
const switchOn = (name: string) =>
  app.ask(`POST /api/admin/projects/default/features/${name}/environments/development/on`);
const lastEvents = (count: number) =>
  app.db
    .selectFrom('events')
    .select(['type', 'project', 'environment', 'feature_name as featureName', 'data', 'tags'])
    .orderBy('id', 'desc')
    .limit(count)
    .execute();

test('a feature without settings is disabled, without variants and never seen', async () => {
  await make(app.ask).feature('untouched');
  expect(await stateOf('untouched', 'production')).toEqual({
    environment: 'production',
    type: 'production',
    sortOrder: 200,
    enabled: false,
    variants: [],
    lastSeenAt: null,
  });
});

test('an environment that the project does not have returns 404', async () => {
  await make(app.ask).feature('homely');
  await make(app.ask).environment('unused');
  await expect(stateOf('homely', 'unused')).rejects.toMatchObject({ status: 404 });
});

test('enabling a feature keeps its variants', async () => {
  await make(app.ask).feature('varied');
  await make(app.ask).variants('varied', [{ name: 'a', weight: 1 }]);
  const { variants } = await stateOf('varied');
  await switchOn('varied');
  expect(await stateOf('varied')).toMatchObject({ enabled: true, variants });
  expect(variants).toHaveLength(1);
});

test('concurrent requests to enable a feature record one event', async () => {
  await make(app.ask).feature('raced');
  await Promise.all(Array.from({ length: 5 }, () => switchOn('raced')));
  const recorded = await app.db
    .selectFrom('events')
    .where('feature_name', '=', 'raced')
    .where('type', '=', 'feature-environment-enabled')
    .select('id')
    .execute();
  expect(recorded).toHaveLength(1);
});

test('variants of several features are set together and each change is recorded', async () => {
  await make(app.ask).feature('several-1');
  await make(app.ask).feature('several-2');
  const variants = [
    { name: 'a', weight: 1000, weightType: 'fix' as const, stickiness: 'userId', overrides: [] },
  ];
  const set = () =>
    app.transact(testActor, async (tx) => {
      const first = await lockActiveFeature(tx, 'default', 'several-1');
      const second = await lockActiveFeature(tx, 'default', 'several-2');
      await setVariantsOf(tx, [
        { feature: first, variants: new Map([['development', variants]]) },
        {
          feature: second,
          variants: new Map([
            ['development', []],
            ['production', variants],
          ]),
        },
      ]);
    });
  await set();
  expect((await stateOf('several-1')).variants).toEqual(variants);
  expect((await stateOf('several-2')).variants).toEqual([]);
  expect((await stateOf('several-2', 'production')).variants).toEqual(variants);
  expect(await lastEvents(2)).toMatchObject([
    { featureName: 'several-2', environment: 'production', data: { variants } },
    { featureName: 'several-1', environment: 'development', data: { variants } },
  ]);
  const before = await countEvents(app.db);
  await set();
  expect(await countEvents(app.db)).toBe(before);
});
