import type { LightMyRequestResponse } from 'fastify';
import { expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../test/support/app.ts';
import { make } from '../../../../test/support/make.ts';
import { person } from '../../../../test/support/people.ts';
import { readPresentStates, type Subject } from '../../history/index.ts';

const app = await testApp();
const create = make(app.ask);
const admin = '/api/admin';

type Answer = ReturnType<TestApp['ask']>;

const ok = async (answer: Answer): Promise<LightMyRequestResponse> => {
  const response = await answer;
  expect(response.statusCode, response.body).toBeLessThan(300);
  return response;
};

const send = (request: Parameters<TestApp['ask']>[0], payload?: object) => () =>
  app.ask(request, payload ? { payload } : {});

const head = async (): Promise<number> =>
  (await app.ask(`GET ${admin}/search/events?limit=1`)).json().events[0].id;

const revert = (payload: object, { ask = app.ask, query = '' } = {}) =>
  ask(`POST ${admin}/events/revert${query}`, { payload });

const stateOf = async (subjects: readonly Subject[]) =>
  (await readPresentStates(app.db, subjects))
    .map((state) => JSON.stringify(state))
    .sort()
    .map((text) => JSON.parse(text));

/** Makes a change, and returns its events as a selection. */
async function made(change: () => Answer) {
  const before = await head();
  await ok(change());
  return { from: `${before + 1}`, to: `${await head()}` };
}

/** Makes a change, reverts it, reverts the revert, and reverts that. */
async function there(subjects: readonly Subject[], what: string, change: () => Answer) {
  const before = await stateOf(subjects);
  const selection = await made(change);
  const changed = await stateOf(subjects);
  expect(changed, what).not.toEqual(before);
  const dry = (await ok(revert(selection, { query: '?dryRun=true' }))).json();
  expect(await stateOf(subjects), what).toEqual(changed);
  const done = (await ok(revert(selection))).json();
  expect([done.changes, done.notReverted], what).toEqual([dry.changes, dry.notReverted]);
  expect(await stateOf(subjects), what).toEqual(before);
  const again = (await ok(revert({ eventIds: done.eventIds }))).json();
  expect(await stateOf(subjects), what).toEqual(changed);
  await ok(revert({ eventIds: again.eventIds }));
  expect(await stateOf(subjects), what).toEqual(before);
}

const newGroup = async (name: string, users: readonly number[] = []): Promise<number> =>
  (
    await ok(
      app.ask(`POST ${admin}/groups`, {
        payload: { name, users: users.map((id) => ({ user: { id } })) },
      }),
    )
  ).json().id;

test('every change of the access to a project can be reverted, and so can its revert', async () => {
  await create.project('team');
  const [ada, bo] = [await person(app), await person(app)];
  const group = await newGroup('team-group');
  const project = `${admin}/projects/team` as const;
  const owner = await person(app);
  await ok(send(`PUT ${project}/users/${owner.id}/roles`, { roles: [4] })());
  const subjects: Subject[] = [
    { kind: 'project-user', key: 'team' },
    { kind: 'project-group', key: 'team' },
  ];
  const roles = (...list: number[]) => ({ roles: list });
  const grants = { roles: [5], groups: [group], users: [ada.id, bo.id] };
  const holdings = [{ id: 4, users: [ada.id], groups: [group] }];
  await there(subjects, 'added', send(`POST ${project}/access`, grants));
  await ok(send(`POST ${project}/access`, grants)());
  for (const [what, change] of Object.entries({
    'roles of a user': send(`PUT ${project}/users/${ada.id}/roles`, roles(4)),
    'roles of a group': send(`PUT ${project}/groups/${group}/roles`, roles(4, 5)),
    'a removed user': send(`DELETE ${project}/users/${bo.id}/roles`),
    'a removed group': send(`DELETE ${project}/groups/${group}/roles`),
    // The owners swap, so that there is always one.
    everything: send(`PUT ${project}/access`, { roles: holdings }),
    'a role': send(`POST ${project}/users/${bo.id}/roles/4`),
  })) {
    await there(subjects, what, change);
  }
});

test('a revert neither removes the last owner of a project nor restores access of a deleted account', async () => {
  await create.project('kept');
  const [ada, bo] = [await person(app), await person(app)];
  const project = `${admin}/projects/kept` as const;
  const grant = (id: number, role: number) =>
    send(`PUT ${project}/users/${id}/roles`, { roles: [role] });
  const owned = await made(grant(ada.id, 4));
  const first = await app.db
    .selectFrom('project_user_roles')
    .where('project', '=', 'kept')
    .where('user_id', '<>', ada.id)
    .select('user_id')
    .execute();
  for (const { user_id: id } of first) await ok(send(`DELETE ${project}/users/${id}/roles`)());
  const refused = await revert(owned);
  expect([refused.statusCode, refused.json().message]).toEqual([
    409,
    expect.stringMatching(/^Access of user \d+ to the project 'kept' can't be .*one owner/),
  ]);
  await ok(grant(bo.id, 5)());
  const removed = await made(send(`DELETE ${project}/users/${bo.id}/roles`));
  await ok(send(`DELETE ${admin}/user-admin/${bo.id}`)());
  const gone = await revert(removed);
  expect([gone.statusCode, gone.json().conflicts]).toMatchObject([
    409,
    [{ type: 'project-user', now: [], reason: 'The account was deleted' }],
  ]);
});

test('changes of roles, groups, root roles, and settings can be reverted', async () => {
  const invite = (username: string) =>
    ok(send(`POST ${admin}/user-admin`, { username, rootRole: 3 })());
  const [ada, bo] = [(await invite('ada')).json(), (await invite('bo')).json()];
  await create.project('held');
  await create.feature('held-feature', { project: 'held' });
  const group = await newGroup('holders', [ada.id, bo.id]);
  await ok(
    send(`POST ${admin}/projects/held/access`, { roles: [5], groups: [group], users: [] })(),
  );
  await ok(
    send(`PUT ${admin}/projects/held/features/held-feature`, {
      owner: { type: 'group', id: group },
    })(),
  );
  const permissions = [{ name: 'CREATE_FEATURE' }];
  const role = { name: 'maker', type: 'custom', permissions };
  const { id } = (await ok(send(`POST ${admin}/roles`, role)())).json().roles;
  const origins = (...list: string[]) => ({ frontendApiOrigins: list });
  const oidc = { discoverUrl: 'https://id.example.com', clientId: 'burgee', secret: 'hidden' };
  await ok(send(`POST ${admin}/auth/oidc/settings`, oidc)());
  const subjects: Subject[] = [
    { kind: 'role', key: `${id}` },
    { kind: 'group', key: `${group}` },
    { kind: 'group-user', key: `${group}` },
    { kind: 'project-group', key: 'held' },
    { kind: 'feature', key: 'held-feature' },
    { kind: 'account', key: `${ada.id}` },
    ...['unleash.frontend', 'burgee.event-retention', 'unleash.enterprise.auth.oidc'].map(
      (key): Subject => ({ kind: 'setting', key }),
    ),
  ];
  for (const [what, change] of Object.entries({
    'permissions of a role': send(`PUT ${admin}/roles/${id}`, {
      name: 'builder',
      permissions: [{ name: 'UPDATE_FEATURE_STRATEGY', environment: 'development' }],
    }),
    'a deleted role': send(`DELETE ${admin}/roles/${id}`),
    'members of a group': send(`PUT ${admin}/groups/${group}`, {
      ...{ name: 'owners', mappingsSSO: ['staff'], users: [{ user: { id: bo.id } }] },
    }),
    'a deleted group': send(`DELETE ${admin}/groups/${group}`),
    'a root role': send(`PUT ${admin}/user-admin/${ada.id}`, { rootRole: 2 }),
    'a setting without a value before': send(
      `POST ${admin}/ui-config/cors`,
      origins('https://a.example.com'),
    ),
    retention: send(`PUT ${admin}/settings/retention`, { eventDays: 9 }),
    'single sign-on': send(`POST ${admin}/auth/oidc/settings`, {
      ...{ enabled: true, autoCreate: true, clientId: 'other' },
    }),
  })) {
    await there(subjects, what, change);
  }
  const settings = (await ok(send(`GET ${admin}/auth/oidc/settings`)())).json();
  expect(settings).toMatchObject({ enabled: false, clientId: 'burgee', secret: '*****' });
  const renamed = await made(send(`PUT ${admin}/user-admin/${ada.id}`, { name: 'Countess' }));
  expect((await revert(renamed)).json().notReverted).toMatchObject([
    { reason: expect.stringContaining('Only the root role') },
  ]);
  const both = await made(send(`PUT ${admin}/user-admin/${ada.id}`, { name: 'Ada', rootRole: 1 }));
  expect((await ok(revert(both))).json()).toMatchObject({
    changes: [{ type: 'account', after: { rootRole: 3 } }],
    notReverted: [{ reason: expect.stringContaining('Only the root role') }],
  });
});

test('changes of the environments of a project and of their protection can be reverted', async () => {
  await create.project('places');
  await create.feature('placed', { project: 'places' });
  const inProduction = { project: 'places', environment: 'production' };
  await create.strategy('placed', { title: 'Kept' }, inProduction);
  await create.switchedOn('placed', inProduction);
  await create.environment('staging');
  const project = `${admin}/projects/places` as const;
  const production = `${project}/environments/production` as const;
  const subjects: Subject[] = [
    { kind: 'project-environment', key: 'places' },
    { kind: 'feature-environment', key: 'placed' },
  ];
  const approvals = { changeRequestsEnabled: true, requiredApprovals: 3 };
  for (const [what, change] of Object.entries({
    added: send(`POST ${project}/environments`, {
      ...{ environment: 'staging', changeRequestsEnabled: true },
    }),
    'default strategy': send(`POST ${production}/default-strategy`, {
      ...{ name: 'flexibleRollout', parameters: { rollout: '7', stickiness: 'default' } },
    }),
    approvals: send(`PUT ${production}/change-requests/config`, {
      ...{ ...approvals, rules: { selfApproval: 'nobody' } },
    }),
    removed: send(`DELETE ${production}`),
  })) {
    await there(subjects, what, change);
  }
  const added = await made(send(`POST ${project}/environments`, { environment: 'staging' }));
  await create.strategy('placed', {}, { project: 'places', environment: 'staging' });
  const refused = await revert({ ...added, to: added.from });
  expect([refused.statusCode, refused.json().message]).toEqual([
    409,
    expect.stringContaining('enabled features of the feature placed'),
  ]);
});

test('reverting a creation deletes the object unless it is in use, and can itself be reverted', async () => {
  const subjects: Subject[] = [
    { kind: 'environment', key: 'canary' },
    { kind: 'context-field', key: 'region' },
    { kind: 'tag-type', key: 'squad' },
    { kind: 'strategy-type', key: 'homemade' },
    { kind: 'project', key: 'fresh' },
    { kind: 'project-environment', key: 'fresh' },
  ];
  const canary = { name: 'canary', type: 'test' };
  const creations = {
    environment: send(`POST ${admin}/environments`, canary),
    'context field': send(`POST ${admin}/context`, { name: 'region' }),
    'tag type': send(`POST ${admin}/tag-types`, { name: 'squad' }),
    'strategy type': send(`POST ${admin}/strategies`, { name: 'homemade', parameters: [] }),
    project: send(`POST ${admin}/projects`, {
      ...{ id: 'fresh', name: 'Fresh', environments: ['development'] },
    }),
  };
  for (const [what, change] of Object.entries(creations)) await there(subjects, what, change);
  const project = await made(creations.project);
  const environment = await made(creations.environment);
  await create.feature('settled', { project: 'fresh' });
  await ok(
    send(`POST ${admin}/api-tokens`, {
      ...{ tokenName: 'canary', type: 'client', environment: 'canary', projects: ['*'] },
    })(),
  );
  const refusals = [await revert(project), await revert(environment)].map((response) => [
    response.statusCode,
    response.json().message,
  ]);
  expect(refusals).toEqual([
    [409, expect.stringContaining('it has the feature settled. Revert that, too')],
    [409, expect.stringContaining('it is used by 1 API token')],
  ]);
  const deleted = await made(send(`DELETE ${admin}/environments/canary`));
  const back = (await ok(revert(deleted))).json();
  expect(back.notReverted).toMatchObject([
    { type: 'api-token-deleted', reason: expect.stringContaining("can't be restored") },
  ]);
});
