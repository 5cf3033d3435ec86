import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../test/support/app.ts';
import { limitedApp } from '../../../../test/support/limited-app.ts';
import { make } from '../../../../test/support/make.ts';

const now = new Date('2026-03-01T12:00:00.000Z');
const daysAgo = (days: number, ms = 0) =>
  new Date(now.getTime() - days * 86_400_000 + ms).toISOString();

let app: TestApp;
let create: ReturnType<typeof make>;
beforeAll(async () => {
  app = await testApp({ clock: () => now });
  create = make(app.ask);
});

const projects = '/api/admin/projects';
const environments = '/api/admin/environments';

interface ItemWithName {
  id?: string;
  name?: string;
}

const listed = async (id: string, query = '') => {
  const answer = (await app.ask(`GET ${projects}${query}`)).json();
  return answer.projects.find((project: ItemWithName) => project.id === id);
};
const switched = (project: string, feature: string, environment: string, how: 'on' | 'off') =>
  app.ask(`POST ${projects}/${project}/features/${feature}/environments/${environment}/${how}`);
const archive = (project: string, feature: string) =>
  app.ask(`DELETE ${projects}/${project}/features/${feature}`);

describe('the feature counts in the list of projects', () => {
  test('count active, stale and potentially stale features', async () => {
    await create.project('counted');
    const project = 'counted';
    await create.feature('fresh', { project });
    await create.feature('nearly', { project, type: 'release', createdAt: daysAgo(40, 1) });
    await create.feature('due', { project, type: 'release', createdAt: daysAgo(40) });
    await create.feature('due-stale', { project, createdAt: daysAgo(400), stale: true });
    await create.feature('ageless', { project, type: 'kill-switch', createdAt: daysAgo(4000) });
    await create.feature('gone', { project, createdAt: daysAgo(400) });
    await archive('counted', 'gone');
    expect(await listed('counted')).toMatchObject({
      featureCount: 5,
      staleFeatureCount: 1,
      potentiallyStaleFeatureCount: 1,
      health: 60,
    });
    expect((await app.ask(`GET ${projects}/counted/overview`)).json()).toMatchObject({
      health: 60,
      technicalDebt: 40,
    });
  });

  test('do not count permanent or snoozed features as potentially stale', async () => {
    await create.project('reviewed');
    const review = async (name: string, more: { permanent?: boolean; snoozed_until?: Date }) => {
      await create.feature(name, { project: 'reviewed', createdAt: daysAgo(400) });
      const by = { reason: '', reviewed_by: 'admin', reviewed_by_user_id: -1, reviewed_at: now };
      await app.db
        .insertInto('feature_reviews')
        .values({ feature_name: name, permanent: false, snoozed_until: null, ...by, ...more })
        .execute();
    };
    await review('stays', { permanent: true });
    await review('stays-though-snoozed', { permanent: true, snoozed_until: new Date(daysAgo(1)) });
    await review('put-off', { snoozed_until: new Date(daysAgo(0, 1)) });
    await review('put-off-until-now', { snoozed_until: now });
    await create.feature('unreviewed', { project: 'reviewed', createdAt: daysAgo(400) });
    expect(await listed('reviewed')).toMatchObject({
      featureCount: 5,
      potentiallyStaleFeatureCount: 2,
      health: 60,
    });
  });

  test('work for extremely long lifetimes', async () => {
    await create.project('ancient');
    const createdAt = '1970-01-01T00:00:00Z';
    await create.feature('old', { project: 'ancient', type: 'experiment', createdAt });
    const lifetime = '/api/admin/feature-types/experiment/lifetime';
    await app.ask(`PUT ${lifetime}`, { payload: { lifetimeDays: 100_000 } });
    expect(await listed('ancient')).toMatchObject({ potentiallyStaleFeatureCount: 0 });
    await app.ask(`PUT ${lifetime}`, { payload: { lifetimeDays: 20_513 } });
    expect(await listed('ancient')).toMatchObject({ potentiallyStaleFeatureCount: 1 });
  });

  test('are zero for an archived project', async () => {
    await create.project('asleep');
    await create.feature('asleep', { project: 'asleep' });
    await archive('asleep', 'asleep');
    await app.ask(`POST ${projects}/archive/asleep`);
    expect(await listed('asleep', '?archived=true')).toMatchObject({ featureCount: 0 });
  });
});

test('the overview counts active features by type, in the order of the types', async () => {
  await create.project('typed');
  const types = { a: 'permission', b: 'release', c: 'permission', d: 'experiment', e: 'release' };
  for (const [name, type] of Object.entries(types)) {
    await create.feature(`typed-${name}`, { project: 'typed', type });
  }
  await archive('typed', 'typed-d');
  const overview = (await app.ask(`GET ${projects}/typed/overview`)).json();
  expect(overview.featureTypeCounts).toEqual([
    { type: 'release', count: 2 },
    { type: 'permission', count: 2 },
  ]);
});

describe('the count of enabled features in an environment', () => {
  const toggles = async (app: TestApp, name: string) => {
    const answer = (await app.ask(`GET ${environments}`)).json();
    const found = answer.environments.find(
      (environment: ItemWithName) => environment.name === name,
    );
    const one = (await app.ask(`GET ${environments}/${name}`)).json();
    expect(one.enabledToggleCount).toBe(found.enabledToggleCount);
    return found.enabledToggleCount;
  };
  const togglesOf = async (project: string, name: string) => {
    const answer = (await app.ask(`GET ${environments}/project/${project}`)).json();
    const found = answer.environments.find(
      (environment: ItemWithName) => environment.name === name,
    );
    return found.projectEnabledToggleCount;
  };

  test('includes active features in all projects the caller can see, or in one project', async () => {
    await create.environment('lit');
    for (const project of ['lit-a', 'lit-b']) {
      await create.project(project, { environments: ['lit', 'production'] });
      for (const name of ['one', 'two', 'off', 'gone']) {
        await create.feature(`${project}-${name}`, { project });
        await switched(project, `${project}-${name}`, 'lit', 'on');
      }
      await switched(project, `${project}-off`, 'lit', 'off');
      await archive(project, `${project}-gone`);
    }
    await switched('lit-a', 'lit-a-off', 'production', 'on');
    await archive('lit-b', 'lit-b-two');
    expect(await toggles(app, 'lit')).toBe(3);
    expect(await toggles(limitedApp(app, { sees: new Set(['lit-b']) }), 'lit')).toBe(1);
    expect(await toggles(limitedApp(app, { sees: new Set() }), 'lit')).toBe(0);
    expect(await togglesOf('lit-a', 'lit')).toBe(2);
    expect(await togglesOf('lit-a', 'production')).toBe(1);
    expect(await togglesOf('lit-b', 'lit')).toBe(1);
    expect(await togglesOf('lit-b', 'production')).toBe(0);
  });
});
