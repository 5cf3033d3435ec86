import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../test/support/app.ts';
import { pathsOf } from '../../../../test/support/faults.ts';
import { group } from '../../../../test/support/groups.ts';
import { make } from '../../../../test/support/make.ts';
import { customRole, person } from '../../../../test/support/people.ts';
import { countEvents, recordedBy } from '../../../../test/support/recorded.ts';

const clock = () => new Date('2026-03-01T12:00:00.000Z');

let app: TestApp;
beforeAll(async () => {
  app = await testApp({ clock });
});

const [owner, member] = [4, 5];
const projects = '/api/admin/projects';

let projectCount = 0;
/** A separate project for each test. */
const newProject = async (): Promise<string> => {
  projectCount += 1;
  await make(app.ask).project(`project-${projectCount}`);
  return `project-${projectCount}`;
};

const access = async (project: string) =>
  (await app.ask(`GET ${projects}/${project}/access`)).json();
const add = (project: string, payload: object) =>
  app.ask(`POST ${projects}/${project}/access`, { payload: { groups: [], users: [], ...payload } });
const replace = (project: string, roles: object[]) =>
  app.ask(`PUT ${projects}/${project}/access`, { payload: { roles } });
const rolesIn = async (project: string) => {
  const { users, groups } = await access(project);
  const brief = (list: { id: number; roles: number[] }[]) =>
    Object.fromEntries(list.map(({ id, roles }) => [id, roles]));
  return { users: brief(users), groups: brief(groups) };
};

describe('the access of a project', () => {
  test('is returned with users, service accounts, groups and the roles that can be granted', async () => {
    const project = await newProject();
    const [ada, robot] = [await person(app), await person(app, { kind: 'service account' })];
    await app.db
      .updateTable('users')
      .set({ email: 'ada@x.org' })
      .where('id', '=', ada.id)
      .execute();
    const team = await group(app, { users: [ada.id] });
    const role = await customRole(app, 'custom', [{ name: 'CREATE_FEATURE' }]);
    await customRole(app, 'root-custom', []);
    await add(project, { roles: [member, role], users: [ada.id], groups: [team.id] });
    await add(project, { roles: [owner], users: [robot.id] });
    const response = await app.ask(`GET ${projects}/${project}/access`);
    expect(response.statusCode).toBe(200);
    const account = ({ id, name }: { id: number; name: string }) => ({
      id,
      name,
      username: name,
      imageUrl: `http://localhost:4242/avatars/${id}.svg`,
    });
    const adaListed = { ...account(ada), email: 'ada@x.org' };
    const addedAt = '2026-03-01T12:00:00.000Z';
    expect(response.json()).toEqual({
      users: [
        { ...adaListed, accountType: 'User', addedAt, roleId: member, roles: [member, role] },
        {
          ...account(robot),
          accountType: 'Service Account',
          addedAt,
          roleId: owner,
          roles: [owner],
        },
      ],
      groups: [
        {
          id: team.id,
          name: team.name,
          description: null,
          mappingsSSO: [],
          createdAt: expect.stringMatching(/Z$/),
          createdBy: 'admin',
          users: [{ user: adaListed, joinedAt: expect.stringMatching(/Z$/), createdBy: 'admin' }],
          addedAt,
          roleId: member,
          roles: [member, role],
        },
      ],
      roles: [
        { id: owner, name: 'Owner', type: 'project', description: expect.any(String) },
        { id: member, name: 'Member', type: 'project', description: expect.any(String) },
        { id: role, name: expect.any(String), type: 'custom', description: '' },
      ],
    });
    const deprecated = await app.ask(`GET ${projects}/${project}/users`);
    const { users, roles } = response.json();
    expect(deprecated.json()).toEqual({ users, roles });
  });

  test('omits deleted users', async () => {
    const project = await newProject();
    const gone = await person(app, { roles: { [project]: member } });
    const team = await group(app, { users: [gone.id], roles: { [project]: member } });
    await app.db
      .updateTable('users')
      .set({ deleted_at: clock() })
      .where('id', '=', gone.id)
      .execute();
    expect(await access(project)).toMatchObject({
      users: [],
      groups: [{ id: team.id, users: [] }],
    });
  });

  test('updates updatedAt of the project when it changes', async () => {
    // Changes must be later than the creation of the project.
    let now = Date.now();
    const later = await testApp({ clock: () => new Date(now) });
    const { id } = await person(later);
    const updatedAt = async () =>
      (await later.ask(`GET ${projects}/default/overview`)).json().updatedAt;
    now += 3_600_000;
    await later.ask(`PUT ${projects}/default/users/${id}/roles`, { payload: { roles: [member] } });
    expect(await updatedAt()).toBe(new Date(now).toISOString());
    now += 3_600_000;
    await later.ask(`DELETE ${projects}/default/users/${id}/roles`);
    expect(await updatedAt()).toBe(new Date(now).toISOString());
    const { projects: listed } = (await later.ask(`GET ${projects}`)).json();
    expect(listed[0].updatedAt).toBe(new Date(now).toISOString());
  });
});

describe('granting roles to users and groups', () => {
  test('adds to existing roles and records only the new ones', async () => {
    const project = await newProject();
    const [one, two] = [await person(app), await person(app, { roles: { [project]: member } })];
    const team = await group(app, { roles: { [project]: owner } });
    const response = await add(project, {
      roles: [member, owner],
      users: [one.id, two.id, one.id],
      groups: [team.id],
    });
    expect([response.statusCode, response.body]).toEqual([200, '']);
    expect(await rolesIn(project)).toEqual({
      users: { [one.id]: [owner, member], [two.id]: [owner, member] },
      groups: { [team.id]: [owner, member] },
    });
    expect(await recordedBy(app.db, response)).toEqual([
      {
        type: 'project-access-added',
        project,
        environment: null,
        data: {
          roles: [
            {
              roleId: owner,
              roleName: 'Owner',
              groupIds: [],
              groupNames: [],
              userIds: [one.id, two.id],
            },
            {
              roleId: member,
              roleName: 'Member',
              groupIds: [team.id],
              groupNames: [team.name],
              userIds: [one.id],
            },
          ],
        },
        preData: null,
      },
    ]);
    const again = await add(project, { roles: [member], users: [one.id] });
    expect([again.statusCode, await recordedBy(app.db, again)]).toEqual([200, []]);
  });

  test('reports all unknown users and groups and all roles that are not project roles', async () => {
    const project = await newProject();
    const gone = await person(app);
    await app.db
      .updateTable('users')
      .set({ deleted_at: clock() })
      .where('id', '=', gone.id)
      .execute();
    const rootRole = await customRole(app, 'root-custom', []);
    const before = await countEvents(app.db);
    const response = await add(project, {
      roles: [member, 2, rootRole, 99_999],
      groups: [99_999],
      users: [gone.id, 99_999],
    });
    expect(response.statusCode).toBe(400);
    expect(pathsOf(response).sort()).toEqual([
      '/body/groups/0',
      '/body/roles/1',
      '/body/roles/2',
      '/body/roles/3',
      '/body/users/0',
      '/body/users/1',
    ]);
    expect(response.body).toContain("Role 'Editor' (2)");
    expect(await countEvents(app.db)).toBe(before);
    expect(await rolesIn(project)).toEqual({ users: {}, groups: {} });
  });

  test.each([
    [{ roles: ['4'] }, '/body/roles/0'],
    [{ roles: [2 ** 31] }, '/body/roles/0'],
    [{ roles: [4.5] }, '/body/roles/0'],
    [{ roles: [4], users: [0] }, '/body/users/0'],
    [{ roles: [4], users: null }, '/body/users'],
    [{}, '/body/roles'],
    [{ roles: Array(101).fill(4) }, '/body/roles'],
  ])('rejects %j with 400', async (body, path) => {
    const response = await add('default', body);
    expect([response.statusCode, pathsOf(response)]).toEqual([400, [path]]);
  });

  test('records one event for ten concurrent requests', async () => {
    const project = await newProject();
    const { id } = await person(app);
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => add(project, { roles: [member], users: [id] })),
    );
    expect(responses.map(({ statusCode }) => statusCode)).toEqual(Array(10).fill(200));
    const events = await Promise.all(responses.map((each) => recordedBy(app.db, each)));
    expect(events.flat()).toHaveLength(1);
  });

  test('returns 404 for an unknown or archived project', async () => {
    const project = await newProject();
    await app.ask(`POST ${projects}/archive/${project}`);
    const statuses = [
      (await add(project, { roles: [member] })).statusCode,
      (await add('nosuch', { roles: [member] })).statusCode,
      (await app.ask(`GET ${projects}/nosuch/access`)).statusCode,
      (await app.ask(`GET ${projects}/nosuch/users`)).statusCode,
    ];
    expect(statuses).toEqual([404, 404, 404, 404]);
  });
});

describe('replacing all roles in a project', () => {
  test('leaves exactly the given roles, and records the states before and after', async () => {
    const project = await newProject();
    const [stays, goes, comes] = [await person(app), await person(app), await person(app)];
    const team = await group(app);
    await add(project, { roles: [owner], users: [stays.id, goes.id], groups: [team.id] });
    const response = await replace(project, [
      { id: member, users: [comes.id, stays.id], groups: [] },
      { id: owner, users: [stays.id] },
      { id: member, users: [comes.id] },
    ]);
    expect([response.statusCode, response.body]).toEqual([200, '']);
    expect(await rolesIn(project)).toEqual({
      users: { [stays.id]: [owner, member], [comes.id]: [member] },
      groups: {},
    });
    expect(await recordedBy(app.db, response)).toEqual([
      {
        type: 'project-access-updated',
        project,
        environment: null,
        data: {
          roles: [
            { id: owner, groups: [], users: [stays.id] },
            { id: member, groups: [], users: [stays.id, comes.id] },
          ],
        },
        preData: { roles: [{ id: owner, groups: [team.id], users: [stays.id, goes.id] }] },
      },
    ]);
    const again = await replace(project, [
      { id: owner, users: [stays.id] },
      { id: member, users: [stays.id, comes.id] },
    ]);
    expect([again.statusCode, await recordedBy(app.db, again)]).toEqual([200, []]);
  });

  test('reports unknown roles, users and groups by path', async () => {
    const response = await replace(await newProject(), [
      { id: 1, users: [99_999] },
      { id: member, groups: [99_999] },
      { id: 99_999 },
    ]);
    expect(response.statusCode).toBe(400);
    expect(pathsOf(response).sort()).toEqual([
      '/body/roles/0/id',
      '/body/roles/0/users/0',
      '/body/roles/1/groups/0',
      '/body/roles/2/id',
    ]);
  });
});

describe('the project roles of one user or group', () => {
  const kinds = [
    ['user', 'users', () => person(app)],
    ['group', 'groups', () => group(app)],
  ] as const;

  test.each(kinds)('can be set and removed (%s)', async (kind, plural, create) => {
    const project = await newProject();
    await app.ask(`POST ${projects}/${project}/users/${(await person(app)).id}/roles/${owner}`);
    const { id, name } = await create();
    const path = `${projects}/${project}/${plural}/${id}/roles`;
    const set = await app.ask(`PUT ${path}`, { payload: { roles: [owner, member, owner] } });
    expect([set.statusCode, set.body]).toEqual([200, '']);
    const changed = await app.ask(`PUT ${path}`, { payload: { roles: [member] } });
    const same = await app.ask(`PUT ${path}`, { payload: { roles: [member] } });
    expect((await rolesIn(project))[plural]).toMatchObject({ [id]: [member] });
    const removed = await app.ask(`DELETE ${path}`);
    expect([removed.statusCode, removed.body]).toEqual([200, '']);
    const again = await app.ask(`DELETE ${path}`);
    expect(again.statusCode).toBe(200);
    expect((await rolesIn(project))[plural]).not.toHaveProperty([id]);
    const eventData = (roles: number[]) => ({
      roles,
      roleNames: roles.map((role) => (role === owner ? 'Owner' : 'Member')),
      [`${kind}Id`]: id,
      [`${kind}Name`]: name,
    });
    const place = { project, environment: null };
    expect(await recordedBy(app.db, set)).toEqual([
      {
        ...place,
        type: `project-access-${kind}-roles-updated`,
        data: eventData([owner, member]),
        preData: eventData([]),
      },
    ]);
    expect(await recordedBy(app.db, changed)).toMatchObject([
      { data: eventData([member]), preData: eventData([owner, member]) },
    ]);
    expect(await recordedBy(app.db, same)).toEqual([]);
    expect(await recordedBy(app.db, removed)).toEqual([
      {
        ...place,
        type: `project-access-${kind}-roles-deleted`,
        data: null,
        preData: eventData([member]),
      },
    ]);
    expect(await recordedBy(app.db, again)).toEqual([]);
  });

  test.each(kinds)(
    'return 404 for an unknown %s and 400 for unknown roles',
    async (_kind, plural, create) => {
      const { id } = await create();
      const path = `${projects}/default/${plural}`;
      for (const unknown of ['99999', 'x', '1e3', '99999999999', '-1']) {
        for (const request of [`PUT ${path}/${unknown}/roles`, `DELETE ${path}/${unknown}/roles`]) {
          const payload = request.startsWith('PUT') ? { payload: { roles: [member] } } : {};
          const response = await app.ask(request as `PUT ${string}`, payload);
          expect([request, response.statusCode]).toEqual([request, 404]);
        }
      }
      const response = await app.ask(`PUT ${path}/${id}/roles`, {
        payload: { roles: [3, 99_999] },
      });
      expect([response.statusCode, pathsOf(response).sort()]).toEqual([
        400,
        ['/body/roles/0', '/body/roles/1'],
      ]);
    },
  );
});
