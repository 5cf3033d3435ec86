import type { LightMyRequestResponse } from 'fastify';
import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../test/support/app.ts';
import { make } from '../../../test/support/make.ts';
import { recordedBy } from '../../../test/support/recorded.ts';
import { tickingClock } from '../../../test/support/ticking-clock.ts';

let on: TestApp;
let to: ReturnType<typeof make>;
beforeAll(async () => {
  on = await testApp({ clock: tickingClock() });
  to = make(on.ask);
});

const projects = '/api/admin/projects';
const environments = '/api/admin/environments';

const listed = async (project: string) => {
  const answer = (await on.ask(`GET ${environments}/project/${project}`)).json();
  return answer.environments.map(({ name }: { name: string }) => name);
};
const updatedAt = async (project: string): Promise<string> =>
  (await on.ask(`GET ${projects}/${project}/overview`)).json().updatedAt;
const switchOn = (feature: string, project: string, environment: string) =>
  on.ask(`POST ${projects}/${project}/features/${feature}/environments/${environment}/on`);
const variant = (name: string) => ({
  name,
  weight: 1000,
  weightType: 'variable',
  stickiness: 'default',
  overrides: [],
});
/** What one request recorded, with the features that it is about. */
const told = (response: LightMyRequestResponse) =>
  on.db
    .selectFrom('events')
    .where('request_id', '=', String(response.headers['x-request-id']))
    .select(['type', 'project', 'environment', 'feature_name as feature'])
    .select(['data', 'pre_data as preData', 'tags'])
    .orderBy('id')
    .execute();

const remove = (project: string, environment: string) =>
  on.ask(`DELETE ${projects}/${project}/environments/${environment}`);

describe('removing an environment from a project', () => {
  test('one is removed; what is not there answers 404', async () => {
    await to.project('removing', { environments: ['development', 'production'] });
    const before = await updatedAt('removing');
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
    expect(await listed('removing')).toEqual(['production']);
    expect((await updatedAt('removing')) > before).toBe(true);
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

  test('the last one stays, however many are removed at once', async () => {
    await to.project('last', { environments: ['development', 'production'] });
    const responses = await Promise.all([
      remove('last', 'development'),
      remove('last', 'production'),
    ]);
    expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([200, 403]);
    expect(await listed('last')).toHaveLength(1);
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
    await switchOn('losing-a', 'losing', 'development');
    await switchOn('losing-a', 'losing', 'production');
    await to.variants('losing-b', [variant('b')], at);
    await to.variants('losing-b', [variant('b')], { ...at, environment: 'production' });
    const asleep = await to.strategy('losing-c', {}, at);
    await on.ask(`DELETE ${projects}/losing/features/losing-c`);

    const response = await remove('losing', 'development');
    expect(response.statusCode, response.body).toBe(200);
    const lost = (feature: string, type: string, preData: object | null) => ({
      type,
      ...at,
      feature,
      data: null,
      preData: preData && expect.objectContaining(preData),
      tags: feature === 'losing-a' ? tags : [],
    });
    const events = await told(response);
    expect(events).toEqual([
      lost('losing-a', 'feature-strategy-remove', { id: first.id, title: 'First' }),
      lost('losing-a', 'feature-strategy-remove', { id: second.id, title: 'Second' }),
      lost('losing-c', 'feature-strategy-remove', { id: asleep.id }),
      lost('losing-a', 'feature-environment-disabled', null),
      {
        ...lost('losing-b', 'feature-environment-variants-updated', { variants: [variant('b')] }),
        data: { variants: [] },
      },
      { ...lost('', 'project-environment-removed', null), feature: null },
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
      await switchOn(id, id, 'passing');
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
