import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../../test/support/app.ts';
import { sent, strategyOf } from '../../../../../test/support/import-export.ts';
import { limitedApp } from '../../../../../test/support/limited-app.ts';
import { askedDuring } from '../../../../../test/support/locks.ts';
import { make } from '../../../../../test/support/make.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import { lockFeatures } from '../../features/index.ts';

let app: TestApp;

beforeAll(async () => {
  app = await testApp();
  const { project, feature } = make(app.ask);
  await project('other');
  await feature('elsewhere', { project: 'other' });
  await feature('first');
  await feature('held');
});

const imported = (names: readonly string[], through = app, more: object = {}) =>
  sent(through, 'import', {
    features: names.map((name) => ({ name })),
    featureStrategies: names.map((name) => strategyOf(name)),
    ...more,
  });

test('a feature created after the others were locked gets everything in the document', async () => {
  // The first table that is read after the features are locked.
  const beforeReading = (tx: Tx) =>
    sql`lock table strategy_types in access exclusive mode`.execute(tx.db);
  const { waited, response } = await askedDuring(
    app,
    beforeReading,
    () =>
      imported(['first', 'late'], app, {
        featureEnvironments: [{ featureName: 'late', enabled: true }],
        featureTags: [{ featureName: 'late', tagType: 'simple', tagValue: 'tagged' }],
      }),
    () => make(app.ask).feature('late'),
  );
  expect([waited, response.statusCode]).toEqual([true, 200]);
  const feature = await app.ask('GET /api/admin/projects/default/features/late');
  const { environments, tags } = feature.json();
  expect(tags).toEqual([{ type: 'simple', value: 'tagged' }]);
  expect(environments.find(({ name }: { name: string }) => name === 'production')).toMatchObject({
    enabled: true,
    strategies: [{ name: 'flexibleRollout' }],
  });
});

describe('an import', () => {
  const holding = (name: string) => (tx: Tx) => lockFeatures(tx, [name]);

  test('does not wait for a change of a feature in another project', async () => {
    const { waited, response } = await askedDuring(app, holding('elsewhere'), () =>
      imported(['elsewhere']),
    );
    expect([waited, response.statusCode]).toEqual([false, 400]);
  });

  test('does not wait if the caller lacks the permissions', async () => {
    const through = limitedApp(app, { may: (permission) => permission === 'none' });
    const { waited, response } = await askedDuring(app, holding('held'), () =>
      imported(['held'], through),
    );
    expect([waited, response.statusCode]).toEqual([false, 403]);
  });

  test('does not wait if the caller has no permissions and nothing would change', async () => {
    const through = limitedApp(app, {
      may: (permission, project) => permission === 'none' || project === undefined,
    });
    const { waited, response } = await askedDuring(app, holding('held'), () =>
      imported(['held'], through, { featureStrategies: [] }),
    );
    expect([waited, response.statusCode]).toEqual([false, 200]);
  });

  test('waits for a change of a feature that it is about to change', async () => {
    const through = limitedApp(app, {
      may: (permission) => ['none', 'CREATE_FEATURE_STRATEGY'].includes(permission),
    });
    const { waited, response } = await askedDuring(app, holding('held'), () =>
      imported(['held'], through),
    );
    expect([waited, response.statusCode]).toEqual([true, 200]);
  });
});
