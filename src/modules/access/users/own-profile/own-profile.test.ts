import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../../test/support/app.ts';
import { make } from '../../../../../test/support/make.ts';
import { customRole, person } from '../../../../../test/support/people.ts';
import { tickingClock } from '../../../../../test/support/ticking-clock.ts';

let app: TestApp;
beforeAll(async () => {
  // The newest features come first.
  app = await testApp({ clock: tickingClock() });
  await make(app.ask).project('open-one');
  await make(app.ask).project('hidden', { mode: 'private' });
});

const me = '/api/admin/user';
const imageUrl = (id: number) => `http://localhost:4242/avatars/${id}.svg`;

async function joinGroup(userId: number, roles: { root?: number; project?: [string, number] }) {
  const { id } = await app.db
    .insertInto('groups')
    .values({
      name: `group of ${userId}`,
      description: '',
      mappings_sso: [],
      root_role: roles.root ?? null,
      created_at: new Date(),
      created_by: 'test',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await app.db
    .insertInto('group_users')
    .values({ group_id: id, user_id: userId, joined_at: new Date(), added_by: 'test' })
    .execute();
  if (roles.project) {
    const [project, role_id] = roles.project;
    await app.db
      .insertInto('project_group_roles')
      .values({ project, group_id: id, role_id, granted_at: new Date() })
      .execute();
  }
}

describe('the signed-in account', () => {
  test('is returned to a viewer with their permissions', async () => {
    const role = await customRole(app, 'custom', [
      { name: 'CREATE_FEATURE' },
      { name: 'UPDATE_FEATURE_ENVIRONMENT', environment: 'development' },
    ]);
    const viewer = await person(app, { roles: { hidden: role } });
    const response = await viewer.ask(`GET ${me}`);
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual({
      user: {
        id: viewer.id,
        name: viewer.name,
        username: viewer.name,
        imageUrl: imageUrl(viewer.id),
        rootRole: 3,
        createdAt: expect.any(String),
        accountType: 'User',
        isAPI: false,
      },
      permissions: [
        { permission: 'CREATE_FEATURE', project: 'hidden' },
        {
          permission: 'UPDATE_FEATURE_ENVIRONMENT',
          project: 'hidden',
          environment: 'development',
        },
      ],
      feedback: [],
      splash: {},
    });
  });

  test('can be an admin token or a service account', async () => {
    const { user, permissions } = (await app.ask(`GET ${me}`)).json();
    expect(permissions).toEqual([{ permission: 'ADMIN' }]);
    expect(user.id).toBeLessThan(0);
    expect(user).toEqual({
      id: user.id,
      name: user.name,
      username: user.name,
      imageUrl: imageUrl(user.id),
      isAPI: true,
    });
    const service = await person(app, { kind: 'service account', rootRole: 1 });
    const answer = (await service.ask(`GET ${me}`)).json();
    expect(answer).toMatchObject({
      user: { id: service.id, accountType: 'Service Account', isAPI: false },
      permissions: [{ permission: 'ADMIN' }],
    });
  });

  test('has a profile with root role, visible projects and own visible features', async () => {
    const editor = await person(app, { rootRole: 2, roles: { hidden: 5, default: [4, 5] } });
    await joinGroup(editor.id, { project: ['open-one', 5] });
    await make(editor.ask).feature('mine-1');
    await make(editor.ask).feature('mine-2', { project: 'hidden' });
    await make(app.ask).feature('not-mine');
    const profile = async () => (await editor.ask(`GET ${me}/profile`)).json();
    expect(await profile()).toEqual({
      rootRole: { id: 2, name: 'Editor', type: 'root', description: expect.any(String) },
      subscriptions: [],
      projects: ['default', 'hidden', 'open-one'],
      features: [
        { name: 'mine-2', project: 'hidden', createdAt: expect.any(String) },
        { name: 'mine-1', project: 'default', createdAt: expect.any(String) },
      ],
    });
    await app.db.deleteFrom('project_user_roles').where('user_id', '=', editor.id).execute();
    const other = await person(app);
    await app.ask(`PUT /api/admin/user-admin/${other.id}`, { payload: { name: 'wakes the gate' } });
    expect(await profile()).toMatchObject({
      projects: ['open-one'],
      features: [{ name: 'mine-1' }],
    });
  });

  test('has all projects in the profile of an administrator', async () => {
    const administrator = await person(app, { rootRole: 1 });
    const { projects } = (await administrator.ask(`GET ${me}/profile`)).json();
    expect(projects).toEqual(['default', 'hidden', 'open-one']);
  });

  test('has root roles, or roles in a given project, including those through groups', async () => {
    const viewer = await person(app, { roles: { hidden: 5 } });
    await joinGroup(viewer.id, { root: 2, project: ['hidden', 4] });
    const roles = async (query = '') => (await viewer.ask(`GET ${me}/roles${query}`)).json();
    expect(await roles()).toMatchObject({
      version: 1,
      roles: [
        { id: 2, name: 'Editor', type: 'root' },
        { id: 3, name: 'Viewer', type: 'root' },
      ],
    });
    expect(await roles('?projectId=hidden')).toMatchObject({
      roles: [
        { id: 4, name: 'Owner', project: 'hidden' },
        { id: 5, name: 'Member', project: 'hidden' },
      ],
    });
    expect(await roles('?projectId=open-one')).toMatchObject({ roles: [] });
    const administrator = await person(app, { rootRole: 1, roles: { 'open-one': 5 } });
    const inProject = await administrator.ask(`GET ${me}/roles?projectId=open-one`);
    expect(inProject.json()).toMatchObject({
      roles: [
        { id: 1, name: 'Admin', type: 'root' },
        { id: 5, name: 'Member' },
      ],
    });
    const stranger = await person(app);
    for (const project of ['hidden', 'no-such-project']) {
      const response = await stranger.ask(`GET ${me}/roles?projectId=${project}`);
      expect([response.statusCode, response.json().name]).toEqual([404, 'NotFoundError']);
    }
  });

  test('has no profile and roles if it is an API token: 403', async () => {
    for (const path of ['profile', 'roles']) {
      const response = await app.ask(`GET ${me}/${path}`);
      expect([response.statusCode, response.json().name]).toEqual([403, 'InvalidOperationError']);
    }
  });
});

describe('the permission overview of a user', () => {
  const overview = async (id: number | string, query = '') =>
    app.ask(`GET /api/admin/user-admin/${id}/permissions${query}`);
  type Held = { name: string; hasPermission: boolean };
  const held = (list: Held[]) =>
    list.filter(({ hasPermission }) => hasPermission).map(({ name }) => name);

  test('contains every permission, evaluated for the given project and environment', async () => {
    const root = await customRole(app, 'root-custom', [{ name: 'CREATE_SEGMENT' }]);
    const role = await customRole(app, 'custom', [
      { name: 'UPDATE_FEATURE' },
      { name: 'CREATE_FEATURE_STRATEGY', environment: 'development' },
    ]);
    const somebody = await person(app, { rootRole: root, roles: { hidden: role } });
    const response = await overview(somebody.id, '?project=hidden&environment=development');
    expect(response.statusCode).toBe(200);
    const { overview: lists, user, rootRole, projectRoles } = response.json();
    expect(lists.root[0]).toEqual({
      name: 'ADMIN',
      displayName: 'Full access',
      type: 'root',
      hasPermission: false,
    });
    expect(held(lists.root)).toEqual(['CREATE_SEGMENT']);
    expect(held(lists.project)).toEqual(['UPDATE_FEATURE']);
    expect(held(lists.environment)).toEqual(['CREATE_FEATURE_STRATEGY']);
    expect(user).toMatchObject({ id: somebody.id, rootRole: root });
    expect(rootRole).toMatchObject({ id: root, type: 'root-custom' });
    expect(projectRoles).toMatchObject([{ id: role, type: 'custom', project: 'hidden' }]);

    const elsewhere = (
      await overview(somebody.id, '?project=hidden&environment=production')
    ).json();
    expect(held(elsewhere.overview.environment)).toEqual([]);
    expect(held(elsewhere.overview.project)).toEqual(['UPDATE_FEATURE']);
    const nowhere = (await overview(somebody.id)).json();
    expect(held(nowhere.overview.project)).toEqual([]);
    expect(nowhere.projectRoles).toHaveLength(1);
    const open = (await overview(somebody.id, '?project=open-one')).json();
    expect([held(open.overview.project), open.projectRoles]).toEqual([[], []]);
  });

  test('grants every permission to an administrator, even through a group', async () => {
    const somebody = await person(app);
    await joinGroup(somebody.id, { root: 1 });
    const { overview: lists } = (await overview(somebody.id)).json();
    for (const list of Object.values<Held[]>(lists)) expect(held(list)).toHaveLength(list.length);
  });

  test('returns 404 for an unknown user, project or environment', async () => {
    const somebody = await person(app);
    const service = await person(app, { kind: 'service account' });
    for (const [id, query] of [
      [service.id, ''],
      ['x', ''],
      [somebody.id, '?project=nope'],
      [somebody.id, '?environment=nope'],
    ] as const) {
      const response = await overview(id, query);
      expect([response.statusCode, response.json().name]).toEqual([404, 'NotFoundError']);
    }
  });
});
