import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../../test/support/app.ts';
import { make } from '../../../../../test/support/make.ts';
import { customRole, person } from '../../../../../test/support/people.ts';
import { countEvents, recordedBy } from '../../../../../test/support/recorded.ts';
import { changeActions, type FeatureSetChange, maxChanges } from './contract.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});

const features = '/api/admin/projects/default/features';

const save = (
  name: string,
  changes: readonly FeatureSetChange[],
  { ask = app.ask, query = '', ...more }: { ask?: TestApp['ask']; query?: string } & object = {},
) => ask(`POST ${features}/${name}/changes${query}`, { payload: { changes, ...more } });

const read = async (name: string) =>
  (await app.ask(`GET ${features}/${name}?lastEventId=true`)).json();

const variants = [{ name: 'blue', weight: 1000 }];
const rollout = (percent: string) => ({
  name: 'flexibleRollout',
  parameters: { rollout: percent, stickiness: 'default', groupId: 'group' },
});

/** A feature with everything that a change can refer to. */
async function furnished(name: string) {
  const create = make(app.ask);
  await create.feature(name);
  await create.feature(`${name}-parent`);
  await create.feature(`${name}-other`);
  await create.dependency(name, `${name}-parent`);
  const first = await create.strategy(name, rollout('10'));
  const second = await create.strategy(name, rollout('20'));
  return { name, first: String(first.id), second: String(second.id) };
}

type Furnished = Awaited<ReturnType<typeof furnished>>;
type Single = [request: Parameters<TestApp['ask']>[0], payload?: object];

/** Each change with the request that makes it alone. */
const pairs: Readonly<
  Record<
    (typeof changeActions)[number],
    { change: (of: Furnished) => FeatureSetChange; single: (of: Furnished) => Single }
  >
> = {
  updateFeature: {
    change: () => ({ action: 'updateFeature', payload: { type: 'experiment', stale: true } }),
    single: ({ name }) => [`PUT ${features}/${name}`, { type: 'experiment', stale: true }],
  },
  updateTags: {
    change: ({ name: value }) => ({
      action: 'updateTags',
      payload: { addedTags: [{ type: 'simple', value }] },
    }),
    single: ({ name }) => [
      `PUT /api/admin/features/${name}/tags`,
      { addedTags: [{ type: 'simple', value: name }] },
    ],
  },
  addDependency: {
    change: ({ name }) => ({ action: 'addDependency', payload: { feature: `${name}-other` } }),
    single: ({ name }) => [`POST ${features}/${name}/dependencies`, { feature: `${name}-other` }],
  },
  deleteDependency: {
    change: ({ name }) => ({ action: 'deleteDependency', payload: { feature: `${name}-parent` } }),
    single: ({ name }) => [`DELETE ${features}/${name}/dependencies/${name}-parent`],
  },
  addStrategy: {
    change: () => ({ action: 'addStrategy', environment: 'production', payload: rollout('30') }),
    single: ({ name }) => [
      `POST ${features}/${name}/environments/production/strategies`,
      rollout('30'),
    ],
  },
  updateStrategy: {
    change: ({ first: id }) => ({
      action: 'updateStrategy',
      environment: 'development',
      payload: { id, ...rollout('50') },
    }),
    single: ({ name, first }) => [
      `PUT ${features}/${name}/environments/development/strategies/${first}`,
      rollout('50'),
    ],
  },
  deleteStrategy: {
    change: ({ second: id }) => ({
      action: 'deleteStrategy',
      environment: 'development',
      payload: { id },
    }),
    single: ({ name, second }) => [
      `DELETE ${features}/${name}/environments/development/strategies/${second}`,
    ],
  },
  reorderStrategy: {
    change: ({ first, second }) => ({
      action: 'reorderStrategy',
      environment: 'development',
      payload: [
        { id: second, sortOrder: 0 },
        { id: first, sortOrder: 9 },
      ],
    }),
    single: ({ name, first, second }) => [
      `POST ${features}/${name}/environments/development/strategies/set-sort-order`,
      [
        { id: second, sortOrder: 0 },
        { id: first, sortOrder: 9 },
      ],
    ],
  },
  patchVariant: {
    change: () => ({ action: 'patchVariant', environment: 'development', payload: { variants } }),
    single: ({ name }) => [`PUT ${features}/${name}/environments/development/variants`, variants],
  },
  updateEnabled: {
    change: () => ({
      action: 'updateEnabled',
      environment: 'production',
      payload: { enabled: true },
    }),
    single: ({ name }) => [`POST ${features}/${name}/environments/production/on`],
  },
  archiveFeature: {
    change: () => ({ action: 'archiveFeature' }),
    single: ({ name }) => [`DELETE ${features}/${name}`],
  },
};

/** Replaces the names and ids of the feature and its strategies, so that two features can be compared. */
function nameless(value: unknown, { name, first, second }: Furnished): unknown {
  const text = JSON.stringify(value)
    .replaceAll(name, '<name>')
    .replaceAll(first, '<first>')
    .replaceAll(second, '<second>')
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '<id>')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>');
  return JSON.parse(text);
}

describe('one change in a change set', () => {
  test.each(changeActions)('%s records the same events as its own endpoint', async (action) => {
    const [alone, together] = [
      await furnished(`alone-${action}`),
      await furnished(`set-${action}`),
    ];
    const [request, payload] = pairs[action].single(alone);
    const one = await app.ask(request, payload === undefined ? {} : { payload });
    expect(one.statusCode, one.body).toBeLessThan(300);
    const other = await save(together.name, [pairs[action].change(together)]);
    expect(other.statusCode, other.body).toBe(200);
    const recorded = await recordedBy(app.db, other);
    expect(recorded.length).toBeGreaterThan(0);
    expect(nameless(recorded, together)).toEqual(nameless(await recordedBy(app.db, one), alone));
    expect(other.json().events.map(({ type }: { type: string }) => type)).toEqual(
      recorded.map(({ type }) => type),
    );
  });
});

test('a change set applies all changes in order, with a comment that the event search finds', async () => {
  const { name, first, second } = await furnished('saved-whole');
  await make(app.ask).switchedOn(name);
  const comment = 'The summer sale begins; see "ticket 42"';
  const response = await save(
    name,
    [
      { action: 'addStrategy', environment: 'development', payload: rollout('70') },
      { action: 'deleteStrategy', environment: 'development', payload: { id: first } },
      { action: 'deleteStrategy', environment: 'development', payload: { id: second } },
      { action: 'updateFeature', payload: { description: 'On sale' } },
    ],
    { comment } as object,
  );
  expect(response.statusCode, response.body).toBe(200);
  const { feature } = response.json();
  expect(feature.description).toBe('On sale');
  const [development] = feature.environments;
  expect(development.enabled).toBe(true);
  expect(development.strategies.map((each: { parameters: object }) => each.parameters)).toEqual([
    rollout('70').parameters,
  ]);
  const recorded = await recordedBy(app.db, response);
  expect(recorded.map(({ type }) => type)).toEqual([
    'feature-strategy-add',
    'feature-strategy-remove',
    'feature-strategy-remove',
    'feature-metadata-updated',
  ]);
  expect(recorded.map(({ data }) => (data as { comment: string }).comment)).toEqual(
    Array(4).fill(comment),
  );
  const found = await app.ask(
    `GET /api/admin/search/events?feature=IS:${name}&query=${encodeURIComponent('see "ticket 42"')}`,
  );
  expect(found.json().total).toBe(4);
  expect(feature.lastEventId).toBe(found.json().events[0].id);
  expect(await read(name)).toEqual(feature);
});

test('one rejected change rolls back the change set and its position is reported', async () => {
  const { name, first } = await furnished('undone');
  const before = await read(name);
  const events = await countEvents(app.db);
  const good: FeatureSetChange = { action: 'updateFeature', payload: { description: 'Lost' } };
  const refused = async (change: FeatureSetChange) => {
    const response = await save(name, [good, change]);
    const { name: kind, details } = response.json();
    return [response.statusCode, kind, details[0].path];
  };
  const environment = 'development';
  const strategy = (payload: object) =>
    ({ action: 'addStrategy', environment, payload }) as FeatureSetChange;
  expect(await refused(strategy({ name: 'nosuch' }))).toEqual([
    400,
    'BadDataError',
    '/body/changes/1/payload/name',
  ]);
  expect(await refused(strategy({ name: 'default', segments: [99] }))).toEqual([
    400,
    'BadDataError',
    '/body/changes/1/payload/segments/0',
  ]);
  expect(await refused(strategy({}))).toEqual([
    400,
    'BadDataError',
    '/body/changes/1/payload/name',
  ]);
  expect(
    await refused({ action: 'deleteStrategy', environment: 'production', payload: { id: first } }),
  ).toEqual([404, 'NotFoundError', '/body/changes/1']);
  expect(
    await refused({ action: 'updateEnabled', environment: 'nowhere', payload: { enabled: true } }),
  ).toEqual([404, 'NotFoundError', '/body/changes/1']);
  expect(await refused({ action: 'addDependency', payload: { feature: name } })).toEqual([
    403,
    'InvalidOperationError',
    '/body/changes/1',
  ]);
  const broken = [{ name: 'blue', weight: 1, weightType: 'fix' }] as never;
  expect(
    await refused({ action: 'patchVariant', environment, payload: { variants: broken } }),
  ).toEqual([400, 'BadDataError', '/body/changes/1/payload/variants']);
  expect(await refused({ action: 'addStrategy', payload: { name: 'default' } } as never)).toEqual([
    400,
    'BadDataError',
    '/body/changes/1/environment',
  ]);
  expect(await refused({ action: 'updateEnabled', environment, payload: {} } as never)).toEqual([
    400,
    'BadDataError',
    '/body/changes/1/payload/enabled',
  ]);
  expect(await refused({ action: 'startMilestone' } as never)).toEqual([
    400,
    'BadDataError',
    '/body/changes/1/action',
  ]);
  expect(await read(name)).toEqual(before);
  expect(await countEvents(app.db)).toBe(events);
});

test('a change set without changes or with more than the maximum is rejected', async () => {
  await make(app.ask).feature('many-changes');
  const change: FeatureSetChange = { action: 'updateFeature', payload: { stale: true } };
  const changes = (count: number) => Array.from({ length: count }, () => change);
  expect((await save('many-changes', changes(maxChanges))).statusCode).toBe(200);
  expect((await save('many-changes', changes(maxChanges + 1))).statusCode).toBe(400);
  expect((await save('many-changes', [])).statusCode).toBe(400);
});

test('the regular expressions in a change set have a limit on their combined size', async () => {
  await make(app.ask).feature('many-expressions');
  const constraint = { contextName: 'userId', operator: 'REGEX', value: '(a|b)*'.repeat(80) };
  const change = {
    action: 'addStrategy',
    environment: 'development',
    payload: { name: 'default', constraints: [constraint] },
  } as FeatureSetChange;
  const response = await save('many-expressions', Array(maxChanges).fill(change));
  expect([response.statusCode, response.json().details[0].path]).toEqual([400, '/body/changes']);
});

test('each change requires the permission of its own endpoint, in its environment', async () => {
  const { name, first } = await furnished('guarded-changes');
  const role = await customRole(app, 'custom', [
    { name: 'UPDATE_FEATURE' },
    { name: 'UPDATE_FEATURE_STRATEGY', environment: 'development' },
    { name: 'UPDATE_FEATURE_ENVIRONMENT', environment: 'production' },
  ]);
  const { ask } = await person(app, { roles: { default: role } });
  const described: FeatureSetChange = { action: 'updateFeature', payload: { description: 'Mine' } };
  const changed: FeatureSetChange = {
    action: 'updateStrategy',
    environment: 'development',
    payload: { id: first, ...rollout('11') },
  };
  expect((await save(name, [described, changed], { ask })).statusCode).toBe(200);
  const response = await save(
    name,
    [
      described,
      { ...changed, environment: 'production' },
      { action: 'archiveFeature' },
      { action: 'addStrategy', environment: 'development', payload: rollout('1') },
    ],
    { ask },
  );
  expect(response.statusCode).toBe(403);
  expect(response.json().details).toEqual([
    {
      path: '/body/changes/1',
      message:
        "You need the UPDATE_FEATURE_STRATEGY permission in the environment 'production' to do this",
    },
    { path: '/body/changes/2', message: 'You need the DELETE_FEATURE permission to do this' },
    {
      path: '/body/changes/3',
      message:
        "You need the CREATE_FEATURE_STRATEGY permission in the environment 'development' to do this",
    },
  ]);
  // Production has no strategy, so enabling would add one.
  const enabled = await save(
    name,
    [{ action: 'updateEnabled', environment: 'production', payload: { enabled: true } }],
    { ask },
  );
  expect([enabled.statusCode, enabled.json().details[0].path]).toEqual([403, '/body/changes/0']);
});

describe('a change set in a protected or private project', () => {
  const inProject = (project: string, ask: TestApp['ask']) =>
    ask(`POST /api/admin/projects/${project}/features/${project}-feature/changes`, {
      payload: { changes: [{ action: 'updateFeature', payload: { stale: true } }] },
    });

  test('returns 403 in a protected project and 404 in a private one for an editor without a role', async () => {
    const create = make(app.ask);
    for (const mode of ['protected', 'private']) {
      await create.project(`changes-${mode}`, { mode });
      await create.feature(`changes-${mode}-feature`, { project: `changes-${mode}` });
    }
    const { ask } = await person(app, { rootRole: 2 });
    expect((await inProject('changes-protected', ask)).statusCode).toBe(403);
    expect((await inProject('changes-private', ask)).statusCode).toBe(404);
    const member = await person(app, { roles: { 'changes-private': 5 } });
    expect((await inProject('changes-private', member.ask)).statusCode).toBe(200);
  });

  test('returns 404 for a feature of another project', async () => {
    await make(app.ask).project('changes-elsewhere');
    await make(app.ask).feature('changes-at-home');
    const response = await app.ask(
      'POST /api/admin/projects/changes-elsewhere/features/changes-at-home/changes',
      { payload: { changes: [{ action: 'archiveFeature' }] } },
    );
    expect(response.statusCode).toBe(404);
  });
});

describe('a change set based on an outdated version', () => {
  const described = (description: string): FeatureSetChange[] => [
    { action: 'updateFeature', payload: { description } },
  ];
  const basedOn = (lastEventId: number) => ({ expected: { lastEventId } }) as object;

  test('is rejected with the changes made by others, and nothing is saved', async () => {
    await make(app.ask).feature('edited-twice');
    const { lastEventId } = await read('edited-twice');
    const other = await person(app, { rootRole: 2 });
    await save('edited-twice', described('Theirs'), { ask: other.ask });
    const response = await save('edited-twice', described('Mine'), basedOn(lastEventId));
    expect(response.statusCode).toBe(409);
    const { name, message, changes } = response.json();
    expect(name).toBe('ConflictError');
    expect(message).toBe(`${other.name} changed 'edited-twice' once since you opened it`);
    expect(changes).toEqual([
      {
        id: lastEventId + 1,
        createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
        createdBy: other.name,
        createdByUserId: other.id,
        type: 'feature-metadata-updated',
        environment: null,
        label: expect.any(String),
        summary: expect.stringContaining(other.name),
      },
    ]);
    expect((await read('edited-twice')).description).toBe('Theirs');
    const { lastEventId: now } = await read('edited-twice');
    expect((await save('edited-twice', described('Mine'), basedOn(now))).statusCode).toBe(200);
  });

  test('is accepted if others only added the feature to their favorites', async () => {
    await make(app.ask).feature('edited-favourite');
    const { lastEventId } = await read('edited-favourite');
    const other = await person(app);
    await other.ask(`POST ${features}/edited-favourite/favorites`);
    const response = await save('edited-favourite', described('Mine'), basedOn(lastEventId));
    expect(response.statusCode, response.body).toBe(200);
  });
});

test('a dry run of a change set shows the result and changes nothing', async () => {
  const { name } = await furnished('rehearsed');
  const before = await read(name);
  const response = await save(
    name,
    [
      { action: 'updateFeature', payload: { description: 'Perhaps' } },
      { action: 'updateEnabled', environment: 'development', payload: { enabled: true } },
    ],
    { query: '?dryRun=true' },
  );
  expect(response.statusCode, response.body).toBe(200);
  const { feature, events } = response.json();
  expect(feature.description).toBe('Perhaps');
  expect(events.map(({ type }: { type: string }) => type)).toEqual([
    'feature-metadata-updated',
    'feature-environment-enabled',
  ]);
  expect(await read(name)).toEqual(before);
  expect(await recordedBy(app.db, response)).toEqual([]);
});
