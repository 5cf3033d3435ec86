import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../test/support/app.ts';
import { limitedApp } from '../../../test/support/limited-app.ts';
import { countEvents, recordedBy } from '../../../test/support/recorded.ts';
import { tickingClock } from '../../../test/support/ticking-clock.ts';

let on: TestApp;
beforeAll(async () => {
  on = await testApp({ clock: tickingClock() });
});

const projects = '/api/admin/projects';
const environments = '/api/admin/environments';

const createProject = (id: string, more: object = {}) =>
  on.ask(`POST ${projects}`, { payload: { id, name: id, ...more } });
const createEnvironment = (name: string) =>
  on.ask(`POST ${environments}`, { payload: { name, type: 'test' } });
const add = (project: string, environment: unknown) =>
  on.ask(`POST ${projects}/${project}/environments`, { payload: { environment } });
const remove = (project: string, environment: string) =>
  on.ask(`DELETE ${projects}/${project}/environments/${environment}`);
const listed = async (project: string) => {
  const answer = (await on.ask(`GET ${environments}/project/${project}`)).json();
  return answer.environments.map(({ name }: { name: string }) => name);
};
const updatedAt = async (project: string): Promise<string> =>
  (await on.ask(`GET ${projects}/${project}/overview`)).json().updatedAt;

describe('the environments of a project', () => {
  test('come in their order, with the strategy in effect', async () => {
    await createProject('listed', { defaultStickiness: 'userId' });
    const response = await on.ask(`GET ${environments}/project/listed`);
    expect(response.statusCode).toBe(200);
    const defaultStrategy = {
      name: 'flexibleRollout',
      disabled: false,
      sortOrder: 0,
      constraints: [],
      variants: [],
      parameters: { rollout: '100', stickiness: 'userId', groupId: '' },
      segments: [],
    };
    const common = { enabled: true, protected: false, defaultStrategy };
    expect(response.json()).toEqual({
      version: 1,
      environments: [
        { name: 'development', type: 'development', sortOrder: 100, ...common },
        { name: 'production', type: 'production', sortOrder: 200, ...common },
      ],
    });
  });

  test('one is added once; again answers 409 and records nothing', async () => {
    await createEnvironment('extra');
    await createProject('adding', { environments: ['production'] });
    const before = await updatedAt('adding');
    const response = await add('adding', 'extra');
    expect([response.statusCode, response.body]).toEqual([200, '']);
    expect(await recordedBy(on.db, response)).toEqual([
      {
        type: 'project-environment-added',
        project: 'adding',
        environment: 'extra',
        data: null,
        preData: null,
      },
    ]);
    expect(await listed('adding')).toEqual(['production', 'extra']);
    const after = await updatedAt('adding');
    expect(after > before).toBe(true);

    const again = await add('adding', 'extra');
    expect(again.statusCode).toBe(409);
    expect(await recordedBy(on.db, again)).toEqual([]);
    expect(await updatedAt('adding')).toBe(after);
  });

  test('an unknown one answers 404, a malformed one 400', async () => {
    expect((await add('default', 'nosuch')).statusCode).toBe(404);
    expect((await add('default', 7)).statusCode).toBe(400);
    expect((await add('default', undefined)).statusCode).toBe(400);
  });

  test('one is removed; what is not there answers 404', async () => {
    await createProject('removing', { environments: ['development', 'production'] });
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
    await createProject('removing-rolled');
    const place = `${projects}/removing-rolled/environments/production/default-strategy`;
    const payload = { name: 'flexibleRollout', parameters: { rollout: '7' } };
    await on.ask(`POST ${place}`, { payload });
    const response = await remove('removing-rolled', 'production');
    expect(await recordedBy(on.db, response)).toMatchObject([
      { data: null, preData: { defaultStrategy: payload } },
    ]);
  });

  test('the last one stays, however many are removed at once', async () => {
    await createProject('last', { environments: ['development', 'production'] });
    const responses = await Promise.all([
      remove('last', 'development'),
      remove('last', 'production'),
    ]);
    expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([200, 403]);
    expect(await listed('last')).toHaveLength(1);
  });
});

describe('a default strategy', () => {
  const path = (project: string, environment = 'production') =>
    `${projects}/${project}/environments/${environment}/default-strategy`;
  const set = (project: string, payload: object) => on.ask(`POST ${path(project)}`, { payload });
  const wish = {
    name: 'flexibleRollout',
    title: 'Half of them',
    disabled: true,
    sortOrder: 2,
    parameters: { rollout: 50, stickiness: 'random', groupId: 'group', sticky: true },
    constraints: [{ contextName: 'country', operator: 'NOT_IN', values: ['no'], inverted: true }],
    variants: [
      {
        name: 'blue',
        weight: 1000,
        weightType: 'variable',
        stickiness: 'default',
        payload: { type: 'string', value: 'b' },
      },
    ],
    segments: [],
  };
  const kept = {
    ...wish,
    parameters: { rollout: '50', stickiness: 'random', groupId: 'group', sticky: 'true' },
    constraints: [
      {
        contextName: 'country',
        operator: 'NOT_IN',
        caseInsensitive: false,
        inverted: true,
        values: ['no'],
      },
    ],
  };

  test('is kept, answered, and shown wherever the environment is', async () => {
    await createProject('rolled');
    const before = await updatedAt('rolled');
    const response = await set('rolled', { ...wish, unknown: 1 });
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual(kept);
    expect((await updatedAt('rolled')) > before).toBe(true);
    expect((await on.ask(`GET ${path('rolled')}`)).json()).toEqual(kept);
    const answer = (await on.ask(`GET ${environments}/project/rolled`)).json();
    expect(answer.environments[1].defaultStrategy).toEqual(kept);
    const overview = (await on.ask(`GET ${projects}/rolled/overview`)).json();
    expect(overview.environments[1].defaultStrategy).toEqual(kept);
    expect(await recordedBy(on.db, response)).toEqual([
      {
        type: 'default-strategy-updated',
        project: 'rolled',
        environment: 'production',
        data: kept,
        preData: null,
      },
    ]);
  });

  test('a second one tells of the first, and the same one of nothing', async () => {
    await createProject('rolled-twice');
    await set('rolled-twice', wish);
    const same = await set('rolled-twice', wish);
    expect(await recordedBy(on.db, same)).toEqual([]);
    const other = await set('rolled-twice', { name: 'flexibleRollout' });
    expect(other.json().parameters).toEqual({
      rollout: '100',
      stickiness: 'default',
      groupId: '',
    });
    expect(await recordedBy(on.db, other)).toMatchObject([
      { data: { parameters: {}, constraints: [] }, preData: kept },
    ]);
  });

  test('that is no gradual rollout, or broken, answers 400 with every fault', async () => {
    expect((await set('default', { name: 'default' })).json().details).toMatchObject([
      { path: '/body/name', message: expect.stringContaining('flexibleRollout') },
    ]);
    const response = await set('default', {
      title: 1,
      parameters: { rollout: 101 },
      constraints: [{ contextName: 'x', operator: 'LIKE' }],
      variants: [{ name: 'a' }],
      segments: ['1'],
    });
    expect(response.statusCode).toBe(400);
    const paths = response.json().details.map(({ path: at }: { path: string }) => at);
    expect(new Set(paths)).toEqual(
      new Set([
        '/body/name',
        '/body/title',
        '/body/parameters/rollout',
        '/body/constraints/0/operator',
        '/body/variants/0/weight',
        '/body/variants/0/weightType',
        '/body/variants/0/stickiness',
        '/body/segments/0',
      ]),
    );
  });

  test.each([
    ['/body/constraints', { constraints: Array(31).fill(wish.constraints[0]) }],
    [
      '/body/constraints/0/values',
      { constraints: [{ ...wish.constraints[0], values: Array(251).fill('x') }] },
    ],
    [
      '/body/variants',
      {
        variants: Array.from({ length: 101 }, (_, n) => ({ ...wish.variants[0], name: `v${n}` })),
      },
    ],
    ['/body/segments', { segments: Array(21).fill(1) }],
  ])('with too many %s answers 400', async (at, more) => {
    const response = await set('default', { ...wish, ...more });
    expect(response.statusCode).toBe(400);
    expect(response.json().details).toMatchObject([{ path: at }]);
  });

  test('with a segment that does not exist answers 400', async () => {
    const response = await set('default', { name: 'flexibleRollout', segments: [7] });
    expect(response.statusCode).toBe(400);
    expect(response.json().details).toEqual([
      { path: '/body/segments/0', message: 'There is no segment 7' },
    ]);
  });

  test('in an environment that the project lacks answers 404', async () => {
    const place = path('default', 'nosuch');
    expect((await on.ask(`GET ${place}`)).statusCode).toBe(404);
    expect((await on.ask(`POST ${place}`, { payload: wish })).statusCode).toBe(404);
  });
});

describe('cloning an environment', () => {
  const clone = (source: string, payload: object) =>
    on.ask(`POST ${environments}/${source}/clone`, { payload });

  test('copies it into every living project that has it, with their default strategies', async () => {
    await createEnvironment('source');
    await createProject('with-strategy', { environments: ['source'] });
    await createProject('without', { environments: ['source'] });
    await createProject('asleep', { environments: ['source'] });
    await on.ask(`POST ${projects}/archive/asleep`);
    const place = `${projects}/with-strategy/environments/source/default-strategy`;
    const strategy = { name: 'flexibleRollout', parameters: { rollout: '7' } };
    await on.ask(`POST ${place}`, { payload: strategy });
    const before = await updatedAt('without');

    const response = await clone('source', { name: 'copy' });
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual({
      name: 'copy',
      type: 'test',
      enabled: true,
      protected: false,
      sortOrder: 9999,
    });
    const copied = await on.ask(`GET ${place.replace('source', 'copy') as `/${string}`}`);
    expect(copied.json().parameters.rollout).toBe('7');
    expect(await listed('without')).toEqual(['copy', 'source']);
    expect(await listed('asleep')).toEqual(['source']);
    expect((await updatedAt('without')) > before).toBe(true);
    expect(await recordedBy(on.db, response)).toMatchObject([
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

  test('takes a type, and the projects that shall have the copy', async () => {
    await createEnvironment('chosen');
    await createProject('chosen-a', { environments: ['chosen'] });
    await createProject('chosen-b', { environments: ['chosen'] });
    const wish = { name: 'chosen-copy', type: 'production', projects: ['chosen-b'] };
    expect((await clone('chosen', wish)).json()).toMatchObject({ type: 'production' });
    expect(await listed('chosen-a')).toEqual(['chosen']);
    expect(await listed('chosen-b')).toEqual(['chosen', 'chosen-copy']);
  });

  test('that nobody uses copies it alone', async () => {
    await createEnvironment('lonely');
    const response = await clone('lonely', { name: 'lonely-copy', projects: [] });
    expect(response.statusCode).toBe(200);
    expect(await recordedBy(on.db, response)).toHaveLength(1);
  });

  test('is refused as a whole', async () => {
    await createEnvironment('whole');
    const before = await countEvents(on.db);
    expect((await clone('nosuch', { name: 'new' })).statusCode).toBe(404);
    expect((await clone('whole', { name: 'production' })).statusCode).toBe(409);
    expect((await clone('whole', { name: 'validate' })).statusCode).toBe(400);
    const foreign = await clone('whole', { name: 'new', projects: ['default', 'nosuch'] });
    expect(foreign.statusCode).toBe(400);
    expect(foreign.json().details).toMatchObject([
      { path: '/body/projects/0' },
      { path: '/body/projects/1' },
    ]);
    expect(await countEvents(on.db)).toBe(before);
  });

  test('needs ADMIN', async () => {
    const limited = await limitedApp(on, { may: (permission) => permission === 'none' });
    const response = await limited.ask(`POST ${environments}/production/clone`);
    expect(response.statusCode).toBe(403);
    expect(response.json().message).toContain('ADMIN');
  });
});
