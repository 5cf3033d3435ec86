import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../test/support/app.ts';
import { limitedApp } from '../../../../test/support/limited-app.ts';
import { make } from '../../../../test/support/make.ts';
import { customRole, person } from '../../../../test/support/people.ts';
import { projectsOn } from '../../../../test/support/projects.ts';
import { countEvents, recordedBy } from '../../../../test/support/recorded.ts';
import { recordedAboutFeatures } from '../../../../test/support/recorded-features.ts';
import { tickingClock } from '../../../../test/support/ticking-clock.ts';
import { strategyVariant, variant } from '../../../../test/support/variants.ts';

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

describe('cloning an environment', () => {
  const clone = (source: string, payload: object) =>
    app.ask(`POST ${environments}/${source}/clone`, { payload });

  test('copies it to every active project that has it, including default strategies', async () => {
    await create.environment('source');
    await create.project('with-strategy', { environments: ['source'] });
    await create.project('without', { environments: ['source'] });
    await create.project('asleep', { environments: ['source'] });
    await app.ask(`POST ${projects}/archive/asleep`);
    const place = `${projects}/with-strategy/environments/source/default-strategy`;
    const strategy = { name: 'flexibleRollout', parameters: { rollout: '7' } };
    await app.ask(`POST ${place}`, { payload: strategy });
    const before = await projectReads.updatedAt('without');

    const response = await clone('source', { name: 'copy' });
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual({
      name: 'copy',
      type: 'test',
      enabled: true,
      protected: false,
      sortOrder: 9999,
    });
    const copied = await app.ask(`GET ${place.replace('source', 'copy') as `/${string}`}`);
    expect(copied.json().parameters.rollout).toBe('7');
    expect(await projectReads.environments('without')).toEqual(['copy', 'source']);
    expect(await projectReads.environments('asleep')).toEqual(['source']);
    expect((await projectReads.updatedAt('without')) > before).toBe(true);
    expect(await recordedBy(app.db, response)).toMatchObject([
      { type: 'environment-created', environment: 'copy' },
      { type: 'project-environment-added', project: 'with-strategy', environment: 'copy' },
      {
        type: 'default-strategy-updated',
        project: 'with-strategy',
        environment: 'copy',
        data: { parameters: { rollout: '7' } },
      },
      { type: 'project-environment-added', project: 'without', environment: 'copy' },
    ]);
  });

  test('accepts a type and the projects that get the copy', async () => {
    await create.environment('chosen');
    await create.project('chosen-a', { environments: ['chosen'] });
    await create.project('chosen-b', { environments: ['chosen'] });
    const input = { name: 'chosen-copy', type: 'production', projects: ['chosen-b'] };
    expect((await clone('chosen', input)).json()).toMatchObject({ type: 'production' });
    expect(await projectReads.environments('chosen-a')).toEqual(['chosen']);
    expect(await projectReads.environments('chosen-b')).toEqual(['chosen', 'chosen-copy']);
  });

  test('copies only the environment if no projects are requested', async () => {
    await create.environment('lonely');
    const response = await clone('lonely', { name: 'lonely-copy', projects: [] });
    expect(response.statusCode).toBe(200);
    expect(await recordedBy(app.db, response)).toHaveLength(1);
  });

  test('changes nothing if a part of the request is invalid', async () => {
    await create.environment('whole');
    const before = await countEvents(app.db);
    expect((await clone('nosuch', { name: 'new' })).statusCode).toBe(404);
    expect((await clone('whole', { name: 'production' })).statusCode).toBe(409);
    expect((await clone('whole', { name: 'validate' })).statusCode).toBe(400);
    const foreign = await clone('whole', { name: 'new', projects: ['default', 'nosuch'] });
    expect(foreign.statusCode).toBe(400);
    expect(foreign.json().details).toMatchObject([
      { path: '/body/projects/0' },
      { path: '/body/projects/1' },
    ]);
    expect(await countEvents(app.db)).toBe(before);
  });

  test('requires ADMIN', async () => {
    const limited = limitedApp(app, { may: (permission) => permission === 'none' });
    const response = await limited.ask(`POST ${environments}/production/clone`);
    expect(response.statusCode).toBe(403);
    expect(response.json().message).toContain('ADMIN');
  });

  test('copies the feature configuration with new ids and records each copy', async () => {
    const at = { project: 'having', environment: 'origin' };
    await create.environment('origin');
    await create.project('having', { environments: ['origin', 'production'] });
    await create.project('left-out', { environments: ['origin'] });
    const tags = [{ type: 'simple', value: 'blue' }];
    const segment = await create.segment('having-segment', { project: 'having' });
    await create.feature('having-a', { project: 'having', tags });
    await create.feature('having-b', { project: 'having' });
    await create.feature('having-c', { project: 'having' });
    await create.feature('having-d', { project: 'left-out' });
    const input = {
      title: 'Some',
      disabled: false,
      parameters: { rollout: '7', stickiness: 'userId', groupId: 'having-a' },
      constraints: [
        {
          contextName: 'userId',
          operator: 'IN',
          values: ['1'],
          inverted: false,
          caseInsensitive: false,
        },
      ],
      variants: [strategyVariant('x')],
      segments: [segment.id],
    };
    const some = await create.strategy('having-a', input, at);
    await create.strategy('having-a', { title: 'None', disabled: true }, at);
    await create.strategy('having-a', { title: 'Elsewhere' }, { ...at, environment: 'production' });
    await create.switchedOn('having-a', at);
    await create.variants('having-b', [variant('b')], at);
    await create.strategy('having-c', {}, at);
    await create.switchedOn('having-c', at);
    await app.ask(`DELETE ${projects}/having/features/having-c`);
    await create.strategy('having-d', {}, { project: 'left-out', environment: 'origin' });

    const response = await clone('origin', { name: 'twin', projects: ['having'] });
    expect(response.statusCode, response.body).toBe(200);
    const place = `${projects}/having/features/having-a/environments`;
    const strategies = async (environment: string) =>
      (await app.ask(`GET ${place}/${environment}/strategies`)).json();
    const [first, second] = await strategies('twin');
    expect(await strategies('twin')).toEqual(
      (await strategies('origin')).map((strategy: object) => ({
        ...strategy,
        id: expect.any(String),
      })),
    );
    expect(first).toMatchObject({ title: 'Some', segments: [segment.id] });
    expect(first.id).not.toBe(some.id);

    const copied = (featureName: string, type: string, data: object | null) => ({
      type,
      project: 'having',
      environment: 'twin',
      featureName,
      data: data && expect.objectContaining(data),
      preData: null,
      tags: featureName === 'having-a' ? tags : [],
    });
    const events = await recordedAboutFeatures(app.db, response);
    expect(events.slice(0, 2)).toMatchObject([
      { type: 'environment-created' },
      { type: 'project-environment-added', project: 'having' },
    ]);
    expect(events.slice(2)).toEqual([
      copied('having-a', 'feature-strategy-add', { id: first.id, segments: [segment.id] }),
      copied('having-a', 'feature-strategy-add', { id: second.id, title: 'None' }),
      copied('having-c', 'feature-strategy-add', { name: 'flexibleRollout' }),
      {
        ...copied('having-b', 'feature-environment-variants-updated', { variants: [variant('b')] }),
        preData: { variants: [] },
      },
      copied('having-a', 'feature-environment-enabled', null),
    ]);
    expect((await app.ask(`GET ${place}/twin`)).json()).toMatchObject({ enabled: true });
    const left = await app.db
      .selectFrom('feature_strategies')
      .where('feature_name', '=', 'having-d')
      .select('environment')
      .execute();
    expect(left).toEqual([{ environment: 'origin' }]);
  });

  test('copies the permissions of roles in it, unless clonePermissions is false', async () => {
    await create.environment('permitted');
    const strategies = { name: 'CREATE_FEATURE_STRATEGY', environment: 'permitted' };
    const everywhere = { name: 'UPDATE_FEATURE_ENVIRONMENT' };
    const elsewhere = { ...everywhere, environment: 'production' };
    const role = await customRole(app, 'custom', [strategies, everywhere]);
    await customRole(app, 'custom', [elsewhere]);
    const here = await person(app, { roles: { default: role } });
    await create.feature('permitted-feature');
    await app.ask(`POST ${projects}/default/environments`, {
      payload: { environment: 'permitted' },
    });
    const place = `${projects}/default/features/permitted-feature/environments`;
    const add = (environment: string) =>
      here.ask(`POST ${place}/${environment}/strategies`, { payload: { name: 'default' } });

    const response = await clone('permitted', { name: 'permitted-copy' });
    expect(response.statusCode).toBe(200);
    const copied = { ...strategies, environment: 'permitted-copy' };
    const [updated, ...others] = (await recordedBy(app.db, response)).filter(
      ({ type }) => type === 'role-updated',
    );
    expect(others).toEqual([]);
    expect(updated).toMatchObject({
      data: { id: role, permissions: [strategies, copied, everywhere] },
      preData: { id: role, permissions: [strategies, everywhere] },
    });
    expect((await add('permitted-copy')).statusCode).toBe(200);

    const input = { name: 'unpermitted-copy', clonePermissions: false };
    const without = await clone('permitted', input);
    expect((await recordedBy(app.db, without)).map(({ type }) => type)).not.toContain(
      'role-updated',
    );
    expect((await add('unpermitted-copy')).statusCode).toBe(403);
    const wrong = await clone('permitted', { name: 'other', clonePermissions: 'yes' });
    expect(wrong.json().details).toMatchObject([{ path: '/body/clonePermissions' }]);
  });
});
