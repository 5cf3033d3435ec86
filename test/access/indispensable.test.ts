import { beforeEach, describe, expect, test } from 'vitest';
import { forgetEverywhere } from '../../src/app/installation.ts';
import { changeGroup } from '../../src/modules/access/groups/service.ts';
import { setAccess } from '../../src/modules/access/project-access/service.ts';
import { type TestApp, testActor, testApp } from '../support/app.ts';
import { group } from '../support/groups.ts';
import { askedDuring } from '../support/locks.ts';
import { make } from '../support/make.ts';
import { person } from '../support/people.ts';

let app: TestApp;
beforeEach(async () => {
  app = await testApp();
  await make(app.ask).project('owned');
});

const owner = 4;
const admin = 1;
const users = '/api/admin/user-admin';

/** The first administrator, who exists in every installation. */
const firstAdministrator = 1;

describe('the last owner of a project', () => {
  test('cannot be removed by emptying a group that becomes the owner at the same time', async () => {
    await person(app, { roles: { owned: owner } });
    const member = await person(app);
    const team = await group(app, { users: [member.id] });
    const { response } = await askedDuring(
      app,
      (tx) => setAccess(tx, 'owned', { roles: [{ id: owner, groups: [team.id], users: [] }] }),
      () => app.ask(`PUT ${team.path}`, { payload: { name: team.name, users: [] } }),
    );
    expect([response.statusCode, response.json().name]).toEqual([403, 'InvalidOperationError']);
  });
});

describe('the last administrator', () => {
  test('cannot be deleted while the Admin role of a group moves to that user', async () => {
    const second = await person(app);
    const third = await person(app);
    const team = await group(app, { users: [second.id], rootRole: admin });
    expect((await app.ask(`DELETE ${users}/${firstAdministrator}`)).statusCode).toBe(200);
    const { response } = await askedDuring(
      app,
      (tx) =>
        changeGroup(tx, team.id, {
          name: team.name,
          rootRole: admin,
          mappingsSSO: [],
          users: [{ user: { id: third.id } }],
        }),
      () => app.ask(`DELETE ${users}/${third.id}`),
    );
    expect([response.statusCode, response.json().name]).toEqual([403, 'InvalidOperationError']);
  });

  test('cannot be erased, unless that user was deleted before', async () => {
    await expect(forgetEverywhere(app.transact, testActor, firstAdministrator)).rejects.toThrow(
      'Admin',
    );
    await person(app, { rootRole: admin });
    await app.ask(`DELETE ${users}/${firstAdministrator}`);
    await forgetEverywhere(app.transact, testActor, firstAdministrator);
  });
});
