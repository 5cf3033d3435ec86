import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../../test/support/app.ts';
import { make } from '../../../../../test/support/make.ts';
import { projectsOn } from '../../../../../test/support/projects.ts';
import { recordedBy } from '../../../../../test/support/recorded.ts';
import { recordedAboutFeatures } from '../../../../../test/support/recorded-features.ts';
import { tickingClock } from '../../../../../test/support/ticking-clock.ts';
import { variant } from '../../../../../test/support/variants.ts';

let on: TestApp;
let to: ReturnType<typeof make>;
let of: ReturnType<typeof projectsOn>;
beforeAll(async () => {
  on = await testApp({ clock: tickingClock() });
  to = make(on.ask);
  of = projectsOn(on);
});

const projects = '/api/admin/projects';
const environments = '/api/admin/environments';

const remove = (project: string, environment: string) =>
  on.ask(`DELETE ${projects}/${project}/environments/${environment}`);

describe('removing an environment from a project', () => {
  test('one is removed; what is not there answers 404', async () => {
    await to.project('removing', { environments: ['development', 'production'] });
    const before = await of.updatedAt('removing');
    const response = await remove('removing', 'development');
    expect([response.statusCode, response.body]).toEqual([200, '']);
    expect(await recordedBy(on.db, response)).toEqual([
      {
        type: 'project-environment-removed',
        project: 'removing',
        environment: 'development',
        data: null,
        preData: null,
      },
    ]);
    expect(await of.environments('removing')).toEqual(['production']);
    expect((await of.updatedAt('removing')) > before).toBe(true);
    expect((await remove('removing', 'development')).statusCode).toBe(404);
  });

  test('one is removed with its default strategy, which the log keeps', async () => {
    await to.project('removing-rolled');
    const place = `${projects}/removing-rolled/environments/production/default-strategy`;
    const payload = { name: 'flexibleRollout', parameters: { rollout: '7' } };
    await on.ask(`POST ${place}`, { payload });
    const response = await remove('removing-rolled', 'production');
    expect(await recordedBy(on.db, response)).toMatchObject([
      { data: null, preData: { defaultStrategy: payload } },
    ]);
  });

  test('goes for the last one, too, however many are removed at once', async () => {
    await to.project('last', { environments: ['development', 'production'] });
    const responses = await Promise.all([
      remove('last', 'development'),
      remove('last', 'production'),
    ]);
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    expect(await of.environments('last')).toEqual([]);
  });

  test('takes what features have in it, archived ones too, and tells of each loss', async () => {
    const at = { project: 'losing', environment: 'development' };
    await to.project('losing');
    const tags = [{ type: 'simple', value: 'blue' }];
    for (const name of ['losing-b', 'losing-a', 'losing-c', 'losing-d']) {
      await to.feature(name, { project: 'losing', ...(name === 'losing-a' && { tags }) });
    }
    const first = await to.strategy('losing-a', { title: 'First' }, at);
    const second = await to.strategy('losing-a', { title: 'Second', disabled: true }, at);
    const kept = await to.strategy('losing-a', {}, { ...at, environment: 'production' });
    await to.switchedOn('losing-a', at);
    await to.switchedOn('losing-a', { ...at, environment: 'production' });
    await to.variants('losing-b', [variant('b')], at);
    await to.variants('losing-b', [variant('b')], { ...at, environment: 'production' });
    const asleep = await to.strategy('losing-c', {}, at);
    await on.ask(`DELETE ${projects}/losing/features/losing-c`);

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
    const events = await recordedAboutFeatures(on.db, response);
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

    const strategies = await on.db
      .selectFrom('feature_strategies')
      .where('feature_name', 'like', 'losing-%')
      .select('id')
      .execute();
    expect(strategies).toEqual([{ id: kept.id }]);
    const states = await on.db
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

  test('lets features of other projects alone, and the environment be deleted at last', async () => {
    await to.environment('passing');
    for (const id of ['passing-one', 'passing-two']) {
      await to.project(id, { environments: ['production', 'passing'] });
      await to.feature(id, { project: id });
      await to.strategy(id, {}, { project: id, environment: 'passing' });
      await to.switchedOn(id, { project: id, environment: 'passing' });
    }
    await remove('passing-one', 'passing');
    const place = `${projects}/passing-two/features/passing-two/environments/passing`;
    expect((await on.ask(`GET ${place}`)).json()).toMatchObject({
      enabled: true,
      strategies: [{ name: 'flexibleRollout' }],
    });
    await on.ask(`DELETE ${projects}/passing-two/features/passing-two`);
    await on.ask(`POST ${projects}/archive/passing-two`);
    expect((await remove('passing-two', 'passing')).statusCode).toBe(200);
    const deleted = await on.ask(`DELETE ${environments}/passing`);
    expect(deleted.statusCode, deleted.body).toBe(200);
  });
});
