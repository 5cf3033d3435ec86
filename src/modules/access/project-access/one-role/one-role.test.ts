import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../../test/support/app.ts';
import { pathsOf } from '../../../../../test/support/faults.ts';
import { group } from '../../../../../test/support/groups.ts';
import { make } from '../../../../../test/support/make.ts';
import { customRole, person } from '../../../../../test/support/people.ts';
import { recordedBy } from '../../../../../test/support/recorded.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
  await make(app.ask).project('old');
});

const [owner, member] = [4, 5];
const path = '/api/admin/projects/old';

const names = new Map<number, string>();
const newUser = async (): Promise<number> => {
  const { id, name } = await person(app);
  names.set(id, name);
  await app.db
    .updateTable('users')
    .set({ email: `${id}@example.com` })
    .where('id', '=', id)
    .execute();
  return id;
};
const rolesOf = async (list: 'users' | 'groups', id: number): Promise<number[]> => {
  const access = (await app.ask(`GET ${path}/access`)).json();
  return access[list].find((each: { id: number }) => each.id === id)?.roles ?? [];
};

describe('the deprecated routes for one role of a user', () => {
  const eventData = (userId: number, roleId: number, roleName: string) => ({
    userId,
    roleId,
    roleName,
    userName: names.get(userId),
    email: `${userId}@example.com`,
  });
  const holderRole = { project: 'old', environment: null };

  test('POST adds it, and records nothing the second time', async () => {
    const id = await newUser();
    const response = await app.ask(`POST ${path}/users/${id}/roles/${member}`);
    expect([response.statusCode, response.body]).toEqual([200, '']);
    expect(await rolesOf('users', id)).toEqual([member]);
    expect(await recordedBy(app.db, response)).toEqual([
      {
        ...holderRole,
        type: 'project-user-added',
        data: eventData(id, member, 'Member'),
        preData: null,
      },
    ]);
    const again = await app.ask(`POST ${path}/users/${id}/roles/${member}`);
    expect([again.statusCode, await recordedBy(app.db, again)]).toEqual([200, []]);
  });

  test('PUT makes it the only role, and records each role that it replaces', async () => {
    const id = await newUser();
    const custom = await customRole(app, 'custom', []);
    const added = await app.ask(`PUT ${path}/users/${id}/roles/${custom}`);
    expect(await recordedBy(app.db, added)).toMatchObject([{ type: 'project-user-added' }]);
    await app.ask(`POST ${path}/users/${id}/roles/${owner}`);
    await app.ask(`POST ${path}/users/${await newUser()}/roles/${owner}`);
    const response = await app.ask(`PUT ${path}/users/${id}/roles/${member}`);
    expect([response.statusCode, response.body]).toEqual([200, '']);
    expect(await rolesOf('users', id)).toEqual([member]);
    const changed = { ...holderRole, type: 'project-user-role-changed' };
    const data = eventData(id, member, 'Member');
    expect(await recordedBy(app.db, response)).toEqual([
      { ...changed, data, preData: eventData(id, owner, 'Owner') },
      { ...changed, data, preData: eventData(id, custom, expect.any(String) as unknown as string) },
    ]);
    const again = await app.ask(`PUT ${path}/users/${id}/roles/${member}`);
    expect([again.statusCode, await recordedBy(app.db, again)]).toEqual([200, []]);
  });

  test('DELETE removes it and leaves the others', async () => {
    const id = await newUser();
    const custom = await customRole(app, 'custom', []);
    await app.ask(`PUT ${path}/users/${id}/roles`, { payload: { roles: [member, custom] } });
    const response = await app.ask(`DELETE ${path}/users/${id}/roles/${member}`);
    expect([response.statusCode, response.body]).toEqual([200, '']);
    expect(await rolesOf('users', id)).toEqual([custom]);
    expect(await recordedBy(app.db, response)).toEqual([
      {
        ...holderRole,
        type: 'project-user-removed',
        data: null,
        preData: eventData(id, member, 'Member'),
      },
    ]);
    // The user keeps another role, so the sentence is about the role.
    const [event] = (await app.ask('GET /api/admin/search/events?limit=1')).json().events;
    expect(event.summary).toBe(
      `**admin** removed role Member from **${names.get(id)}** in [**old**](/projects/old)`,
    );
    const again = await app.ask(`DELETE ${path}/users/${id}/roles/${member}`);
    expect([again.statusCode, await recordedBy(app.db, again)]).toEqual([200, []]);
  });
});

describe('the deprecated routes for one role of a group', () => {
  const holderRole = { project: 'old', environment: null };
  const eventData = (groupId: number, groupName: string, roleId: number, roleName: string) => ({
    groupId,
    groupName,
    projectId: 'old',
    roleId,
    roleName,
  });

  test('POST adds it, PUT makes another the only one, DELETE removes it', async () => {
    const { id, name } = await group(app);
    const added = await app.ask(`POST ${path}/groups/${id}/roles/${member}`);
    const changed = await app.ask(`PUT ${path}/groups/${id}/roles/${owner}`);
    expect(await rolesOf('groups', id)).toEqual([owner]);
    const removed = await app.ask(`DELETE ${path}/groups/${id}/roles/${owner}`);
    const again = await app.ask(`DELETE ${path}/groups/${id}/roles/${owner}`);
    expect(await rolesOf('groups', id)).toEqual([]);
    for (const each of [added, changed, removed, again]) {
      expect([each.statusCode, each.body]).toEqual([200, '']);
    }
    expect(await recordedBy(app.db, added)).toEqual([
      {
        ...holderRole,
        type: 'project-group-added',
        data: eventData(id, name, member, 'Member'),
        preData: null,
      },
    ]);
    expect(await recordedBy(app.db, changed)).toEqual([
      {
        ...holderRole,
        type: 'project-group-role-changed',
        data: { groupId: id, groupName: name, roleId: owner, roleName: 'Owner' },
        preData: { groupId: id, groupName: name, roleId: member, roleName: 'Member' },
      },
    ]);
    expect(await recordedBy(app.db, removed)).toEqual([
      {
        ...holderRole,
        type: 'project-group-removed',
        data: null,
        preData: eventData(id, name, owner, 'Owner'),
      },
    ]);
    expect(await recordedBy(app.db, again)).toEqual([]);
  });
});

describe('the deprecated route that grants one role to several users and groups', () => {
  test('grants it and records one event with the new grants', async () => {
    const [one, two] = [await newUser(), await newUser()];
    const team = await group(app);
    await app.ask(`POST ${path}/users/${one}/roles/${member}`);
    const add = () =>
      app.ask(`POST ${path}/role/${member}/access`, {
        payload: { groups: [{ id: team.id }], users: [{ id: one }, { id: two }] },
      });
    const response = await add();
    expect([response.statusCode, response.body]).toEqual([200, '']);
    expect(await recordedBy(app.db, response)).toEqual([
      {
        type: 'project-access-added',
        project: 'old',
        environment: null,
        data: {
          roles: {
            roleId: member,
            roleName: 'Member',
            groupIds: [team.id],
            groupNames: [team.name],
            userIds: [two],
          },
          userId: two,
          userName: expect.any(String),
        },
        preData: null,
      },
    ]);
    expect(await recordedBy(app.db, await add())).toEqual([]);
  });

  test('reports unknown users and groups by path', async () => {
    const response = await app.ask(`POST ${path}/role/${member}/access`, {
      payload: { groups: [{ id: 99_999 }], users: [{ id: 99_998 }] },
    });
    expect([response.statusCode, pathsOf(response)]).toEqual([
      400,
      ['/body/groups/0/id', '/body/users/0/id'],
    ]);
  });
});

test('the deprecated routes return 404 for an unknown user, group or role and 400 for a root role', async () => {
  const id = await newUser();
  const team = await group(app);
  const statuses = async (user: string, role: string) => {
    const responses = [
      await app.ask(`POST ${path}/users/${user}/roles/${role}`),
      await app.ask(`PUT ${path}/users/${user}/roles/${role}`),
      await app.ask(`DELETE ${path}/users/${user}/roles/${role}`),
    ];
    return responses.map(({ statusCode }) => statusCode);
  };
  expect(await statuses('99999', '5')).toEqual([404, 404, 404]);
  expect(await statuses('me', '5')).toEqual([404, 404, 404]);
  expect(await statuses(String(id), '99999')).toEqual([404, 404, 404]);
  expect(await statuses(String(id), 'Member')).toEqual([404, 404, 404]);
  expect(await statuses(String(id), '1')).toEqual([400, 400, 400]);
  const groups = [
    await app.ask(`POST ${path}/groups/99999/roles/5`),
    await app.ask(`PUT ${path}/groups/99999/roles/5`),
    await app.ask(`DELETE ${path}/groups/99999/roles/5`),
    await app.ask(`POST ${path}/groups/${team.id}/roles/99999`),
    await app.ask(`POST ${path}/role/99999/access`, { payload: { groups: [], users: [] } }),
  ];
  expect(groups.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404, 404, 404]);
});
