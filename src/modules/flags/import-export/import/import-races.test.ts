import { beforeAll, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../../test/support/app.ts';
import { sent, strategyOf } from '../../../../../test/support/import-export.ts';
import { make } from '../../../../../test/support/make.ts';
import { countEventsAbout } from '../../../../../test/support/recorded.ts';

let app: TestApp;

beforeAll(async () => {
  app = await testApp();
});

test('concurrent imports of the same document create each feature once', async () => {
  const names = ['race-a', 'race-b', 'race-c'];
  const documentOf = (order: readonly string[]) => ({
    features: order.map((name) => ({ name })),
    featureStrategies: order.map((name) => strategyOf(name, { title: 'same' })),
    featureEnvironments: order.map((featureName) => ({ featureName, enabled: true })),
    featureTags: order.map((featureName) => ({ featureName, tagType: 'race', tagValue: 'same' })),
    contextFields: [{ name: 'race' }],
    tagTypes: [{ name: 'race' }],
  });
  const responses = await Promise.all(
    [names, names.toReversed(), names, names.toReversed()].map((order) =>
      sent(app, 'import', documentOf(order)),
    ),
  );
  const statuses = responses.map(({ statusCode }) => statusCode);
  expect(statuses).toContain(200);
  expect(statuses.filter((status) => status !== 200 && status !== 400)).toEqual([]);
  for (const name of names) expect(await countEventsAbout(app.db, name, 'feature-created')).toBe(1);
});

test('strategies added during an import are either kept or removed by it', async () => {
  const { feature, strategy } = make(app.ask);
  await feature('contested');
  const adding = Array.from({ length: 6 }, (_, index) =>
    strategy('contested', { title: `added ${index}` }, { environment: 'production' }),
  );
  const importing = Array.from({ length: 3 }, (_, index) =>
    sent(app, 'import', {
      features: [{ name: 'contested' }],
      featureStrategies: [strategyOf('contested', { title: `import ${index}` })],
    }),
  );
  await Promise.all(adding);
  expect((await Promise.all(importing)).map(({ statusCode }) => statusCode)).toEqual([
    200, 200, 200,
  ]);
  const added = await countEventsAbout(app.db, 'contested', 'feature-strategy-add');
  const removed = await countEventsAbout(app.db, 'contested', 'feature-strategy-remove');
  const strategies = await app.ask(
    'GET /api/admin/projects/default/features/contested/environments/production/strategies',
  );
  expect(strategies.json()).toHaveLength(added - removed);
  expect(added).toBe(6 + 3);
});
