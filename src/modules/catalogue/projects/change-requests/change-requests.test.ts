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
    const off = { changeRequestEnabled: false, requiredApprovals: null };
    expect(await config()).toEqual([
      { environment: 'development', type: 'development', ...off },
      { environment: 'production', type: 'production', ...off },
    ]);
  });

  test('rejects enabling change requests because they are not supported', async () => {
    const response = await set({ changeRequestsEnabled: true, requiredApprovals: 1 });
    expect(response.statusCode).toBe(400);
    expect(response.json().details).toMatchObject([{ path: '/body/changeRequestsEnabled' }]);
    expect(response.json().message).toContain('change requests are not supported');
  });

  test('can be set to disabled and stores the number of required approvals', async () => {
    const same = await set({ changeRequestsEnabled: false });
    expect([same.statusCode, same.body]).toEqual([204, '']);
    expect(await recordedBy(app.db, same)).toEqual([]);
    const response = await set({ changeRequestsEnabled: false, requiredApprovals: 3 });
    expect(response.statusCode).toBe(204);
    expect(await recordedBy(app.db, response)).toEqual([
      {
        type: 'change-request-configuration-updated',
        project: 'shop',
        environment: 'production',
        data: { changeRequestsEnabled: false, requiredApprovals: 3 },
        preData: { changeRequestsEnabled: false, requiredApprovals: null },
      },
    ]);
    expect(await config()).toMatchObject([
      { requiredApprovals: null },
      { environment: 'production', changeRequestEnabled: false, requiredApprovals: 3 },
    ]);
    await set({ changeRequestsEnabled: false, requiredApprovals: 0 });
    expect(await config()).toMatchObject([{}, { requiredApprovals: null }]);
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
