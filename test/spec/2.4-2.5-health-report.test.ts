import { Ajv } from 'ajv';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../support/app.ts';
import { asSpecified } from '../support/as-specified.ts';
import { group } from '../support/groups.ts';
import { make } from '../support/make.ts';
import { person } from '../support/people.ts';

/** The tables of sections 2.4 and 2.5. Features are described and tested in 2.6. */
const text = { type: 'string' };
const truth = { type: 'boolean' };
const integer = { type: 'integer' };
const number = { type: 'number' };
const instant = {
  type: 'string',
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$',
};
const array = (items: object) => ({ type: 'array', items });
const object = (properties: Record<string, object>, optional: readonly string[] = []) => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  additionalProperties: false,
});

const strategy = object(
  {
    name: text,
    title: text,
    disabled: truth,
    sortOrder: number,
    constraints: array({ type: 'object' }),
    variants: array({ type: 'object' }),
    parameters: { type: 'object', additionalProperties: text },
    segments: array(integer),
  },
  ['title'],
);
const report = object({
  version: integer,
  name: text,
  description: text,
  defaultStickiness: text,
  mode: { enum: ['open', 'protected', 'private'] },
  featureLimit: { type: ['integer', 'null'] },
  members: integer,
  health: integer,
  environments: array(
    object({ environment: text, changeRequestsEnabled: truth, defaultStrategy: strategy }),
  ),
  features: array({ type: 'object' }),
  updatedAt: instant,
  createdAt: instant,
  favorite: truth,
  stats: object({
    avgTimeToProdCurrentWindow: number,
    createdCurrentWindow: number,
    createdPastWindow: number,
    archivedCurrentWindow: number,
    archivedPastWindow: number,
    projectActivityCurrentWindow: number,
    projectActivityPastWindow: number,
    projectMembersAddedCurrentWindow: number,
  }),
  featureNaming: object({ pattern: text, example: text, description: text }, [
    'pattern',
    'example',
    'description',
  ]),
  potentiallyStaleCount: integer,
  activeCount: integer,
  staleCount: integer,
});
const isReport = new Ajv({ allErrors: true, strict: false, allowUnionTypes: true }).compile(report);

const day = 86_400_000;
const start = Date.UTC(2026, 2, 1, 12);
let time = start;
let app: TestApp;
let create: ReturnType<typeof make>;
let made = 0;
let project: string;
beforeAll(async () => {
  app = await testApp({ clock: () => new Date(time) });
  create = make(app.ask);
});
beforeEach(async () => {
  time = start;
  made += 1;
  project = `project-${made}`;
  await create.project(project);
});

const projects = '/api/admin/projects';
const named = (name: string) => `${project}-${name}`;
const feature = (name: string, more: object = {}) =>
  create.feature(named(name), { project, ...more });
const archive = (name: string) => app.ask(`DELETE ${projects}/${project}/features/${named(name)}`);
const ago = (days: number, ms = 0) => new Date(time - days * day + ms).toISOString();

async function read(id = project) {
  const response = await app.ask(`GET ${projects}/${id}/health-report`);
  expect(response.statusCode, response.body).toBe(200);
  const body = response.json();
  isReport(body);
  expect(isReport.errors ?? []).toEqual([]);
  return body;
}

const statsOf = async () => (await read()).stats;

describe('2.4 Health report', () => {
  test('contains every field for an empty project', async () => {
    expect(await read()).toEqual({
      version: 1,
      name: project,
      description: '',
      defaultStickiness: 'default',
      mode: 'open',
      featureLimit: null,
      members: 0,
      health: 100,
      environments: ['development', 'production'].map((environment) => ({
        environment,
        changeRequestsEnabled: false,
        defaultStrategy: {
          name: 'flexibleRollout',
          disabled: false,
          sortOrder: 0,
          constraints: [],
          variants: [],
          parameters: { rollout: '100', stickiness: 'default', groupId: '' },
          segments: [],
        },
      })),
      features: [],
      updatedAt: new Date(start).toISOString(),
      createdAt: new Date(start).toISOString(),
      favorite: false,
      stats: {
        avgTimeToProdCurrentWindow: 0,
        createdCurrentWindow: 0,
        createdPastWindow: 0,
        archivedCurrentWindow: 0,
        archivedPastWindow: 0,
        projectActivityCurrentWindow: 1,
        projectActivityPastWindow: 0,
        projectMembersAddedCurrentWindow: 0,
      },
      featureNaming: {},
      potentiallyStaleCount: 0,
      activeCount: 0,
      staleCount: 0,
    });
  });

  test('returns the project with its settings', async () => {
    time += 1_000;
    const naming = { pattern: '[a-z"\\\\0-9-]+', example: 'a-name', description: 'Two\nlines' };
    await app.ask(`PUT ${projects}/${project}/settings`, {
      payload: {
        name: 'Quite "another" name',
        description: 'Tab\tand line\nbreak',
        mode: 'protected',
        defaultStickiness: 'userId',
        featureLimit: 0,
        featureNaming: naming,
      },
    });
    expect(await read()).toMatchObject({
      name: 'Quite "another" name',
      description: 'Tab\tand line\nbreak',
      mode: 'protected',
      defaultStickiness: 'userId',
      featureLimit: 0,
      featureNaming: naming,
      createdAt: new Date(start).toISOString(),
      updatedAt: new Date(start + 1_000).toISOString(),
    });
    const pattern = { pattern: '.+' };
    await app.ask(`PUT ${projects}/${project}/settings`, { payload: { featureNaming: pattern } });
    expect((await read()).featureNaming).toEqual(pattern);
  });

  test('updatedAt is the time of the last change to the project, its environments or access', async () => {
    const at = async (change: () => Promise<unknown>) => {
      time += 1_000;
      await change();
      return (await read()).updatedAt === new Date(time).toISOString();
    };
    const { id } = await person(app);
    const path = `${projects}/${project}`;
    expect(
      await at(() =>
        app.ask(`POST ${path}/access`, { payload: { roles: [5], users: [id], groups: [] } }),
      ),
    ).toBe(true);
    expect(await at(() => app.ask(`DELETE ${path}/environments/production`))).toBe(true);
    expect(await at(() => feature('no-change-of-the-project'))).toBe(false);
  });

  test('lists the active features by name, each as a single read returns it (2.6 to 2.8)', async () => {
    const where = { project };
    const { id: segment } = await create.segment(named('segment'));
    const { id: other } = await create.segment(named('other'));
    const tags = [
      { type: 'simple', value: 'with "quotes" and 🚩' },
      { type: 'simple', value: 'a\tb' },
    ];
    await feature('b', { tags, description: 'Line\nbreak, "quotes", \\ and ✓' });
    await feature('a', { type: 'kill-switch', impressionData: true, stale: true });
    await feature('c');
    await feature('gone');
    await archive('gone');
    const constraints = [{ contextName: 'userId', operator: 'IN', values: ['1\n2', '"'] }];
    const variant = { name: 'blue', weight: 1000, weightType: 'variable', stickiness: 'default' };
    const payload = { type: 'string', value: 'x\ty' };
    await create.strategy(
      named('b'),
      { title: 'Second "one"', sortOrder: 2, disabled: true },
      where,
    );
    await create.strategy(
      named('b'),
      {
        sortOrder: 1,
        constraints,
        segments: [other, segment],
        variants: [{ ...variant, payload }],
      },
      where,
    );
    for (let count = 0; count < 3; count += 1) {
      time += 10 - count * 9;
      await create.strategy(
        named('c'),
        { title: `${count}` },
        { project, environment: 'production' },
      );
    }
    await create.strategy(named('a'), { disabled: true }, where);
    await create.variants(named('b'), [{ ...variant, payload }], where);
    await create.variants(named('b'), [{ ...variant, name: 'red' }], {
      project,
      environment: 'production',
    });
    await create.switchedOn(named('b'), { project, environment: 'production' });
    await create.dependency(named('a'), named('c'), where);
    await create.dependency(named('b'), named('c'), { ...where, enabled: false });
    const { ask, id } = await person(app, { rootRole: 1 });
    await ask(`POST ${projects}/${project}/features/${named('c')}/lifecycle/complete`, {
      payload: { status: 'kept' },
    });
    await ask(`POST ${projects}/${project}/features/${named('b')}/environments/development/on`);
    await app.ask(`POST ${projects}/${project}/features/${named('c')}/favorites`);
    await app.db
      .updateTable('feature_environments')
      .set({ last_seen_at: new Date(start + 7) })
      .where('feature_name', '=', named('b'))
      .where('environment', '=', 'production')
      .execute();

    const { features } = await read();
    const alone = await Promise.all(
      ['a', 'b', 'c'].map(async (name) =>
        asSpecified((await app.ask(`GET ${projects}/${project}/features/${named(name)}`)).json()),
      ),
    );
    expect(features).toEqual(alone);
    const [a, b, c] = features;
    expect(a).toMatchObject({ stale: true, dependencies: [{ feature: named('c') }] });
    expect(b).toMatchObject({ enabled: true, lastSeenAt: new Date(start + 7).toISOString() });
    expect(b.collaborators.users.map((each: { id: number }) => each.id)).toEqual([-2000, id]);
    expect(c).toMatchObject({
      favorite: true,
      children: [named('a'), named('b')],
      lifecycle: { stage: 'completed', status: 'kept' },
    });
  });

  test('omits environments that were removed from the project', async () => {
    const where = { project, environment: 'development' };
    await create.feature(named('left'), { project });
    await create.strategy(named('left'), {}, where);
    await create.variants(named('left'), [{ name: 'blue', weight: 1000 }], where);
    await create.switchedOn(named('left'), where);
    await app.db
      .updateTable('feature_environments')
      .set({ last_seen_at: new Date(start) })
      .where('feature_name', '=', named('left'))
      .execute();
    expect((await read()).features).toMatchObject([{ enabled: true }]);
    await app.db
      .deleteFrom('project_environments')
      .where('project', '=', project)
      .where('environment', '=', 'development')
      .execute();
    await create.feature(named('new'), { project });
    const { features } = await read();
    const alone = await app.ask(`GET ${projects}/${project}/features/${named('left')}`);
    expect(features[0]).toEqual(asSpecified(alone.json()));
    expect(features[0]).toMatchObject({ enabled: false, variants: [] });
    expect(features[0].environments.map(({ name }: { name: string }) => name)).toEqual([
      'production',
    ]);
  });

  test('does not mix a recreated feature with the deleted one of the same name', async () => {
    const { ask } = await person(app, { rootRole: 1 });
    await create.feature(named('again'), { project });
    await ask(`POST ${projects}/${project}/features/${named('again')}/environments/production/on`);
    await archive('again');
    await app.ask(`DELETE /api/admin/archive/${named('again')}`);
    time += 10 * day;
    await feature('again');
    await ask(`POST ${projects}/${project}/features/${named('again')}/environments/development/on`);
    const { features, stats } = await read();
    const alone = await app.ask(`GET ${projects}/${project}/features/${named('again')}`);
    expect(features).toEqual([asSpecified(alone.json())]);
    expect(features[0].collaborators.users).toHaveLength(2);
    expect(stats.avgTimeToProdCurrentWindow).toBe(0);
  });
});

describe('2.4 health and counts', () => {
  test('a feature is potentially stale from the millisecond its lifetime ends, without being stale', async () => {
    await feature('release');
    await feature('operational', { type: 'operational' });
    await feature('permission', { type: 'permission' });
    await feature('marked', { stale: true });
    const at = async (ms: number) => {
      time = start + ms;
      const { health, activeCount, staleCount, potentiallyStaleCount } = await read();
      return [health, activeCount, staleCount, potentiallyStaleCount];
    };
    expect(await at(0)).toEqual([75, 3, 1, 0]);
    expect(await at(7 * day - 1)).toEqual([75, 3, 1, 0]);
    expect(await at(7 * day)).toEqual([50, 3, 1, 1]);
    expect(await at(40 * day - 1)).toEqual([50, 3, 1, 1]);
    expect(await at(40 * day)).toEqual([25, 3, 1, 2]);
    expect(await at(4_000 * day)).toEqual([25, 3, 1, 2]);
  });

  test('a changed lifetime takes effect at once', async () => {
    await feature('experiment', { type: 'experiment', createdAt: ago(10) });
    const set = (lifetimeDays: number) =>
      app.ask('PUT /api/admin/feature-types/experiment/lifetime', { payload: { lifetimeDays } });
    await set(10);
    expect(await read()).toMatchObject({ potentiallyStaleCount: 1, health: 0 });
    await set(40);
    expect(await read()).toMatchObject({ potentiallyStaleCount: 0, health: 100 });
  });

  test('archived features are not counted', async () => {
    await feature('stays');
    await feature('goes', { stale: true });
    await archive('goes');
    expect(await read()).toMatchObject({ health: 100, activeCount: 1, staleCount: 0 });
  });
});

describe('2.4 stats', () => {
  test('created features are counted for the last 30 days and the 30 days before, including archived ones', async () => {
    await feature('now');
    await feature('nearly-past', { createdAt: ago(30, 1) });
    await feature('past', { createdAt: ago(30) });
    await feature('past-archived', { createdAt: ago(60, 1) });
    await archive('past-archived');
    await feature('before', { createdAt: ago(60) });
    expect(await statsOf()).toMatchObject({ createdCurrentWindow: 2, createdPastWindow: 2 });
  });

  test('archived features are counted by the time of archiving, and not once they are revived', async () => {
    for (const name of ['a', 'b']) await feature(name);
    await archive('a');
    await archive('b');
    const seen = async (ms: number) => {
      time = start + ms;
      const { archivedCurrentWindow, archivedPastWindow } = await statsOf();
      return [archivedCurrentWindow, archivedPastWindow];
    };
    expect(await seen(30 * day - 1)).toEqual([2, 0]);
    expect(await seen(30 * day)).toEqual([0, 2]);
    expect(await seen(60 * day - 1)).toEqual([0, 2]);
    await app.ask(`POST /api/admin/archive/revive/${named('a')}`);
    expect(await seen(60 * day - 1)).toEqual([0, 1]);
    expect(await seen(60 * day)).toEqual([0, 0]);
  });

  test('activity counts only events of the project, with windows exact to the millisecond', async () => {
    time = start + 5_000;
    await feature('first');
    time = start + day;
    await feature('second');
    await create.feature(named('elsewhere'), { project: 'default' });
    const seen = async (ms: number) => {
      time = start + ms;
      const { projectActivityCurrentWindow, projectActivityPastWindow } = await statsOf();
      return [projectActivityCurrentWindow, projectActivityPastWindow];
    };
    expect(await seen(day)).toEqual([3, 0]);
    expect(await seen(30 * day - 1)).toEqual([3, 0]);
    expect(await seen(30 * day)).toEqual([2, 1]);
    expect(await seen(30 * day + 4_999)).toEqual([2, 1]);
    expect(await seen(30 * day + 5_000)).toEqual([1, 2]);
    expect(await seen(31 * day)).toEqual([0, 3]);
    expect(await seen(60 * day)).toEqual([0, 2]);
    expect(await seen(60 * day + 5_000)).toEqual([0, 1]);
    expect(await seen(61 * day)).toEqual([0, 0]);
  });

  test('members counts each user once, directly or through a group, without service accounts and deleted users', async () => {
    const [direct, both, deleted] = [await person(app), await person(app), await person(app)];
    const machine = await person(app, { kind: 'service account' });
    const team = await group(app, { users: [both.id] });
    const give = (users: readonly number[], groups: readonly number[] = []) =>
      app.ask(`POST ${projects}/${project}/access`, { payload: { roles: [5], users, groups } });
    await give([direct.id, both.id, deleted.id, machine.id]);
    await app.ask(`DELETE /api/admin/user-admin/${deleted.id}`);
    expect(await read()).toMatchObject({
      members: 2,
      stats: { projectMembersAddedCurrentWindow: 2 },
    });

    time = start + 10 * day;
    await give([], [team.id]);
    time = start + 30 * day - 1;
    expect(await statsOf()).toMatchObject({ projectMembersAddedCurrentWindow: 2 });
    time = start + 30 * day;
    // The role through the group is not this user's first.
    expect(await read()).toMatchObject({
      members: 2,
      stats: { projectMembersAddedCurrentWindow: 0 },
    });

    const late = await person(app);
    await app.ask(`PUT ${team.path}`, {
      payload: { name: team.name, users: [both, late].map(({ id }) => ({ user: { id } })) },
    });
    expect(await read()).toMatchObject({
      members: 3,
      stats: { projectMembersAddedCurrentWindow: 1 },
    });
  });

  test('time to production runs from creation to the first time the feature is enabled in a production environment', async () => {
    await feature('slow', { createdAt: ago(4) });
    await feature('quick');
    await feature('never', { createdAt: ago(20) });
    time = start + 2 * day;
    await create.switchedOn(named('slow'), { project, environment: 'development' });
    expect((await statsOf()).avgTimeToProdCurrentWindow).toBe(0);
    await create.switchedOn(named('slow'), { project, environment: 'production' });
    expect((await statsOf()).avgTimeToProdCurrentWindow).toBe(6);
    await create.switchedOn(named('quick'), { project, environment: 'production' });
    expect((await statsOf()).avgTimeToProdCurrentWindow).toBe(4);

    // Only the first time counts, even if a later one is in the window.
    time = start + 20 * day;
    const path = `${projects}/${project}/features/${named('quick')}/environments/production`;
    await app.ask(`POST ${path}/off`);
    await app.ask(`POST ${path}/on`);
    expect((await statsOf()).avgTimeToProdCurrentWindow).toBe(4);
    await archive('slow');
    expect((await statsOf()).avgTimeToProdCurrentWindow).toBe(4);
    time = start + 32 * day - 1;
    expect((await statsOf()).avgTimeToProdCurrentWindow).toBe(4);
    time = start + 32 * day;
    expect((await statsOf()).avgTimeToProdCurrentWindow).toBe(0);
  });

  test('time to production moves with a feature to another project', async () => {
    await feature('moves');
    time = start + day;
    await create.switchedOn(named('moves'), { project, environment: 'production' });
    const target = named('target');
    await create.project(target);
    expect((await read(target)).stats.avgTimeToProdCurrentWindow).toBe(0);
    await app.ask(`POST ${projects}/${project}/features/${named('moves')}/changeProject`, {
      payload: { newProjectId: target },
    });
    expect(await read(target)).toMatchObject({
      features: [{ name: named('moves') }],
      stats: { avgTimeToProdCurrentWindow: 1 },
    });
    expect(await read()).toMatchObject({
      features: [],
      stats: { avgTimeToProdCurrentWindow: 0, createdCurrentWindow: 0 },
    });
  });
});

test('2.5 ProjectEnvironment: environments are sorted and include their default strategy', async () => {
  const environment = named('first');
  await create.environment(environment, { sortOrder: 1 });
  await app.ask(`POST ${projects}/${project}/environments`, { payload: { environment } });
  const { id } = await create.segment(named('segment'));
  const own = {
    name: 'flexibleRollout',
    title: 'Careful',
    disabled: true,
    sortOrder: 3,
    constraints: [{ contextName: 'userId', operator: 'IN', values: ['1'] }],
    variants: [{ name: 'blue', weight: 1000, weightType: 'variable', stickiness: 'default' }],
    parameters: { rollout: '5', stickiness: 'sessionId', groupId: 'g' },
    segments: [id],
  };
  await app.ask(`POST ${projects}/${project}/environments/production/default-strategy`, {
    payload: own,
  });
  await app.ask(`PUT ${projects}/${project}/settings`, {
    payload: { defaultStickiness: 'userId' },
  });
  const { environments } = await read();
  expect(environments).toMatchObject([
    { environment, defaultStrategy: { parameters: { stickiness: 'userId' } } },
    { environment: 'development', defaultStrategy: { parameters: { rollout: '100' } } },
    { environment: 'production', changeRequestsEnabled: false, defaultStrategy: own },
  ]);
});
