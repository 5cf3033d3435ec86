import { sql } from 'kysely';
import pg from 'pg';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type TestApp, testApp } from '../../../../../test/support/app.ts';
import { runHook } from '../../../../../test/support/hooks.ts';
import { askedDuring, type Race } from '../../../../../test/support/locks.ts';
import { make } from '../../../../../test/support/make.ts';
import { variant } from '../../../../../test/support/variants.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import { cloneEnvironment } from '../../../catalogue/environments/service.ts';
import { removeProject } from '../../../catalogue/projects/delete/service.ts';
import { removeEnvironment } from '../../../catalogue/projects/environments/service.ts';
import { archiveProject } from '../../../catalogue/projects/index.ts';
import { changeSegment } from '../../../catalogue/segments/service.ts';
import { createFeatures } from '../create/service.ts';
import { lockActiveFeature } from '../lock.ts';
import { addStrategy } from '../strategies/add/service.ts';
import { setVariants } from '../variants/service.ts';
import { changeProjectOf } from './service.ts';

let app: TestApp;
let setup: ReturnType<typeof make>;
beforeAll(async () => {
  app = await testApp();
  setup = make(app.ask);
});

const projects = '/api/admin/projects';

/** The response of a request that starts before the transaction commits: it must wait, or does not see it. */
const overtaken = async (...race: Race) => (await askedDuring(app, ...race)).response;

const createIn = (tx: Tx, project: string, name: string) =>
  createFeatures(tx, project, [
    { name, type: 'release', description: null, impressionData: false },
  ]);
const create = (project: string, name: string) => () =>
  app.ask(`POST ${projects}/${project}/features`, { payload: { name } });
const move = (feature: string, newProjectId: string) => () =>
  app.ask(`POST ${projects}/default/features/${feature}/changeProject`, {
    payload: { newProjectId },
  });

const strategiesOf = (feature: string) =>
  app.db
    .selectFrom('feature_strategies')
    .where('feature_name', '=', feature)
    .select('environment')
    .execute();

/** States that must never exist, whatever the order of requests. */
async function contradictions() {
  const { rows } = await sql<{ what: string }>`
    select f.name || ' lives in the archived ' || p.id as what
    from features f join projects p on p.id = f.project
    where f.archived_at is null and p.archived_at is not null
    union all
    select s.feature_name || ' has a strategy in ' || s.environment
    from feature_strategies s join features f on f.name = s.feature_name
    where (f.project, s.environment) not in (select project, environment from project_environments)
    union all
    select s.feature_name || ' has a state in ' || s.environment
    from feature_environments s join features f on f.name = s.feature_name
    where (f.project, s.environment) not in (select project, environment from project_environments)
    union all
    select f.name || ' uses a segment of ' || g.project
    from feature_strategy_segments u join segments g on g.id = u.segment_id
    join feature_strategies s on s.id = u.strategy_id join features f on f.name = s.feature_name
    where g.project <> f.project
    union all
    select p.id || ' is beyond its limit'
    from projects p where feature_limit < (
      select count(*) from features f where f.project = p.id and f.archived_at is null
    )`.execute(app.db);
  return rows;
}

describe('adding a strategy while its environment is removed', () => {
  const address = (project: string) => ({
    project,
    featureName: project,
    environment: 'development',
  });
  const removal = (project: string) => () =>
    app.ask(`DELETE ${projects}/${project}/environments/development`);
  const addition = (project: string) => () =>
    app.ask(`POST ${projects}/${project}/features/${project}/environments/development/strategies`, {
      payload: { name: 'flexibleRollout' },
    });

  test('removes the strategy with the environment if it was added first', async () => {
    await setup.project('added-first');
    await setup.feature('added-first', { project: 'added-first' });
    const response = await overtaken(
      (tx) => addStrategy(tx, address('added-first'), { name: 'flexibleRollout' }),
      removal('added-first'),
    );
    expect(response.statusCode, response.body).toBe(200);
    expect(await strategiesOf('added-first')).toEqual([]);
    expect(await contradictions()).toEqual([]);
  });

  test('returns 404 if the environment was removed first', async () => {
    await setup.project('removed-first');
    await setup.feature('removed-first', { project: 'removed-first' });
    const response = await overtaken(
      (tx) =>
        removeEnvironment(tx, { project: 'removed-first', environment: 'development' }, runHook),
      addition('removed-first'),
    );
    expect(response.statusCode, response.body).toBe(404);
    expect(await contradictions()).toEqual([]);
  });

  test('removes variants that were added first', async () => {
    await setup.project('varied-first');
    await setup.feature('varied-first', { project: 'varied-first' });
    await overtaken(async (tx) => {
      const feature = await lockActiveFeature(tx, 'varied-first', 'varied-first');
      await setVariants(tx, feature, new Map([['development', [variant('blue')]]]));
    }, removal('varied-first'));
    expect(await contradictions()).toEqual([]);
  });

  test('waits for a feature that is being created and removes its strategy', async () => {
    await setup.project('made-first');
    const response = await overtaken(async (tx) => {
      await createIn(tx, 'made-first', 'made-first');
      await addStrategy(tx, address('made-first'), { name: 'flexibleRollout' });
    }, removal('made-first'));
    expect(response.statusCode, response.body).toBe(200);
    expect(await strategiesOf('made-first')).toEqual([]);
    expect(await contradictions()).toEqual([]);
  });

  test('causes neither contradictions nor deadlocks with many concurrent requests', async () => {
    await setup.environment('crowded');
    await setup.environment('crowded-too');
    const ids = ['crowd-a', 'crowd-b', 'crowd-c'];
    for (const id of ids) {
      await setup.project(id, { environments: ['crowded', 'crowded-too'] });
      await setup.feature(id, { project: id });
      await setup.strategy(id, {}, { project: id, environment: 'crowded' });
    }
    const responses = await Promise.all(
      ids.flatMap((id) => [
        app.ask(`POST ${projects}/${id}/features/${id}/environments/crowded/on`),
        app.ask(`DELETE ${projects}/${id}/environments/crowded`),
        app.ask(`POST ${projects}/${id}/features/${id}/environments/crowded/strategies`, {
          payload: { name: 'flexibleRollout' },
        }),
        app.ask(`POST ${projects}/${id}/features/${id}/changeProject`, {
          payload: { newProjectId: 'crowd-a' },
        }),
        app.ask('POST /api/admin/environments/crowded/clone', { payload: { name: `copy-${id}` } }),
      ]),
    );
    const failed = responses.filter(({ statusCode }) => statusCode >= 500);
    expect(failed.map(({ body }) => body)).toEqual([]);
    expect(await contradictions()).toEqual([]);
  });
});

describe('features and the archiving or deletion of their project', () => {
  const ends = {
    archived: (id: string) => () => app.ask(`POST ${projects}/archive/${id}`),
    deleted: (id: string) => () => app.ask(`DELETE ${projects}/${id}`),
  };
  const endings = {
    archived: archiveProject,
    deleted: (tx: Tx, id: string) => removeProject(tx, id, runHook),
  };
  const fates = ['archived', 'deleted'] as const;

  test.each(fates)('a feature created first prevents the project from being %s', async (fate) => {
    const id = `kept-from-${fate}`;
    await setup.project(id);
    const response = await overtaken((tx) => createIn(tx, id, id), ends[fate](id));
    expect(response.statusCode, response.body).toBe(403);
    expect(response.json().message).toContain(id);
    expect(await contradictions()).toEqual([]);
  });

  test.each(fates)('no feature can be created in a project that was %s', async (fate) => {
    const id = `made-in-${fate}`;
    await setup.project(id);
    const response = await overtaken((tx) => endings[fate](tx, id), create(id, id));
    expect(response.statusCode, response.body).toBe(404);
    expect(await contradictions()).toEqual([]);
  });

  test.each(fates)('a feature moved in first prevents the project from being %s', async (fate) => {
    const id = `entered-${fate}`;
    await setup.project(id);
    await setup.feature(id);
    const from = { project: 'default', feature: id };
    const response = await overtaken((tx) => changeProjectOf(tx, from, id), ends[fate](id));
    expect(response.statusCode, response.body).toBe(403);
    expect(await contradictions()).toEqual([]);
  });

  test.each(fates)('no feature can be moved into a project that was %s', async (fate) => {
    const id = `late-for-${fate}`;
    await setup.project(id);
    await setup.feature(id);
    const response = await overtaken((tx) => endings[fate](tx, id), move(id, id));
    expect(response.statusCode, response.body).toBe(404);
    expect(response.json().message).toBe(`Project '${id}' not found`);
    expect(await contradictions()).toEqual([]);
  });

  test.each(fates)('no feature can be revived in a project that was %s', async (fate) => {
    const id = `revived-in-${fate}`;
    await setup.project(id);
    await setup.feature(id, { project: id });
    await app.ask(`DELETE ${projects}/${id}/features/${id}`);
    const response = await overtaken(
      (tx) => endings[fate](tx, id),
      () => app.ask(`POST /api/admin/archive/revive/${id}`),
    );
    expect(response.statusCode, response.body).toBe(404);
    expect(await contradictions()).toEqual([]);
  });
});

describe('a project with room for one more feature', () => {
  test('accepts one of several concurrent moves and creations', async () => {
    await setup.project('room', { featureLimit: 1 });
    const names = ['room-a', 'room-b', 'room-c'];
    for (const name of names) await setup.feature(name);
    const responses = await Promise.all([
      ...names.map((name) => move(name, 'room')()),
      ...names.map((name) => create('room', `${name}-made`)()),
    ]);
    const taken = responses.filter(({ statusCode }) => statusCode < 300);
    expect(taken).toHaveLength(1);
    const refused = responses.filter((response) => !taken.includes(response));
    expect(refused.map(({ statusCode }) => statusCode)).toEqual(Array(5).fill(403));
    expect(await contradictions()).toEqual([]);
  });

  test('rejects a feature that arrives while another one is being added', async () => {
    await setup.project('narrow', { featureLimit: 1 });
    await setup.feature('narrow-mover');
    const moved = await overtaken(
      (tx) => createIn(tx, 'narrow', 'narrow-made'),
      move('narrow-mover', 'narrow'),
    );
    expect(moved.statusCode, moved.body).toBe(403);

    await setup.project('tight', { featureLimit: 1 });
    const from = { project: 'default', feature: 'narrow-mover' };
    const made = await overtaken(
      (tx) => changeProjectOf(tx, from, 'tight'),
      create('tight', 'tight-made'),
    );
    expect(made.statusCode, made.body).toBe(403);
    expect(await contradictions()).toEqual([]);
  });
});

test.each(['removed', 'copied'])(
  'a transaction that has locked a feature can continue while its environment is about to be %s',
  async (fate) => {
    const address = { project: fate, featureName: fate, environment: fate };
    await setup.environment(fate);
    await setup.project(fate, { environments: [fate, 'production'] });
    await setup.feature(fate, { project: fate });
    const response = await overtaken(
      (tx) => lockActiveFeature(tx, fate, fate),
      () =>
        fate === 'removed'
          ? app.ask(`DELETE ${projects}/${fate}/environments/${fate}`)
          : app.ask(`POST /api/admin/environments/${fate}/clone`, { payload: { name: 'copy' } }),
      (tx) => addStrategy(tx, address, { name: 'flexibleRollout' }),
    );
    expect(response.statusCode, response.body).toBe(200);
    expect(await strategiesOf(fate)).toHaveLength(fate === 'removed' ? 0 : 2);
    expect(await contradictions()).toEqual([]);
  },
);

test('two features that swap projects do not deadlock', async () => {
  await setup.project('swap');
  await setup.feature('swap-there');
  await setup.feature('swap-back', { project: 'swap' });
  const responses = await Promise.all([
    move('swap-there', 'swap')(),
    app.ask(`POST ${projects}/swap/features/swap-back/changeProject`, {
      payload: { newProjectId: 'default' },
    }),
  ]);
  expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
});

test('a segment cannot be limited to a project while a feature that uses it is moving out', async () => {
  await setup.project('apart');
  const { id } = await setup.segment('shared');
  await setup.feature('sharing');
  await setup.strategy('sharing', { segments: [id] });
  const from = { project: 'default', feature: 'sharing' };
  const given = await overtaken(
    (tx) => changeProjectOf(tx, from, 'apart'),
    () =>
      app.ask(`PUT /api/admin/segments/${id}`, {
        payload: { name: 'shared', project: 'default', constraints: [] },
      }),
  );
  expect(given.statusCode, given.body).toBeGreaterThanOrEqual(400);
  expect(given.statusCode, given.body).toBeLessThan(500);
  expect(await contradictions()).toEqual([]);
});

test('a feature cannot move out while a segment that it uses is being limited to its project', async () => {
  await setup.project('parted');
  const { id } = await setup.segment('split');
  await setup.feature('splitting');
  await setup.strategy('splitting', { segments: [id] });
  const given = { name: 'split', project: 'default', constraints: [] };
  const moved = await overtaken(
    (tx) => changeSegment(tx, String(id), given),
    move('splitting', 'parted'),
  );
  expect(moved.statusCode, moved.body).toBe(403);
  expect(moved.json().message).toContain('(split)');
});

test('cloning an environment includes the strategy of a feature that is being created', async () => {
  await setup.environment('pattern');
  await setup.project('patterned', { environments: ['pattern'] });
  const address = { project: 'patterned', featureName: 'patterned', environment: 'pattern' };
  const cloned = await overtaken(
    async (tx) => {
      await createIn(tx, 'patterned', 'patterned');
      await addStrategy(tx, address, { name: 'flexibleRollout' });
    },
    () => app.ask('POST /api/admin/environments/pattern/clone', { payload: { name: 'dress' } }),
  );
  expect(cloned.statusCode, cloned.body).toBe(200);
  expect(await strategiesOf('patterned')).toHaveLength(2);
});

test('cloning an environment does not include a strategy that is added afterwards', async () => {
  await setup.environment('model');
  await setup.project('modelled', { environments: ['model'] });
  await setup.feature('modelled', { project: 'modelled' });
  const added = await overtaken(
    (tx) => cloneEnvironment(tx, 'model', { name: 'model-copy', clonePermissions: true }, runHook),
    () =>
      app.ask(`POST ${projects}/modelled/features/modelled/environments/model/strategies`, {
        payload: { name: 'flexibleRollout' },
      }),
  );
  expect(added.statusCode, added.body).toBe(200);
  expect(await strategiesOf('modelled')).toEqual([{ environment: 'model' }]);
});

test('none of the tests above causes a deadlock', async () => {
  // A connection reports its statistics when it ends.
  await app.app.close();
  await app.db.destroy();
  const client = new pg.Client(app.connection);
  await client.connect();
  onTestFinished(() => client.end());
  const countOthers = async () => {
    const others = await client.query(
      'select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
    return others.rowCount;
  };
  await expect.poll(countOthers).toBe(0);
  const { rows } = await client.query(
    'select deadlocks::int from pg_stat_database where datname = current_database()',
  );
  expect(rows).toEqual([{ deadlocks: 0 }]);
});
