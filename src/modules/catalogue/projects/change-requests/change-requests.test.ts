import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../../test/support/app.ts';
import { make } from '../../../../../test/support/make.ts';
import { person } from '../../../../../test/support/people.ts';
import { recordedBy } from '../../../../../test/support/recorded.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
  await make(app.ask).project('shop');
});

const projects = '/api/admin/projects';
const config = async () => (await app.ask(`GET ${projects}/shop/change-requests/config`)).json();
const set = (payload: object, environment = 'production') =>
  app.ask(`PUT ${projects}/shop/environments/${environment}/change-requests/config`, { payload });

describe('the change request configuration', () => {
  test('reports change requests as disabled in every environment of a project', async () => {
    const rules = {
      approvers: { users: [], groups: [], roles: [] },
      selfApproval: 'admins',
      expiresAfterDays: null,
      applyAutomatically: false,
      emergencyApply: true,
    };
    const off = { changeRequestEnabled: false, requiredApprovals: null, rules };
    expect(await config()).toEqual([
      { environment: 'development', type: 'development', ...off },
      { environment: 'production', type: 'production', ...off },
    ]);
  });

  test('can be enabled, with 1 to 10 approvals, and is shown in the overview', async () => {
    const response = await set({ changeRequestsEnabled: true });
    expect([response.statusCode, response.body]).toEqual([204, '']);
    expect(await recordedBy(app.db, response)).toEqual([
      {
        type: 'change-request-configuration-updated',
        project: 'shop',
        environment: 'production',
        data: { changeRequestsEnabled: true, requiredApprovals: 1 },
        preData: { changeRequestsEnabled: false, requiredApprovals: null },
      },
    ]);
    expect(await recordedBy(app.db, await set({ changeRequestsEnabled: true }))).toEqual([]);
    await set({ changeRequestsEnabled: true, requiredApprovals: 5000 });
    expect(await config()).toMatchObject([
      { environment: 'development', changeRequestEnabled: false },
      { environment: 'production', changeRequestEnabled: true, requiredApprovals: 10 },
    ]);
    const overview = (await app.ask(`GET ${projects}/shop/overview`)).json();
    expect(overview.environments).toMatchObject([
      { environment: 'development', changeRequestsEnabled: false },
      { environment: 'production', changeRequestsEnabled: true },
    ]);
    expect((await set({ changeRequestsEnabled: true, requiredApprovals: -1 })).statusCode).toBe(
      400,
    );
  });

  test('can be disabled and stores the number of required approvals', async () => {
    const response = await set({ changeRequestsEnabled: false, requiredApprovals: 3 });
    expect(await recordedBy(app.db, response)).toMatchObject([
      { data: { changeRequestsEnabled: false, requiredApprovals: 3 } },
    ]);
    expect(await config()).toMatchObject([
      { requiredApprovals: null },
      { environment: 'production', changeRequestEnabled: false, requiredApprovals: 3 },
    ]);
    await set({ changeRequestsEnabled: false, requiredApprovals: 0 });
    expect(await config()).toMatchObject([{}, { requiredApprovals: null }]);
  });

  test('has rules; changing some of them keeps the others', async () => {
    const [first, second] = [await person(app), await person(app)];
    const approvers = { users: [second.id, first.id], groups: [], roles: [1] };
    const response = await set({ changeRequestsEnabled: false, rules: { approvers } });
    const stored = {
      approvers: { users: [first.id, second.id], groups: [], roles: [1] },
      selfApproval: 'admins',
      expiresAfterDays: null,
      applyAutomatically: false,
      emergencyApply: true,
    };
    expect(await recordedBy(app.db, response)).toMatchObject([
      { data: { changeRequestsEnabled: false, rules: stored } },
    ]);
    const later = { expiresAfterDays: 30, applyAutomatically: true };
    await set({ changeRequestsEnabled: false, rules: later });
    await set({ changeRequestsEnabled: false });
    expect((await config())[1].rules).toEqual({ ...stored, ...later });
    const usual = { approvers: { users: [], groups: [], roles: [] }, expiresAfterDays: null };
    const restored = await set({
      changeRequestsEnabled: false,
      rules: { ...usual, applyAutomatically: false },
    });
    const [event] = await recordedBy(app.db, restored);
    expect(event?.data).toEqual({ changeRequestsEnabled: false, requiredApprovals: null });
    expect(event?.preData).toMatchObject({ rules: { ...stored, ...later } });
  });

  test.each([
    [{ approvers: { users: [999_999], groups: [], roles: [] } }, '/rules/approvers/users/0'],
    [{ approvers: { users: [], groups: [999_999], roles: [] } }, '/rules/approvers/groups/0'],
    [{ approvers: { users: [], groups: [], roles: [999_999] } }, '/rules/approvers/roles/0'],
    [{ approvers: { users: [1, 1], groups: [], roles: [] } }, '/rules/approvers/users'],
    [{ approvers: { users: [] } }, '/rules/approvers/groups'],
    [{ expiresAfterDays: 0 }, '/rules/expiresAfterDays'],
    [{ selfApproval: 'everyone' }, '/rules/selfApproval'],
  ])('refuses the rules %j', async (rules, path) => {
    const response = await set({ changeRequestsEnabled: false, rules });
    expect(response.statusCode).toBe(400);
    expect(response.json().details[0].path).toBe(`/body${path}`);
  });

  test('returns 404 for an environment that the project does not have', async () => {
    expect((await set({ changeRequestsEnabled: false }, 'nosuch')).statusCode).toBe(404);
  });

  test('can be changed by a project owner but not by a member', async () => {
    const payload = { changeRequestsEnabled: false };
    const line = `PUT ${projects}/shop/environments/production/change-requests/config` as const;
    const member = await person(app, { roles: { shop: 5 } });
    expect((await member.ask(line, { payload })).statusCode).toBe(403);
    const owner = await person(app, { roles: { shop: 4 } });
    expect((await owner.ask(line, { payload })).statusCode).toBe(204);
  });
});

describe('the change request settings of a new project', () => {
  const settingsOf = async (project: string) =>
    (await app.ask(`GET ${projects}/${project}/change-requests/config`)).json();

  test('are those of the request, else the default of each environment', async () => {
    await app.ask('POST /api/admin/environments', {
      payload: { name: 'guarded', type: 'production', requiredApprovals: 2, sortOrder: 300 },
    });
    const response = await app.ask(`POST ${projects}`, {
      payload: {
        id: 'inheriting',
        name: 'Inheriting',
        changeRequestEnvironments: [{ name: 'production', requiredApprovals: 20 }],
      },
    });
    expect(response.statusCode, response.body).toBe(201);
    expect(await settingsOf('inheriting')).toMatchObject([
      { environment: 'development', changeRequestEnabled: false, requiredApprovals: null },
      { environment: 'production', changeRequestEnabled: true, requiredApprovals: 10 },
      { environment: 'guarded', changeRequestEnabled: true, requiredApprovals: 2 },
    ]);
    expect(await recordedBy(app.db, response)).toMatchObject([
      {
        type: 'project-created',
        data: {
          changeRequestEnvironments: [
            { name: 'guarded', requiredApprovals: 2 },
            { name: 'production', requiredApprovals: 10 },
          ],
        },
      },
    ]);
  });

  test('must name environments of the project', async () => {
    const response = await app.ask(`POST ${projects}`, {
      payload: {
        id: 'elsewhere',
        name: 'Elsewhere',
        environments: ['development'],
        changeRequestEnvironments: [{ name: 'production' }],
      },
    });
    expect(response.statusCode).toBe(400);
    expect(response.json().details).toMatchObject([
      { path: '/body/changeRequestEnvironments/0/name' },
    ]);
  });

  test('apply to an environment that is added or cloned later', async () => {
    await make(app.ask).project('growing', { environments: ['development'] });
    const add = (payload: object) => app.ask(`POST ${projects}/growing/environments`, { payload });
    await add({ environment: 'production', changeRequestsEnabled: true });
    await add({ environment: 'guarded' });
    await app.ask(`PUT ${projects}/growing/environments/guarded/change-requests/config`, {
      payload: { changeRequestsEnabled: true, rules: { selfApproval: 'nobody' } },
    });
    const cloned = await app.ask('POST /api/admin/environments/guarded/clone', {
      payload: { name: 'guarded-clone', projects: ['growing'] },
    });
    expect(cloned.json().requiredApprovals).toBe(2);
    const settings = await settingsOf('growing');
    expect(settings).toHaveLength(4);
    expect(settings).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ environment: 'production', requiredApprovals: 1 }),
        expect.objectContaining({ environment: 'guarded', requiredApprovals: 2 }),
        expect.objectContaining({
          environment: 'guarded-clone',
          changeRequestEnabled: true,
          requiredApprovals: 2,
          rules: expect.objectContaining({ selfApproval: 'nobody' }),
        }),
      ]),
    );
    const removed = await app.ask('PUT /api/admin/environments/update/guarded', {
      payload: { requiredApprovals: null },
    });
    expect(removed.json()).not.toHaveProperty('requiredApprovals');
  });
});
