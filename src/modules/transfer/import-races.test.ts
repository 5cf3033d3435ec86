import { beforeAll, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../test/support/app.ts';
import { make } from '../../../test/support/make.ts';

let on: TestApp;

beforeAll(async () => {
  on = await testApp();
});

const imported = (data: object) =>
  on.ask('POST /api/admin/features-batch/import', {
    payload: { project: 'default', environment: 'production', data },
  });

const rollout = (featureName: string, title: string) => ({
  featureName,
  title,
  name: 'flexibleRollout',
});

const countOf = async (type: string, feature: string): Promise<number> => {
  const { count } = await on.db
    .selectFrom('events')
    .where('type', '=', type as 'feature-created')
    .where('feature_name', '=', feature)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
};

test('of racing imports of the same new things one makes them; the others find them or are refused', async () => {
  const names = ['race-a', 'race-b', 'race-c'];
  const documentOf = (order: readonly string[]) => ({
    features: order.map((name) => ({ name })),
    featureStrategies: order.map((name) => rollout(name, 'same')),
    featureEnvironments: order.map((featureName) => ({ featureName, enabled: true })),
    featureTags: order.map((featureName) => ({ featureName, tagType: 'race', tagValue: 'same' })),
    contextFields: [{ name: 'race' }],
    tagTypes: [{ name: 'race' }],
  });
  const responses = await Promise.all(
    [names, names.toReversed(), names, names.toReversed()].map((order) =>
      imported(documentOf(order)),
    ),
  );
  const statuses = responses.map(({ statusCode }) => statusCode);
  expect(statuses).toContain(200);
  expect(statuses.filter((status) => status !== 200 && status !== 400)).toEqual([]);
  for (const name of names) expect(await countOf('feature-created', name)).toBe(1);
});

test('strategies that others add during an import are there afterwards, or were removed by it', async () => {
  const { feature, strategy } = make(on.ask);
  await feature('contested');
  const adding = Array.from({ length: 6 }, (_, index) =>
    strategy('contested', { title: `added ${index}` }, { environment: 'production' }),
  );
  const importing = Array.from({ length: 3 }, (_, index) =>
    imported({
      features: [{ name: 'contested' }],
      featureStrategies: [rollout('contested', `import ${index}`)],
    }),
  );
  await Promise.all(adding);
  expect((await Promise.all(importing)).map(({ statusCode }) => statusCode)).toEqual([
    200, 200, 200,
  ]);
  const added = await countOf('feature-strategy-add', 'contested');
  const removed = await countOf('feature-strategy-remove', 'contested');
  const strategies = await on.ask(
    'GET /api/admin/projects/default/features/contested/environments/production/strategies',
  );
  expect(strategies.json()).toHaveLength(added - removed);
  expect(added).toBe(6 + 3);
});
