import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../../test/support/app.ts';
import { make } from '../../../../../test/support/make.ts';
import { projectsOn } from '../../../../../test/support/projects.ts';
import { recordedBy } from '../../../../../test/support/recorded.ts';
import { recordedAboutFeatures } from '../../../../../test/support/recorded-features.ts';
import { tickingClock } from '../../../../../test/support/ticking-clock.ts';
import { variant } from '../../../../../test/support/variants.ts';

let app: TestApp;
let create: ReturnType<typeof make>;
let projectReads: ReturnType<typeof projectsOn>;
beforeAll(async () => {
  app = await testApp({ clock: tickingClock() });
  create = make(app.ask);
  projectReads = projectsOn(app);
});

const projects = '/api/admin/projects';
const environments = '/api/admin/environments';

const remove = (project: string, environment: string) =>
  app.ask(`DELETE ${projects}/${project}/environments/${environment}`);

describe('removing an environment from a project', () => {
  test('removes it, and returns 404 the second time', async () => {
    await create.project('removing', { environments: ['development', 'production'] });
    const before = await projectReads.updatedAt('removing');
    const response = await remove('removing', 'development');
    expect([response.statusCode, response.body]).toEqual([200, '']);
    expect(await recordedBy(app.db, response)).toEqual([
      {
        type: 'project-environment-removed',
        project: 'removing',
        environment: 'development',
        data: null,
        preData: null,
      },
    ]);
    expect(await projectReads.environments('removing')).toEqual(['production']);
    expect((await projectReads.updatedAt('removing')) > before).toBe(true);
    expect((await remove('removing', 'development')).statusCode).toBe(404);
  });

  test('records its default strategy in preData', async () => {
    await create.project('removing-rolled');
    const place = `${projects}/removing-rolled/environments/production/default-strategy`;
    const payload = { name: 'flexibleRollout', parameters: { rollout: '7' } };
    await app.ask(`POST ${place}`, { payload });
    const response = await remove('removing-rolled', 'production');
    expect(await recordedBy(app.db, response)).toMatchObject([
      { data: null, preData: { defaultStrategy: payload } },
    ]);
  });

  test('works for the last environment and for concurrent requests', async () => {
    await create.project('last', { environments: ['development', 'production'] });
    const responses = await Promise.all([
      remove('last', 'development'),
      remove('last', 'production'),
    ]);
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    expect(await projectReads.environments('last')).toEqual([]);
  });

  test('deletes the configuration of features in it, archived ones too, and records each deletion', async () => {
    const at = { project: 'losing', environment: 'development' };
    await create.project('losing');
    const tags = [{ type: 'simple', value: 'blue' }];
    for (const name of ['losing-b', 'losing-a', 'losing-c', 'losing-d']) {
      await create.feature(name, { project: 'losing', ...(name === 'losing-a' && { tags }) });
    }
    const first = await create.strategy('losing-a', { title: 'First' }, at);
    const second = await create.strategy('losing-a', { title: 'Second', disabled: true }, at);
    const kept = await create.strategy('losing-a', {}, { ...at, environment: 'production' });
    await create.switchedOn('losing-a', at);
    await create.switchedOn('losing-a', { ...at, environment: 'production' });
    await create.variants('losing-b', [variant('b')], at);
    await create.variants('losing-b', [variant('b')], { ...at, environment: 'production' });
    const asleep = await create.strategy('losing-c', {}, at);
    await app.ask(`DELETE ${projects}/losing/features/losing-c`);

    const response = await remove('losing', 'development');
    expect(response.statusCode, response.body).toBe(200);
    const lost = (featureName: string, type: string, preData: object | null) => ({
      type,
      ...at,
      featureName,
      data: null,
      preData: preData && expect.objectContaining(preData),
      tags: featureName === 'losing-a' ? tags : [],
    });
    const events = await recordedAboutFeatures(app.db, response);
    expect(events).toEqual([
      lost('losing-a', 'feature-strategy-remove', { id: first.id, title: 'First' }),
      lost('losing-a', 'feature-strategy-remove', { id: second.id, title: 'Second' }),
      lost('losing-c', 'feature-strategy-remove', { id: asleep.id }),
      lost('losing-a', 'feature-environment-disabled', null),
      {
        ...lost('losing-b', 'feature-environment-variants-updated', { variants: [variant('b')] }),
        data: { variants: [] },
      },
      { ...lost('', 'project-environment-removed', null), featureName: null },
    ]);

    const strategies = await app.db
      .selectFrom('feature_strategies')
      .where('feature_name', 'like', 'losing-%')
      .select('id')
      .execute();
    expect(strategies).toEqual([{ id: kept.id }]);
    const states = await app.db
      .selectFrom('feature_environments')
      .where('feature_name', 'like', 'losing-%')
      .select(['feature_name as feature', 'environment', 'enabled'])
      .orderBy('feature')
      .execute();
    expect(states).toEqual([
      { feature: 'losing-a', environment: 'production', enabled: true },
      { feature: 'losing-b', environment: 'production', enabled: false },
    ]);
  });

  test('does not affect other projects, and lets the environment be deleted once no project has it', async () => {
    await create.environment('passing');
    for (const id of ['passing-one', 'passing-two']) {
      await create.project(id, { environments: ['production', 'passing'] });
      await create.feature(id, { project: id });
      await create.strategy(id, {}, { project: id, environment: 'passing' });
      await create.switchedOn(id, { project: id, environment: 'passing' });
    }
    await remove('passing-one', 'passing');
    const place = `${projects}/passing-two/features/passing-two/environments/passing`;
    expect((await app.ask(`GET ${place}`)).json()).toMatchObject({
      enabled: true,
      strategies: [{ name: 'flexibleRollout' }],
    });
    await app.ask(`DELETE ${projects}/passing-two/features/passing-two`);
    await app.ask(`POST ${projects}/archive/passing-two`);
    expect((await remove('passing-two', 'passing')).statusCode).toBe(200);
    const deleted = await app.ask(`DELETE ${environments}/passing`);
    expect(deleted.statusCode, deleted.body).toBe(200);
  });
});
