import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../support/app.ts';
import { make } from '../support/make.ts';
import { customRole, person } from '../support/people.ts';
import { someCases } from '../support/random-cases.ts';
import { countEvents, recordedBy } from '../support/recorded.ts';
import { bulkActions, exempt, guarded, type Protected, refused } from './operations.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});

const admin = '/api/admin';
let projects = 0;

const protect = (project: string, environment = 'production', changeRequestsEnabled = true) =>
  app.ask(`PUT ${admin}/projects/${project}/environments/${environment}/change-requests/config`, {
    payload: { changeRequestsEnabled },
  });

/** A project with change requests in production, and an editor who owns it. */
async function protectedProject(): Promise<Protected> {
  projects += 1;
  const project = `guarded-${projects}`;
  await make(app.ask).project(project);
  await protect(project);
  const { ask } = await person(app, { rootRole: 2, roles: { [project]: 4, default: 4 } });
  return { project, admin: app.ask, ask };
}

const document = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../docs/openapi.json'), 'utf8'),
) as { paths: Record<string, Record<string, { operationId: string }>> };

interface Proposal {
  readonly path: string;
  readonly body: { readonly action: string } | readonly { readonly action: string }[];
}

/** Proposes what was refused. The draft has these changes, and nothing else is recorded. */
async function expectDraft({ ask }: Protected, { path, body }: Proposal): Promise<void> {
  const response = await ask(`POST ${path}` as 'POST /', { payload: body });
  expect(response.statusCode, response.body).toBe(200);
  const { state, features, segments, changes } = response.json();
  expect(state).toBe('Draft');
  const proposed = [
    ...features.flatMap((each: { changes: [] }) => each.changes),
    ...segments,
    ...changes,
  ];
  const actions = [body].flat().map(({ action }) => action);
  expect(proposed.map(({ action }) => action).sort()).toEqual([...actions].sort());
  const types = new Set((await recordedBy(app.db, response)).map(({ type }) => type));
  expect([...types].sort()).toEqual(['change-added', 'change-request-created']);
}

test('every operation that is not a read is guarded, refused, or exempt for a reason', () => {
  const writing = Object.values(document.paths).flatMap((methods) =>
    Object.entries(methods)
      .filter(([method]) => method !== 'get')
      .map(([, { operationId }]) => operationId),
  );
  const classified = [
    'changeFeaturesInBulk',
    ...[guarded, refused, exempt].flatMap((list) => Object.keys(list)),
  ];
  expect(new Set(classified).size).toBe(classified.length);
  expect(writing.filter((id) => !classified.includes(id))).toEqual([]);
  expect(classified.filter((id) => !writing.includes(id))).toEqual([]);
});

describe('where changes need approval, an operation is refused with a proposal', () => {
  test.each(Object.entries(guarded))('%s', async (_id, attempt) => {
    const given = await protectedProject();
    let events = 0;
    const response = await attempt({
      ...given,
      ask: async (...request) => {
        events = await countEvents(app.db);
        return given.ask(...request);
      },
    });
    expect([response.statusCode, response.json().name], response.body).toEqual([
      403,
      'NoAccessError',
    ]);
    expect(response.json().message).toBe(
      "You need the SKIP_CHANGE_REQUEST permission in the environment 'production' to do this",
    );
    expect(response.json().proposal).toEqual({
      path: `${admin}/projects/${given.project}/environments/production/change-requests`,
      body: expect.anything(),
    });
    expect(await countEvents(app.db)).toBe(events);
    await expectDraft(given, response.json().proposal);
  });
});

describe('a bulk change refuses features whose change needs approval, with a proposal', () => {
  test.each(Object.entries(bulkActions))('%s', async (_action, attempt) => {
    const given = await protectedProject();
    const response = await attempt(given);
    expect(response.statusCode, response.body).toBe(200);
    expect(await recordedBy(app.db, response)).toEqual([]);
    const { features, proposals } = response.json();
    expect(features).toMatchObject([
      {
        outcome: 'refused',
        why: expect.stringContaining(
          "SKIP_CHANGE_REQUEST permission in the environment 'production'",
        ),
      },
    ]);
    expect(proposals).toEqual([
      {
        path: `${admin}/projects/${given.project}/environments/production/change-requests`,
        body: [expect.objectContaining({ action: expect.any(String) })],
      },
    ]);
    await expectDraft(given, proposals[0]);
  });
});

describe('with propose=true, a bulk change is proposed where it needs approval', () => {
  test.each(someCases(3, Object.entries(bulkActions)))('%s', async (_action, attempt) => {
    const given = await protectedProject();
    // Also by those who may not make it themselves.
    const viewer = await person(app, { rootRole: 3, roles: { [given.project]: 5 } });
    const response = await attempt({
      ...given,
      ask: (request, options) =>
        viewer.ask(
          `${request}${request.includes('/features/bulk') ? '?propose=true' : ''}`,
          options,
        ),
    });
    expect(response.statusCode, response.body).toBe(200);
    const { features, proposals, changeRequests } = response.json();
    expect(features).toMatchObject([{ outcome: 'proposed' }]);
    expect(proposals).toBeUndefined();
    expect(changeRequests).toEqual([
      { id: expect.any(Number), project: given.project, environment: 'production' },
    ]);
    const draft = `${admin}/projects/${given.project}/change-requests/${changeRequests[0].id}`;
    expect((await viewer.ask(`GET ${draft}`)).json()).toMatchObject({ state: 'Draft' });
  });

  test('and refused if it is too large for a change request', async () => {
    const { project, ask } = await protectedProject();
    const names = Array.from({ length: 101 }, (_, index) => `${project}-many-${index}`);
    for (const name of names) await make(app.ask).feature(name, { project });
    const response = await ask(`POST ${admin}/features/bulk?propose=true`, {
      payload: { action: 'archive', features: [...names, 'nosuch'] },
    });
    expect(response.statusCode, response.body).toBe(200);
    const { features, changeRequests } = response.json();
    expect(changeRequests).toBeUndefined();
    expect(features[0]).toMatchObject({ outcome: 'refused', why: expect.stringContaining('100') });
    expect((await ask(`GET ${admin}/projects/${project}/change-requests/pending`)).json()).toEqual(
      [],
    );
  });
});

describe('an operation that would also delete its change request is refused without a proposal', () => {
  test.each(Object.entries(refused))('%s', async (_id, attempt) => {
    const given = await protectedProject();
    const response = await attempt(given);
    expect([response.statusCode, response.json().proposal], response.body).toEqual([
      403,
      undefined,
    ]);
    expect(response.json().message).toMatch(/SKIP_CHANGE_REQUEST.*Disable change requests/);
    await protect(given.project, 'production', false);
    expect((await attempt(given)).statusCode).toBe(200);
  });
});

test('changes in other environments, and those without effect, are not refused', async () => {
  const { project, ask } = await protectedProject();
  await make(ask).feature(`${project}-free`, { project });
  await make(ask).strategy(`${project}-free`, {}, { project, environment: 'development' });
  const path = `${admin}/projects/${project}/features/${project}-free` as const;
  expect((await ask(`POST ${path}/environments/production/off`)).statusCode).toBe(200);
  const description = { payload: { description: 'Free' } };
  expect((await ask(`PUT ${path}`, description)).statusCode).toBe(200);
  const dryRun = await ask(`POST ${path}/changes?dryRun=true`, {
    payload: {
      changes: [{ action: 'updateEnabled', environment: 'production', payload: { enabled: true } }],
    },
  });
  expect(dryRun.statusCode, dryRun.body).toBe(200);
});

test('the permission to skip change requests counts in its environment only', async () => {
  const { project } = await protectedProject();
  await protect(project, 'development');
  const role = await customRole(app, 'custom', [
    { name: 'SKIP_CHANGE_REQUEST', environment: 'development' },
  ]);
  const { ask } = await person(app, { roles: { [project]: [4, role] } });
  const name = `${project}-skipped`;
  await make(app.ask).feature(name, { project });
  const path = `${admin}/projects/${project}/features/${name}` as const;
  const on = (environment: string) => ask(`POST ${path}/environments/${environment}/on`);
  expect((await on('development')).statusCode).toBe(200);
  expect((await on('production')).statusCode).toBe(403);
  // Archiving concerns both.
  expect((await ask(`DELETE ${path}`)).statusCode).toBe(403);
  expect((await app.ask(`DELETE ${path}`)).statusCode).toBe(202);
});

test('users who may skip change requests can propose, too', async () => {
  const { project } = await protectedProject();
  const name = `${project}-proposed`;
  await make(app.ask).feature(name, { project });
  const path = `${admin}/projects/${project}/features/${name}/environments/production` as const;
  const proposed = await app.ask(`POST ${path}/on?propose=true`);
  expect([proposed.statusCode, proposed.json().changeRequest.project]).toEqual([202, project]);
  expect((await app.ask(`GET ${path}`)).json().enabled).toBe(false);
  expect((await app.ask(`POST ${path}/on`)).statusCode).toBe(200);
});

test('a move needs approval in the project that the feature leaves and in the one that it enters', async () => {
  const { project, ask } = await protectedProject();
  await make(app.ask).feature(`${project}-coming`);
  const move = (from: string, feature: string, newProjectId: string) =>
    ask(`POST ${admin}/projects/${from}/features/${feature}/changeProject`, {
      payload: { newProjectId },
    });
  const entering = await move('default', `${project}-coming`, project);
  expect([entering.statusCode, entering.json().proposal.path]).toEqual([
    403,
    `${admin}/projects/${project}/environments/production/change-requests`,
  ]);
  await make(app.ask).feature(`${project}-leaving`, { project });
  expect((await move(project, `${project}-leaving`, 'default')).statusCode).toBe(403);
});

test('a segment without effect in a protected environment can be changed without approval', async () => {
  const { project, ask } = await protectedProject();
  const { id } = await make(app.ask).segment(`${project}-unused`);
  const change = (payload: object) => ask(`PUT ${admin}/segments/${id}`, { payload });
  const name = `${project}-unused`;
  expect((await change({ name, constraints: [] })).statusCode).toBe(204);
  await make(app.ask).feature(name, { project });
  const production = { project, environment: 'production' };
  await make(app.ask).strategy(name, { segments: [id] }, production);
  expect((await change({ name: `${name}-renamed`, constraints: [] })).statusCode).toBe(204);
  const constraints = [{ contextName: 'userId', operator: 'IN', values: ['1'] }];
  expect((await change({ name, constraints })).statusCode).toBe(403);
});

test('a segment of a default strategy can only be changed with approval', async () => {
  const { project, ask } = await protectedProject();
  const name = `${project}-default`;
  const { id } = await make(app.ask).segment(name);
  const change = (payload: object) => ask(`PUT ${admin}/segments/${id}`, { payload });
  const setDefault = async (environment: string, segments: number[]) => {
    const path = `${admin}/projects/${project}/environments/${environment}/default-strategy`;
    const payload = { name: 'flexibleRollout', segments };
    expect((await app.ask(`POST ${path}` as 'POST /', { payload })).statusCode).toBe(200);
  };
  await setDefault('development', [id]);
  expect((await change({ name, constraints: [] })).statusCode).toBe(204);
  await setDefault('production', [id]);
  const constraints = [{ contextName: 'userId', operator: 'IN', values: ['1'] }];
  const refused = await change({ name, constraints });
  expect([refused.statusCode, refused.json().proposal]).toEqual([
    403,
    {
      path: `${admin}/projects/${project}/environments/production/change-requests`,
      body: { action: 'updateSegment', payload: { id, name, constraints } },
    },
  ]);
  expect((await change({ name: `${name}-renamed`, constraints: [] })).statusCode).toBe(204);
  await setDefault('production', []);
  expect((await change({ name, constraints })).statusCode).toBe(204);
});

test('changing a segment that only a hidden project uses is refused without naming the project', async () => {
  const { project } = await protectedProject();
  const { id } = await make(app.ask).segment(`${project}-hidden`);
  await make(app.ask).feature(`${project}-hidden`, { project });
  const production = { project, environment: 'production' };
  await make(app.ask).strategy(`${project}-hidden`, { segments: [id] }, production);
  await app.ask(`PUT ${admin}/projects/${project}/settings`, { payload: { mode: 'private' } });
  const outsider = await person(app, { rootRole: 2 });
  const response = await outsider.ask(`PUT ${admin}/segments/${id}`, {
    payload: { name: `${project}-hidden`, constraints: [] },
  });
  expect(response.statusCode).toBe(403);
  expect(response.body).not.toContain(`projects/${project}`);
  expect(response.json()).not.toHaveProperty('proposal');
});

test('enabling change requests waits for changes in progress', async () => {
  const { project, ask } = await protectedProject();
  await protect(project, 'production', false);
  const name = `${project}-raced`;
  await make(app.ask).feature(name, { project });
  const path = `${admin}/projects/${project}/features/${name}/environments/production`;
  const [enabled, changed] = await Promise.all([protect(project), ask(`POST ${path}/on`)]);
  expect(enabled.statusCode).toBe(204);
  const [setting] = await recordedBy(app.db, enabled);
  expect(setting?.type).toBe('change-request-configuration-updated');
  if (changed.statusCode === 403) return;
  // It was committed first.
  const { rows } = await app.db
    .selectFrom('events')
    .where('project', '=', project)
    .where('type', 'in', ['feature-environment-enabled', 'change-request-configuration-updated'])
    .select('type')
    .orderBy('id', 'desc')
    .limit(1)
    .execute()
    .then((rows) => ({ rows }));
  expect(rows).toEqual([{ type: 'change-request-configuration-updated' }]);
});

test('with propose=true, a change that needs approval becomes a draft', async () => {
  const { project, ask } = await protectedProject();
  await make(app.ask).feature(`${project}-proposed`, { project });
  const path = `${admin}/projects/${project}/features/${project}-proposed` as const;
  const on = (environment: string) =>
    ask(`POST ${path}/environments/${environment}/on?propose=true`);
  const response = await on('production');
  expect(response.statusCode, response.body).toBe(202);
  const { changeRequest } = response.json();
  expect(changeRequest).toEqual({ id: expect.any(Number), project, environment: 'production' });
  const draft = await ask(`GET ${admin}/projects/${project}/change-requests/${changeRequest.id}`);
  expect(draft.json()).toMatchObject({
    state: 'Draft',
    features: [{ changes: [{ action: 'updateEnabled', payload: { enabled: true } }] }],
  });
  // A second change joins the draft, and a change that needs no approval is made.
  const cloned = await ask(`POST ${path}/environments/production/strategies?propose=true`, {
    payload: { name: 'flexibleRollout' },
  });
  expect(cloned.json()).toEqual({ changeRequest });
  expect((await on('development')).statusCode).toBe(200);
});

test('a clone to a taken name gets 403 rather than 409 if it needs approval', async () => {
  const { project, ask } = await protectedProject();
  const name = `${project}-cloned`;
  await make(app.ask).feature(name, { project });
  await make(app.ask).strategy(name, {}, { project, environment: 'production' });
  const path = `${admin}/projects/${project}/features/${name}/clone` as const;
  const payload = { name };
  const refused = await ask(`POST ${path}`, { payload });
  expect([refused.statusCode, refused.json().proposal?.body.action]).toEqual([
    403,
    'cloneFeatures',
  ]);
  const clone = { features: [{ feature: name, name }] };
  const several = await ask(`POST ${admin}/projects/${project}/features/clone`, { payload: clone });
  expect(several.statusCode).toBe(403);
  expect((await ask(`POST ${path}?propose=true`, { payload })).statusCode).toBe(409);
  expect((await app.ask(`POST ${path}`, { payload })).statusCode).toBe(409);
  expect((await ask(`POST ${path}?dryRun=true`, { payload })).statusCode).toBe(409);
});

test('a change that is too large to be proposed is refused with the reason', async () => {
  const { project, ask } = await protectedProject();
  const name = `${project}-large`;
  const values = Array.from({ length: 7000 }, (_, index) => `${index}-${'x'.repeat(138)}`);
  const constraints = [{ contextName: 'userId', operator: 'IN', values }];
  const { id } = await make(app.ask).segment(name);
  await make(app.ask).feature(name, { project });
  const production = { project, environment: 'production' };
  await make(app.ask).strategy(name, { segments: [id] }, production);
  const path = `${admin}/segments/${id}?propose=true` as const;
  const response = await ask(`PUT ${path}`, { payload: { name, constraints } });
  expect(response.statusCode, response.body).toBe(403);
  expect(response.json().message).toContain('It is too large to propose');
  expect(response.json()).not.toHaveProperty('proposal');
});

describe('everyone who sees a project can propose with propose=true', () => {
  /** Other projects may use a global segment, and a move needs the permission in the other project. */
  const others = ['updateSegment', 'updateFeatureStrategySegments', 'changeProject'];
  const proposable = Object.entries(guarded).filter(([id]) => !others.includes(id));
  test.each(someCases(3, proposable))('%s', async (_id, attempt) => {
    const given = await protectedProject();
    const viewer = await person(app);
    const proposed = await attempt({
      ...given,
      ask: (request, options) =>
        viewer.ask(`${request}${request.includes('?') ? '&' : '?'}propose=true`, options),
    });
    expect(proposed.statusCode, proposed.body).toBe(202);
    const types = new Set((await recordedBy(app.db, proposed)).map(({ type }) => type));
    expect([...types].sort()).toEqual(['change-added', 'change-request-created']);
  });

  test.each<[string, (path: string, feature: string) => [request: string, payload: object]]>([
    ['a new feature', (path, name) => [`POST ${path}/features`, { name: `${name}-new` }]],
    ['a clone', (path, name) => [`POST ${path}/features/${name}/clone`, { name: `${name}-copy` }]],
    [
      'several clones',
      (path, name) => [
        `POST ${path}/features/clone`,
        { features: [{ feature: name, name: `${name}-copy` }] },
      ],
    ],
  ])(
    '%s without strategies, which needs no approval from users with permission',
    async (_what, request) => {
      const { project, ask } = await protectedProject();
      const name = `${project}-empty`;
      await make(app.ask).feature(name, { project });
      const viewer = await person(app);
      const [path, payload] = request(`${admin}/projects/${project}`, name);
      const proposed = await viewer.ask(`${path}?propose=true` as 'POST /', { payload });
      expect(proposed.statusCode, proposed.body).toBe(202);
      expect((await viewer.ask(path as 'POST /', { payload })).statusCode).toBe(403);
      const made = await ask(`${path}?propose=true` as 'POST /', { payload });
      expect(made.statusCode, made.body).toBeLessThan(202);
      expect((await recordedBy(app.db, made)).map(({ type }) => type)).toContain('feature-created');
    },
  );

  test('a change to a segment of the project, and an import of features without strategies', async () => {
    const { project } = await protectedProject();
    const name = `${project}-segment`;
    const { id } = await make(app.ask).segment(name, { project });
    const viewer = await person(app);
    const segment = `${admin}/segments/${id}` as const;
    const renamed = await viewer.ask(`PUT ${segment}?propose=true`, {
      payload: { name: `${name}-renamed`, project, constraints: [] },
    });
    expect(renamed.statusCode, renamed.body).toBe(202);
    expect((await app.ask(`GET ${segment}`)).json().name).toBe(name);
    const file = (environment: string) => ({
      ...{ project, environment },
      data: {
        features: [{ name: `${project}-imported` }],
        ...{ featureStrategies: [], featureEnvironments: [], contextFields: [], featureTags: [] },
        ...{ segments: [], tagTypes: [], dependencies: [] },
      },
    });
    const send = (operation: string, environment: string) =>
      viewer.ask(`POST ${admin}/features-batch/${operation}?propose=true` as 'POST /', {
        payload: file(environment),
      });
    expect((await send('validate', 'production')).statusCode).toBe(200);
    expect((await send('import', 'production')).statusCode).toBe(202);
    expect((await send('import', 'development')).statusCode).toBe(403);
    // Other projects may use a segment that is global.
    const { id: global } = await make(app.ask).segment(`${name}-global`);
    const refused = await viewer.ask(`PUT ${admin}/segments/${global}?propose=true`, {
      payload: { name: `${name}-global`, constraints: [] },
    });
    expect(refused.statusCode).toBe(403);
  });

  test('but not changes that need no approval, or changes in a project that they do not see', async () => {
    const { project } = await protectedProject();
    const name = `${project}-unprotected`;
    await make(app.ask).feature(name, { project });
    const path = `${admin}/projects/${project}/features/${name}/environments/development` as const;
    const viewer = await person(app);
    const events = await countEvents(app.db);
    const on = await viewer.ask(`POST ${path}/on?propose=true`);
    expect([on.statusCode, on.json().message]).toEqual([
      403,
      "You need the UPDATE_FEATURE_ENVIRONMENT permission in the environment 'development' to do this",
    ]);
    // Nothing would change.
    expect((await viewer.ask(`POST ${path}/off?propose=true`)).statusCode).toBe(403);
    expect((await viewer.ask(`POST ${path}/on`)).statusCode).toBe(403);
    expect(await countEvents(app.db)).toBe(events);
    await app.ask(`PUT ${admin}/projects/${project}/settings`, { payload: { mode: 'private' } });
    expect((await viewer.ask(`POST ${path}/on?propose=true`)).statusCode).toBe(404);
  });
});

test('an approved clone is applied as it was approved, and its events name the request', async () => {
  const { project, ask } = await protectedProject();
  const name = `${project}-original`;
  await make(app.ask).feature(name, { project });
  await make(app.ask).strategy(name, {}, { project, environment: 'production' });
  const path = `${admin}/projects/${project}/features/${name}` as const;
  const proposed = await ask(`POST ${path}/clone?propose=true`, {
    payload: { name: `${name}-copy` },
  });
  const { id } = proposed.json().changeRequest;
  const request = `${admin}/projects/${project}/change-requests/${id}` as const;
  const to = (by: typeof ask, state: string) => by(`PUT ${request}/state`, { payload: { state } });
  expect((await to(ask, 'In review')).statusCode).toBe(200);
  const approver = await person(app, { roles: { [project]: 4 } });
  expect((await to(approver.ask, 'Approved')).statusCode).toBe(200);
  const applied = await to(ask, 'Applied');
  expect(applied.statusCode, applied.body).toBe(200);
  const recorded = await recordedBy(app.db, applied);
  expect(recorded.map(({ type }) => type)).toEqual([
    'feature-created',
    'feature-strategy-add',
    'change-request-applied',
  ]);
  for (const { data } of recorded) expect(data).toMatchObject({ changeRequestId: id });
  expect((await ask(`GET ${path}-copy`)).statusCode).toBe(200);
});

test('an approved move needs the permission in the project that the feature leaves', async () => {
  const { project } = await protectedProject();
  const owner = await person(app, { roles: { [project]: 4 } });
  const approver = await person(app, { roles: { [project]: 4 } });
  const move = async (from: string, feature: string) => {
    await make(app.ask).project(from);
    await make(app.ask).feature(feature, { project: from });
    return owner.ask(`POST ${admin}/projects/${project}/environments/production/change-requests`, {
      payload: {
        action: 'moveFeature',
        payload: { feature, project: from, newProjectId: project },
      },
    });
  };
  const proposed = await move(`${project}-source`, `${project}-taken`);
  expect(proposed.statusCode, proposed.body).toBe(200);
  const request = `${admin}/projects/${project}/change-requests/${proposed.json().id}` as const;
  const to = (by: TestApp['ask'], state: string) =>
    by(`PUT ${request}/state`, { payload: { state } });
  await to(owner.ask, 'In review');
  await to(approver.ask, 'Approved');
  const applied = await to(owner.ask, 'Applied');
  expect([applied.statusCode, applied.json().name], applied.body).toEqual([403, 'NoAccessError']);
  expect(applied.json().message).toContain('MOVE_FEATURE_TOGGLE');
  const settings = { payload: { mode: 'private' } };
  await app.ask(`PUT ${admin}/projects/${project}-source/settings`, settings);
  const hidden = await owner.ask(
    `POST ${admin}/projects/${project}/environments/production/change-requests`,
    {
      payload: {
        action: 'moveFeature',
        payload: {
          feature: `${project}-taken`,
          project: `${project}-source`,
          newProjectId: project,
        },
      },
    },
  );
  expect(hidden.statusCode).toBe(404);
});
