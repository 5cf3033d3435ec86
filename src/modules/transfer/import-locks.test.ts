import type { LightMyRequestResponse } from 'fastify';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testActor, testApp } from '../../../test/support/app.ts';
import { limitedApp } from '../../../test/support/limited-app.ts';
import { make } from '../../../test/support/make.ts';
import type { Tx } from '../../platform/db/database.ts';
import { lockFeatures } from '../features/index.ts';

let on: TestApp;

beforeAll(async () => {
  on = await testApp();
  const { project, feature } = make(on.ask);
  await project('other');
  await feature('elsewhere', { project: 'other' });
  await feature('first');
  await feature('held');
});

const imported = (names: readonly string[], through = on, more: object = {}) =>
  through.ask('POST /api/admin/features-batch/import', {
    payload: {
      project: 'default',
      environment: 'production',
      data: {
        features: names.map((name) => ({ name })),
        featureStrategies: names.map((featureName) => ({ featureName, name: 'flexibleRollout' })),
        ...more,
      },
    },
  });

/** Whether somebody waits for a lock that somebody else holds. */
async function isWaiting(): Promise<boolean> {
  const { rows } = await sql`
    select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(on.db);
  return rows.length > 0;
}

/** Asks while somebody has locked something, until it is answered or has to wait. */
async function askedUnder(
  lock: (tx: Tx) => Promise<unknown>,
  ask: () => Promise<LightMyRequestResponse>,
  meanwhile: () => Promise<unknown> = async () => undefined,
): Promise<{ waited: boolean; response: LightMyRequestResponse }> {
  let waited = false;
  let ended = false;
  const under: Promise<LightMyRequestResponse>[] = [];
  await on.transact(testActor, async (tx) => {
    await lock(tx);
    under.push(
      ask().finally(() => {
        ended = true;
      }),
    );
    while (!ended && !waited) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      waited = await isWaiting();
    }
    await meanwhile();
  });
  return { waited, response: (await under[0]) as LightMyRequestResponse };
}

test('a feature that is created after the others were locked gets all that the document has', async () => {
  // The first table that is read once the features are locked.
  const beforeReading = (tx: Tx) =>
    sql`lock table strategy_types in access exclusive mode`.execute(tx.db);
  const { waited, response } = await askedUnder(
    beforeReading,
    () =>
      imported(['first', 'late'], on, {
        featureEnvironments: [{ featureName: 'late', enabled: true }],
        featureTags: [{ featureName: 'late', tagType: 'simple', tagValue: 'tagged' }],
      }),
    () => make(on.ask).feature('late'),
  );
  expect([waited, response.statusCode]).toEqual([true, 200]);
  const feature = await on.ask('GET /api/admin/projects/default/features/late');
  const { environments, tags } = feature.json();
  expect(tags).toEqual([{ type: 'simple', value: 'tagged' }]);
  expect(environments.find(({ name }: { name: string }) => name === 'production')).toMatchObject({
    enabled: true,
    strategies: [{ name: 'flexibleRollout' }],
  });
});

describe('an import waits for nobody', () => {
  const holding = (name: string) => (tx: Tx) => lockFeatures(tx, [name]);

  test('who changes a feature of another project', async () => {
    const { waited, response } = await askedUnder(holding('elsewhere'), () =>
      imported(['elsewhere']),
    );
    expect([waited, response.statusCode]).toEqual([false, 400]);
  });

  test('when its caller may not do what it asks for', async () => {
    const through = await limitedApp(on, { may: (permission) => permission === 'none' });
    const { waited, response } = await askedUnder(holding('held'), () =>
      imported(['held'], through),
    );
    expect([waited, response.statusCode]).toEqual([false, 403]);
  });

  test('when its caller may do nothing, and it does nothing', async () => {
    const through = await limitedApp(on, { may: (permission) => permission === 'none' });
    const { waited, response } = await askedUnder(holding('held'), () =>
      imported(['held'], through, { featureStrategies: [] }),
    );
    expect([waited, response.statusCode]).toEqual([false, 200]);
  });

  test('but for who changes a feature that it is about to change', async () => {
    const through = await limitedApp(on, {
      may: (permission) => ['none', 'CREATE_FEATURE_STRATEGY'].includes(permission),
    });
    const { waited, response } = await askedUnder(holding('held'), () =>
      imported(['held'], through),
    );
    expect([waited, response.statusCode]).toEqual([true, 200]);
  });
});
