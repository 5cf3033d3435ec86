import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../../test/support/app.ts';
import { make } from '../../../../../test/support/make.ts';
import { projectsOn } from '../../../../../test/support/projects.ts';
import { recordedBy } from '../../../../../test/support/recorded.ts';
import { tickingClock } from '../../../../../test/support/ticking-clock.ts';

let app: TestApp;
let projectReads: ReturnType<typeof projectsOn>;
beforeAll(async () => {
  app = await testApp({ clock: tickingClock() });
  projectReads = projectsOn(app);
});

const projects = '/api/admin/projects';
const environments = '/api/admin/environments';

const createProject = (id: string, more: object = {}) =>
  app.ask(`POST ${projects}`, { payload: { id, name: id, ...more } });
const createEnvironment = (name: string) =>
  app.ask(`POST ${environments}`, { payload: { name, type: 'test' } });
const add = (project: string, environment: unknown) =>
  app.ask(`POST ${projects}/${project}/environments`, { payload: { environment } });

describe('the environments of a project', () => {
  test('are listed in their order, with the default strategy in effect', async () => {
    await createProject('listed', { defaultStickiness: 'userId' });
    const response = await app.ask(`GET ${environments}/project/listed`);
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
    const common = {
      enabled: true,
      protected: false,
      defaultStrategy,
      projectEnabledToggleCount: 0,
      projectApiTokenCount: 0,
      visible: true,
    };
    expect(response.json()).toEqual({
      version: 1,
      environments: [
        { name: 'development', type: 'development', sortOrder: 100, ...common },
        { name: 'production', type: 'production', sortOrder: 200, ...common },
      ],
    });
  });

  test('can be added once; adding one again returns 409 and records nothing', async () => {
    await createEnvironment('extra');
    await createProject('adding', { environments: ['production'] });
    const before = await projectReads.updatedAt('adding');
    const response = await add('adding', 'extra');
    expect([response.statusCode, response.body]).toEqual([200, '']);
    expect(await recordedBy(app.db, response)).toEqual([
      {
        type: 'project-environment-added',
        project: 'adding',
        environment: 'extra',
        data: null,
        preData: null,
      },
    ]);
    expect(await projectReads.environments('adding')).toEqual(['production', 'extra']);
    const after = await projectReads.updatedAt('adding');
    expect(after > before).toBe(true);

    const again = await add('adding', 'extra');
    expect(again.statusCode).toBe(409);
    expect(await recordedBy(app.db, again)).toEqual([]);
    expect(await projectReads.updatedAt('adding')).toBe(after);
  });

  test('adding an unknown environment returns 404, a malformed one 400', async () => {
    expect((await add('default', 'nosuch')).statusCode).toBe(404);
    expect((await add('default', 7)).statusCode).toBe(400);
    expect((await add('default', undefined)).statusCode).toBe(400);
  });
});

describe('the default strategy of an environment in a project', () => {
  const path = (project: string, environment = 'production') =>
    `${projects}/${project}/environments/${environment}/default-strategy`;
  const set = (project: string, payload: object) => app.ask(`POST ${path(project)}`, { payload });
  const input = {
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
    ...input,
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

  test('is stored, returned and shown wherever the environment appears', async () => {
    await createProject('rolled');
    const before = await projectReads.updatedAt('rolled');
    const response = await set('rolled', { ...input, unknown: 1 });
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual(kept);
    expect((await projectReads.updatedAt('rolled')) > before).toBe(true);
    expect((await app.ask(`GET ${path('rolled')}`)).json()).toEqual(kept);
    const answer = (await app.ask(`GET ${environments}/project/rolled`)).json();
    expect(answer.environments[1].defaultStrategy).toEqual(kept);
    const overview = (await app.ask(`GET ${projects}/rolled/overview`)).json();
    expect(overview.environments[1].defaultStrategy).toEqual(kept);
    expect(await recordedBy(app.db, response)).toEqual([
      {
        type: 'default-strategy-updated',
        project: 'rolled',
        environment: 'production',
        data: kept,
        preData: null,
      },
    ]);
  });

  test('is recorded with its previous state when it changes, and not recorded otherwise', async () => {
    await createProject('rolled-twice');
    await set('rolled-twice', input);
    const same = await set('rolled-twice', input);
    expect(await recordedBy(app.db, same)).toEqual([]);
    const other = await set('rolled-twice', { name: 'flexibleRollout' });
    expect(other.json().parameters).toEqual({
      rollout: '100',
      stickiness: 'default',
      groupId: '',
    });
    expect(await recordedBy(app.db, other)).toMatchObject([
      { data: { parameters: {}, constraints: [] }, preData: kept },
    ]);
  });

  test('is rejected with every error if it is malformed or not a flexibleRollout', async () => {
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
    ['/body/constraints', { constraints: Array(31).fill(input.constraints[0]) }],
    [
      '/body/constraints/0/values',
      { constraints: [{ ...input.constraints[0], values: Array(251).fill('x') }] },
    ],
    [
      '/body/variants',
      {
        variants: Array.from({ length: 101 }, (_, n) => ({ ...input.variants[0], name: `v${n}` })),
      },
    ],
    ['/body/segments', { segments: Array(21).fill(1) }],
  ])('is rejected if it has too many items in %s', async (at, more) => {
    const response = await set('default', { ...input, ...more });
    expect(response.statusCode).toBe(400);
    expect(response.json().details).toMatchObject([{ path: at }]);
  });

  test('uses global segments and those of its project, each once, and rejects others by position', async () => {
    await createProject('segmented');
    await createProject('foreign');
    const segment = (name: string, project: string | null) =>
      make(app.ask).segment(name, { project });
    const { id: global } = await segment('for all', null);
    const { id: own } = await segment('own', 'segmented');
    const { id: foreign } = await segment('foreign', 'foreign');
    const response = await set('segmented', { ...input, segments: [own, global, own] });
    expect(response.json().segments).toEqual([global, own]);
    const refused = await set('segmented', { ...input, segments: [own, 999, foreign] });
    expect(refused.statusCode).toBe(400);
    expect(refused.json().details).toEqual([
      { path: '/body/segments/1', message: 'Segment 999 not found' },
      {
        path: '/body/segments/2',
        message: `The segment ${foreign} ('foreign') belongs to the project 'foreign', not to 'segmented'`,
      },
    ]);
    expect(await recordedBy(app.db, refused)).toEqual([]);
  });

  test('is rejected if SDKs cannot evaluate its constraints, together with other errors', async () => {
    const constraints = [
      { contextName: 'age', operator: 'NUM_GT', value: 'old' },
      { contextName: 'app', operator: 'SEMVER_EQ', value: '1.2.3' },
      { contextName: 'mail', operator: 'STR_CONTAINS' },
    ];
    const response = await set('default', { ...input, parameters: { rollout: 101 }, constraints });
    expect(response.statusCode).toBe(400);
    expect(response.json().details).toMatchObject([
      { path: '/body/parameters/rollout' },
      { path: '/body/constraints/0/value' },
      { path: '/body/constraints/2/values' },
    ]);
  });

  test('is rejected for values that are not legal and unknown segments, both reported', async () => {
    const payload = { name: 'tier', legalValues: [{ value: 'gold' }] };
    await app.ask('POST /api/admin/context', { payload });
    const constraints = [
      { contextName: 'tier', operator: 'IN', values: ['gold', 'tin'] },
      { contextName: 'free', operator: 'IN', values: ['anything'] },
    ];
    const response = await set('default', { ...input, constraints, segments: [999] });
    expect(response.statusCode).toBe(400);
    expect(response.json().details).toMatchObject([
      { path: '/body/segments/0' },
      { path: '/body/constraints/0/values/1', message: expect.stringContaining("'tin'") },
    ]);
  });

  test('can be changed while it keeps a value that is no longer legal', async () => {
    await createProject('narrowed');
    const legalValues = [{ value: 'north' }, { value: 'south' }];
    await app.ask('POST /api/admin/context', { payload: { name: 'pole', legalValues } });
    const constraints = [{ contextName: 'pole', operator: 'IN', values: ['north'] }];
    await set('narrowed', { ...input, constraints });
    await app.ask('DELETE /api/admin/context/pole/legal-values/north');
    expect((await set('narrowed', { ...input, title: 'Up', constraints })).statusCode).toBe(200);
    const other = [{ contextName: 'pole', operator: 'NOT_IN', values: ['north'] }];
    expect((await set('narrowed', { ...input, constraints: other })).statusCode).toBe(400);
  });

  test('returns 404 for an environment that the project does not have', async () => {
    const place = path('default', 'nosuch');
    expect((await app.ask(`GET ${place}`)).statusCode).toBe(404);
    expect((await app.ask(`POST ${place}`, { payload: input })).statusCode).toBe(404);
  });
});
