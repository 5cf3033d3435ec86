import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../support/app.ts';
import { make } from '../support/make.ts';
import { customRole, type Person, person } from '../support/people.ts';
import { raceRounds } from '../support/random-cases.ts';
import { recordedBy } from '../support/recorded.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});

const admin = '/api/admin';
let projects = 0;

type Who = Pick<Person, 'ask'>;

const protect = (project: string, environment = 'production', changeRequestsEnabled = true) =>
  app.ask(`PUT ${admin}/projects/${project}/environments/${environment}/change-requests/config`, {
    payload: { changeRequestsEnabled, requiredApprovals: 1 },
  });

interface Given {
  readonly project: string;
  readonly feature: string;
  readonly author: Person;
  readonly approver: Person;
}

/** A project with change requests in production, one feature, and two owners. */
async function given(): Promise<Given> {
  projects += 1;
  const project = `bypassed-${projects}`;
  const feature = `${project}-feature`;
  await make(app.ask).project(project);
  await make(app.ask).feature(feature, { project });
  await protect(project);
  const [author, approver] = [
    await person(app, { roles: { [project]: 4 } }),
    await person(app, { roles: { [project]: 4 } }),
  ];
  return { project, feature, author, approver };
}

interface Made {
  readonly path: string;
  readonly hash: string;
  readonly changeId: number;
}

const enable = (feature: string, more: object = {}) => ({
  feature,
  action: 'updateEnabled',
  payload: { enabled: true, ...more },
});

async function propose(
  { project, author }: Given,
  change: object,
  environment = 'production',
): Promise<Made> {
  const response = await author.ask(
    `POST ${admin}/projects/${project}/environments/${environment}/change-requests`,
    { payload: change },
  );
  expect(response.statusCode, response.body).toBe(200);
  const { id, hash, features, changes } = response.json();
  return {
    path: `${admin}/projects/${project}/change-requests/${id}`,
    hash,
    changeId: (features[0]?.changes ?? changes)[0].id,
  };
}

const set = ({ ask }: Who, { path }: Made, state: string, more: object = {}) =>
  ask(`PUT ${path}/state`, { payload: { state, ...more } });

async function become(who: Who, made: Made, state: string): Promise<void> {
  const response = await set(who, made, state);
  expect(response.statusCode, response.body).toBe(200);
}

async function approved(where: Given, change: object, environment?: string): Promise<Made> {
  const made = await propose(where, change, environment);
  await become(where.author, made, 'In review');
  await become(where.approver, made, 'Approved');
  return made;
}

async function isOn(
  { project, feature }: Pick<Given, 'project' | 'feature'>,
  environment = 'production',
): Promise<boolean> {
  const path = `${admin}/projects/${project}/features/${feature}/environments/${environment}`;
  return (await app.ask(`GET ${path}`)).json().enabled;
}

describe('an approval covers only what the approver saw', () => {
  test('an edit that the approver has not seen is not approved', async () => {
    const where = await given();
    const made = await propose(where, enable(where.feature));
    await become(where.author, made, 'In review');
    const edited = await where.author.ask(`PUT ${made.path}/changes/${made.changeId}`, {
      payload: enable(where.feature, { shouldActivateDisabledStrategies: true }),
    });
    for (const state of ['Approved', 'Rejected']) {
      const unseen = await set(where.approver, made, state, { hash: made.hash });
      expect([unseen.statusCode, unseen.json().name]).toEqual([409, 'ConflictError']);
    }
    const seen = await set(where.approver, made, 'Approved', { hash: edited.json().hash });
    expect(seen.json().state).toBe('Approved');
    const stale = await set(where.author, made, 'Applied', { hash: made.hash });
    expect(stale.statusCode).toBe(409);
    expect(await isOn(where)).toBe(false);
  });

  test('a simultaneous edit and approval apply nothing unapproved, whichever comes first', async () => {
    for (let round = 0; round < raceRounds; round += 1) {
      const where = await given();
      const made = await propose(where, enable(where.feature));
      await become(where.author, made, 'In review');
      await Promise.all([
        where.author.ask(`PUT ${made.path}/changes/${made.changeId}`, {
          payload: enable(where.feature, { shouldActivateDisabledStrategies: true }),
        }),
        set(where.approver, made, 'Approved', { hash: made.hash }),
      ]);
      expect((await set(where.author, made, 'Applied')).statusCode).toBe(400);
      expect(await isOn(where)).toBe(false);
    }
  });
});

test('only one of two simultaneous applies of a request takes effect', async () => {
  for (let round = 0; round < raceRounds; round += 1) {
    const where = await given();
    const made = await approved(where, enable(where.feature));
    const responses = await Promise.all(
      [where.author, where.approver].map((who) => set(who, made, 'Applied')),
    );
    expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([200, 400]);
    const recorded = [];
    for (const response of responses) recorded.push(...(await recordedBy(app.db, response)));
    const types = recorded.map(({ type }) => type);
    expect(types.filter((type) => type === 'feature-environment-enabled')).toHaveLength(1);
    expect(types.filter((type) => type === 'change-request-applied')).toHaveLength(1);
  }
});

describe('approvers of one environment cannot decide about another', () => {
  const inProduction = (feature: string) => ({
    feature,
    action: 'saveFeatureChanges',
    payload: {
      changes: [
        { action: 'updateEnabled', environment: 'development', payload: { enabled: true } },
        { action: 'updateEnabled', environment: 'production', payload: { enabled: true } },
      ],
    },
  });

  test.each([true, false])(
    'a request that also changes production is refused (production needs approval: %j)',
    async (isProtected) => {
      const where = await given();
      const { project, feature } = where;
      await protect(project, 'development');
      if (!isProtected) await protect(project, 'production', false);
      const role = await customRole(
        app,
        'custom',
        ['APPROVE_CHANGE_REQUEST', 'APPLY_CHANGE_REQUEST'].map((name) => ({
          name,
          environment: 'development',
        })),
      );
      const author = await person(app, { roles: { [project]: role } });
      const approver = await person(app, { roles: { [project]: role } });
      const made = await approved(
        { ...where, author, approver },
        inProduction(feature),
        'development',
      );
      const applied = await set(author, made, 'Applied');
      expect(applied.statusCode, applied.body).toBe(403);
      expect(await isOn(where)).toBe(false);
      expect(await isOn(where, 'development')).toBe(false);
      // Who may change production anyway needs nothing else, unless it needs approval, too.
      expect((await set(where.approver, made, 'Applied')).statusCode).toBe(isProtected ? 403 : 200);
      expect(await isOn(where)).toBe(!isProtected);
    },
  );

  test('an approval covers another environment only if the approver may approve there, too', async () => {
    const where = await given();
    const { project } = where;
    await protect(project, 'development');
    const only = (name: string) => [{ name, environment: 'production' }];
    const applier = await person(app, {
      roles: { [project]: await customRole(app, 'custom', only('APPLY_CHANGE_REQUEST')) },
    });
    const approver = await person(app, {
      roles: { [project]: await customRole(app, 'custom', only('APPROVE_CHANGE_REQUEST')) },
    });
    const made = await approved({ ...where, approver }, inProduction(where.feature));
    const refused = await set(applier, made, 'Applied');
    expect([refused.statusCode, await isOn(where)], refused.body).toEqual([403, false]);
    expect(refused.json().message).toContain("'development'");
    await become(where.approver, made, 'Approved');
    await become(applier, made, 'Applied');
    expect(await isOn(where, 'development')).toBe(true);
  });

  test('a request that also changes production is refused in any order of the environments', async () => {
    const where = await given();
    const { project } = where;
    await protect(project, 'development');
    const permissions = ['APPROVE_CHANGE_REQUEST', 'APPLY_CHANGE_REQUEST'].map((name) => ({
      name,
      environment: 'development',
    }));
    const role = await customRole(app, 'custom', permissions);
    const [author, approver] = [
      await person(app, { roles: { [project]: role } }),
      await person(app, { roles: { [project]: role } }),
    ];
    const change = inProduction(where.feature);
    const made = await approved({ ...where, author, approver }, change, 'development');
    const setType = (name: string, type: string) =>
      app.ask(`PUT ${admin}/environments/update/${name}`, { payload: { type } });
    const order = (development: number, production: number) =>
      app.ask(`PUT ${admin}/environments/sort-order`, { payload: { development, production } });
    expect((await setType('development', 'production')).statusCode).toBe(200);
    expect((await order(1, 2)).statusCode).toBe(200);
    const applied = await set(author, made, 'Applied');
    await setType('development', 'development');
    await order(100, 200);
    expect([applied.statusCode, await isOn(where)], applied.body).toEqual([403, false]);
  });
});

describe('an approved request', () => {
  test('is not applied to a new feature with the same name', async () => {
    const where = await given();
    const { project, feature } = where;
    const made = await approved(where, enable(feature));
    await app.ask(`DELETE ${admin}/projects/${project}/features/${feature}`);
    await app.ask(`DELETE ${admin}/archive/${feature}`);
    await make(app.ask).feature(feature, { project });
    const response = await set(where.author, made, 'Applied');
    expect([response.statusCode, response.json().name]).toEqual([409, 'ConflictError']);
    expect((await where.author.ask(`GET ${made.path}`)).json()).toMatchObject({
      conflicts: [{ reason: 'This feature was deleted, and another one has its name now' }],
      features: [{ conflict: 'This feature was deleted, and another one has its name now' }],
    });
    expect(await isOn(where)).toBe(false);
  });

  test('is applied to a feature that was archived and revived', async () => {
    const where = await given();
    const { project, feature } = where;
    const made = await approved(where, enable(feature));
    await app.ask(`DELETE ${admin}/projects/${project}/features/${feature}`);
    expect((await set(where.author, made, 'Applied')).statusCode).toBe(409);
    await app.ask(`POST ${admin}/archive/revive/${feature}`);
    await become(where.author, made, 'Applied');
    expect(await isOn(where)).toBe(true);
  });

  test('is not applied to a new project with the same ID', async () => {
    const where = await given();
    const { project, feature } = where;
    const made = await approved(where, enable(feature));
    await app.ask(`DELETE ${admin}/projects/${project}/features/${feature}`);
    const deleted = await app.ask(`DELETE ${admin}/projects/${project}`);
    expect(deleted.statusCode, deleted.body).toBe(200);
    await make(app.ask).project(project);
    await make(app.ask).feature(feature, { project });
    await app.ask(`PUT ${admin}/projects/${project}/users/${where.author.id}/roles`, {
      payload: { roles: [4] },
    });
    expect((await set(where.author, made, 'Applied')).statusCode).toBe(404);
    const listed = await where.author.ask(`GET ${admin}/projects/${project}/change-requests`);
    expect(listed.json()).toEqual([]);
  });

  test('is not applied to an environment that was removed from the project and added again', async () => {
    const where = await given();
    const { project, feature } = where;
    const made = await approved(where, enable(feature));
    await app.ask(`DELETE ${admin}/projects/${project}/environments/production`);
    await app.ask(`POST ${admin}/projects/${project}/environments`, {
      payload: { environment: 'production' },
    });
    expect((await set(where.author, made, 'Applied')).statusCode).toBe(400);
    expect(await isOn(where)).toBe(false);
  });
});

describe('an approval', () => {
  test('no longer counts once the approver leaves the group that may approve', async () => {
    const where = await given();
    const outsider = await person(app);
    const { id } = (
      await app.ask(`POST ${admin}/groups`, {
        payload: { name: `${where.project}-approvers`, users: [{ user: { id: outsider.id } }] },
      })
    ).json();
    await app.ask(`POST ${admin}/projects/${where.project}/role/4/access`, {
      payload: { groups: [{ id }], users: [] },
    });
    const made = await propose(where, enable(where.feature));
    await become(where.author, made, 'In review');
    await become(outsider, made, 'Approved');
    await app.ask(`PUT ${admin}/groups/${id}`, {
      payload: { name: `${where.project}-approvers`, users: [] },
    });
    const response = await set(where.author, made, 'Applied');
    expect([response.statusCode, response.json().name]).toEqual([403, 'InvalidOperationError']);
    expect(await isOn(where)).toBe(false);
  });

  test('cannot be given with an API token, or by an Editor without a role in the project', async () => {
    const where = await given();
    const made = await propose(where, enable(where.feature));
    await become(where.author, made, 'In review');
    const editor = await person(app, { rootRole: 2 });
    expect((await set(app, made, 'Approved')).json().name).toBe('InvalidOperationError');
    expect((await set(editor, made, 'Approved')).json().name).toBe('NoAccessError');
  });
});

describe('a request that needed no approval', () => {
  test('is neither applied nor scheduled once changes need approval', async () => {
    const where = await given();
    const { project, feature, author } = where;
    await protect(project, 'production', false);
    const made = await propose(where, enable(feature));
    await become(author, made, 'In review');
    await protect(project);
    const response = await set(author, made, 'Applied');
    expect([response.statusCode, response.json().name]).toEqual([403, 'NoAccessError']);
    const later = new Date(Date.now() + 3_600_000).toISOString();
    expect((await set(author, made, 'Scheduled', { scheduledAt: later })).statusCode).toBe(403);
    expect(await isOn(where)).toBe(false);
  });

  test('cannot change another environment that needs approval', async () => {
    const where = await given();
    const { feature, author } = where;
    const made = await propose(
      where,
      {
        feature,
        action: 'saveFeatureChanges',
        payload: {
          changes: [
            { action: 'updateEnabled', environment: 'production', payload: { enabled: true } },
          ],
        },
      },
      'development',
    );
    expect((await set(author, made, 'Applied')).statusCode).toBe(403);
    expect(await isOn(where)).toBe(false);
  });
});

test('an approved revert does not restore a strategy whose segment was changed without approval', async () => {
  const where = await given();
  const { project, feature, author } = where;
  const { id: segment } = await make(app.ask).segment(`${project}-segment`, {
    constraints: [{ contextName: 'userId', operator: 'IN', values: ['1'] }],
  });
  const inProduction = { project, environment: 'production' };
  const strategy = { name: 'default', segments: [segment] };
  const { id } = await make(app.ask).strategy(feature, strategy, inProduction);
  const path = `${admin}/projects/${project}/features/${feature}/environments/production` as const;
  const removed = await app.ask(`DELETE ${path}/strategies/${id}`);
  expect(removed.statusCode, removed.body).toBe(200);
  const { events } = (
    await app.ask(`GET ${admin}/search/events?limit=1&feature=IS:${feature}`)
  ).json();
  const made = await approved(where, {
    action: 'revertEvents',
    payload: { eventIds: [events[0].id] },
  });
  // No strategy uses it now, so that this needs no approval.
  const widened = await app.ask(`PUT ${admin}/segments/${segment}`, {
    payload: { name: `${project}-segment`, constraints: [] },
  });
  expect(widened.statusCode, widened.body).toBe(204);
  const refused = await set(where.approver, made, 'Applied');
  expect([refused.statusCode, refused.json().message]).toEqual([
    409,
    expect.stringContaining('A segment of this strategy changed'),
  ]);
  const { strategies } = (await author.ask(`GET ${path}`)).json();
  expect(strategies).toEqual([]);
});

test('an approved revert does not restore a feature whose segment was changed without approval', async () => {
  const where = await given();
  const { project, author } = where;
  const { id: segment } = await make(app.ask).segment(`${project}-lost`, {
    constraints: [{ contextName: 'userId', operator: 'IN', values: ['1'] }],
  });
  const lost = `${project}-lost-feature`;
  await make(app.ask).feature(lost, { project });
  const strategy = { name: 'default', segments: [segment] };
  await make(app.ask).strategy(lost, strategy, { project, environment: 'production' });
  const path = `${admin}/projects/${project}/features/${lost}`;
  await app.ask(`DELETE ${path}`);
  await app.ask(`DELETE ${admin}/archive/${lost}`);
  const { events } = (await app.ask(`GET ${admin}/search/events?feature=IS:${lost}`)).json();
  const eventIds = events
    .filter(({ type }: { type: string }) => /^feature-(archived|deleted)$/.test(type))
    .map(({ id }: { id: number }) => id);
  expect(eventIds).toHaveLength(2);
  const made = await approved(where, { action: 'revertEvents', payload: { eventIds } });
  const widened = await app.ask(`PUT ${admin}/segments/${segment}`, {
    payload: { name: `${project}-lost`, constraints: [] },
  });
  expect(widened.statusCode, widened.body).toBe(204);
  const refused = await set(where.approver, made, 'Applied');
  expect([refused.statusCode, refused.json().message]).toEqual([
    409,
    expect.stringContaining('A segment of this strategy changed'),
  ]);
  expect((await author.ask(`GET ${path}`)).statusCode).toBe(404);
});

test('headers, methods, and spellings of a URL cannot bypass the guard', async () => {
  const where = await given();
  const { project, feature, author } = where;
  const features = `${admin}/projects/${project}/features`;
  const path = `${features}/${feature}/environments/production`;
  const attempts = [
    author.ask(`POST ${path}/on/`),
    author.ask(`POST ${path}/on?dryRun=true`),
    author.ask(`POST ${path}/on?propose=false`),
    author.ask(`POST ${path}/on?propose=true&propose=false`),
    author.ask(`POST ${path}/%6fn`),
    author.ask(`POST ${features}/${feature}/environments/%70roduction/on`),
    author.ask(`POST ${features}/${feature}/environments/PRODUCTION/on`),
    author.ask(`POST /${path}/on`),
    author.ask(`POST ${path}/../production/on`),
    author.ask(`POST ${admin}/projects/default/features/${feature}/environments/production/on`),
    author.ask(`POST ${path}/off`, { headers: { 'x-http-method-override': 'PUT' } }),
    author.ask(`POST ${path}/on`, { headers: { 'x-original-url': `${path}/off` } }),
    author.ask(`POST ${path}/on`, { payload: { changeRequestId: 1, approvedBy: [1] } }),
  ];
  for (const attempt of attempts) await attempt;
  expect(await isOn(where)).toBe(false);
});
