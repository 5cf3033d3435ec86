import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../test/support/app.ts';
import { group } from '../../../../test/support/groups.ts';
import { make } from '../../../../test/support/make.ts';
import { customRole, type Person, person } from '../../../../test/support/people.ts';
import { raceRounds } from '../../../../test/support/random-cases.ts';
import { countEvents, recordedBy } from '../../../../test/support/recorded.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});

const [owner, member] = [4, 5];
const projects = '/api/admin/projects';

let projectCount = 0;
const newProject = async (more: object = {}): Promise<string> => {
  projectCount += 1;
  await make(app.ask).project(`limits-${projectCount}`, more);
  return `limits-${projectCount}`;
};

const give = (asked: Pick<Person, 'ask'>, project: string, role: number, users: number[]) =>
  asked.ask(`POST ${projects}/${project}/access`, {
    payload: { roles: [role], groups: [], users },
  });
const clear = (asked: Pick<Person, 'ask'>, project: string, user: number) =>
  asked.ask(`DELETE ${projects}/${project}/users/${user}/roles`);
const rolesOf = async (project: string, user: number): Promise<number[]> => {
  const { users } = (await app.ask(`GET ${projects}/${project}/access`)).json();
  return users.find(({ id }: { id: number }) => id === user)?.roles ?? [];
};
const outcome = ({ statusCode, json }: { statusCode: number; json: () => { name: string } }) => [
  statusCode,
  json().name,
];

describe("granting project roles, limited to the user's own permissions", () => {
  test('an owner can make others owners; a member who may change access can only make members', async () => {
    const project = await newProject();
    const access = await customRole(app, 'custom', [{ name: 'PROJECT_USER_ACCESS_WRITE' }]);
    const [boss, helper] = [
      await person(app, { roles: { [project]: owner } }),
      await person(app, { roles: { [project]: [member, access] } }),
    ];
    const { id } = await person(app);
    expect((await give(boss, project, owner, [id])).statusCode).toBe(200);
    const before = await countEvents(app.db);
    const refused = await give(helper, project, owner, [helper.id]);
    expect(outcome(refused)).toEqual([403, 'NoAccessError']);
    expect(refused.json().message).toMatch(
      /^To grant role 'Owner', you need the .*UPDATE_PROJECT,/,
    );
    expect(refused.json().message).not.toContain('CREATE_FEATURE,');
    expect(await countEvents(app.db)).toBe(before);
    expect((await give(helper, project, member, [id])).statusCode).toBe(200);
    expect(await rolesOf(project, id)).toEqual([owner, member]);
  });

  test('a permission in one environment does not allow granting it in another or in all', async () => {
    const project = await newProject();
    const switching = (environment?: string) =>
      customRole(app, 'custom', [
        { name: 'UPDATE_FEATURE_ENVIRONMENT', ...(environment && { environment }) },
      ]);
    const [here, there, everywhere] = [
      await switching('development'),
      await switching('production'),
      await switching(),
    ];
    const access = await customRole(app, 'custom', [{ name: 'PROJECT_USER_ACCESS_WRITE' }]);
    const helper = await person(app, { roles: { [project]: [here, access] } });
    const { id } = await person(app);
    expect((await give(helper, project, here, [id])).statusCode).toBe(200);
    const elsewhere = await give(helper, project, there, [id]);
    expect(outcome(elsewhere)).toEqual([403, 'NoAccessError']);
    expect(elsewhere.json().message).toMatch(
      /the UPDATE_FEATURE_ENVIRONMENT permission in the environment 'production' yourself$/,
    );
    const inAll = await give(helper, project, everywhere, [id]);
    expect(inAll.json().message).toMatch(/the UPDATE_FEATURE_ENVIRONMENT permission yourself$/);
    expect(await rolesOf(project, id)).toEqual([here]);
  });

  test('a role in one project does not allow granting it in another', async () => {
    const [own, other] = [await newProject(), await newProject()];
    const access = await customRole(app, 'custom', [{ name: 'PROJECT_USER_ACCESS_WRITE' }]);
    const boss = await person(app, { roles: { [own]: owner, [other]: access } });
    expect((await give(boss, other, member, [boss.id])).statusCode).toBe(403);
  });

  test('every endpoint that grants roles checks this, and existing grants may be sent unchanged', async () => {
    const project = await newProject();
    const access = await customRole(app, 'custom', [{ name: 'PROJECT_USER_ACCESS_WRITE' }]);
    const helper = await person(app, { roles: { [project]: access } });
    const boss = await person(app, { roles: { [project]: owner } });
    const team = await group(app, { users: [helper.id] });
    const path = `${projects}/${project}`;
    const everything = [
      { id: owner, users: [boss.id, helper.id] },
      { id: access, users: [helper.id] },
    ];
    const requests = [
      ['POST', `${path}/access`, { roles: [owner], groups: [team.id], users: [] }],
      ['PUT', `${path}/access`, { roles: everything }],
      ['PUT', `${path}/users/${helper.id}/roles`, { roles: [owner, access] }],
      ['PUT', `${path}/groups/${team.id}/roles`, { roles: [owner] }],
      ['POST', `${path}/users/${helper.id}/roles/${owner}`, undefined],
      ['PUT', `${path}/users/${helper.id}/roles/${owner}`, undefined],
      ['POST', `${path}/groups/${team.id}/roles/${owner}`, undefined],
      ['PUT', `${path}/groups/${team.id}/roles/${owner}`, undefined],
      ['POST', `${path}/role/${owner}/access`, { groups: [{ id: team.id }], users: [] }],
    ] as const;
    for (const [method, url, payload] of requests) {
      const response = await helper.ask(`${method} ${url}`, { ...(payload && { payload }) });
      expect([method, url, ...outcome(response)]).toEqual([method, url, 403, 'NoAccessError']);
    }
    expect(await rolesOf(project, helper.id)).toEqual([access]);
    const kept = await helper.ask(`PUT ${path}/access`, {
      payload: {
        roles: [
          { id: owner, users: [boss.id] },
          { id: access, users: [helper.id], groups: [team.id] },
        ],
      },
    });
    expect(kept.statusCode).toBe(200);
  });
});

describe("revoking project roles, limited to the user's own permissions", () => {
  test('a user who may change access but is not an owner cannot remove an owner through any endpoint', async () => {
    const project = await newProject();
    const access = await customRole(app, 'custom', [{ name: 'PROJECT_USER_ACCESS_WRITE' }]);
    const helper = await person(app, { roles: { [project]: [member, access] } });
    const [boss, second] = [await person(app), await person(app)];
    const team = await group(app, { users: [boss.id] });
    await give(app, project, owner, [boss.id, second.id]);
    await app.ask(`POST ${projects}/${project}/groups/${team.id}/roles/${owner}`);
    const path = `${projects}/${project}`;
    const requests = [
      ['DELETE', `${path}/users/${boss.id}/roles`, undefined],
      ['DELETE', `${path}/users/${boss.id}/roles/${owner}`, undefined],
      ['PUT', `${path}/users/${boss.id}/roles/${member}`, undefined],
      ['PUT', `${path}/users/${boss.id}/roles`, { roles: [member] }],
      ['PUT', `${path}/groups/${team.id}/roles`, { roles: [] }],
      ['PUT', `${path}/groups/${team.id}/roles/${member}`, undefined],
      ['DELETE', `${path}/groups/${team.id}/roles`, undefined],
      ['DELETE', `${path}/groups/${team.id}/roles/${owner}`, undefined],
      ['PUT', `${path}/access`, { roles: [{ id: owner, users: [second.id] }] }],
    ] as const;
    const before = await countEvents(app.db);
    for (const [method, url, payload] of requests) {
      const response = await helper.ask(`${method} ${url}`, { ...(payload && { payload }) });
      expect([method, url, ...outcome(response)]).toEqual([method, url, 403, 'NoAccessError']);
      expect(response.json().message).toMatch(
        /^To remove role 'Owner', you need the .*UPDATE_PROJECT,/,
      );
    }
    expect(await countEvents(app.db)).toBe(before);
    expect((await clear(second, project, boss.id)).statusCode).toBe(200);
  });

  test('a user can revoke roles they have, from others and from themselves', async () => {
    const project = await newProject();
    const access = await customRole(app, 'custom', [{ name: 'PROJECT_USER_ACCESS_WRITE' }]);
    const helper = await person(app, { roles: { [project]: [member, access] } });
    const colleague = await person(app, { roles: { [project]: member } });
    expect((await clear(helper, project, colleague.id)).statusCode).toBe(200);
    expect(await rolesOf(project, colleague.id)).toEqual([]);
    expect((await clear(helper, project, helper.id)).statusCode).toBe(200);
    expect(await rolesOf(project, helper.id)).toEqual([]);
  });
});

describe('the last owner of a project', () => {
  test('cannot be removed through any endpoint, unless another owner replaces them', async () => {
    const project = await newProject();
    const [first, second] = [await person(app), await person(app)];
    await give(app, project, owner, [first.id, second.id]);
    expect((await clear(app, project, second.id)).statusCode).toBe(200);
    const path = `${projects}/${project}`;
    const requests = [
      ['DELETE', `${path}/users/${first.id}/roles`, undefined],
      ['DELETE', `${path}/users/${first.id}/roles/${owner}`, undefined],
      ['PUT', `${path}/users/${first.id}/roles/${member}`, undefined],
      ['PUT', `${path}/users/${first.id}/roles`, { roles: [member] }],
      ['PUT', `${path}/users/${first.id}/roles`, { roles: [] }],
      ['PUT', `${path}/access`, { roles: [{ id: member, users: [first.id] }] }],
    ] as const;
    const before = await countEvents(app.db);
    for (const [method, url, payload] of requests) {
      const response = await app.ask(`${method} ${url}`, { ...(payload && { payload }) });
      expect([url, ...outcome(response)]).toEqual([url, 403, 'InvalidOperationError']);
    }
    expect(await countEvents(app.db)).toBe(before);
    expect(await rolesOf(project, first.id)).toEqual([owner]);
    const exchanged = await app.ask(`PUT ${path}/access`, {
      payload: { roles: [{ id: owner, users: [second.id] }] },
    });
    expect(exchanged.statusCode).toBe(200);
  });

  test('may be a group that has a member', async () => {
    const project = await newProject();
    const [somebody, inGroup] = [await person(app), await person(app)];
    const [team, empty] = [await group(app, { users: [inGroup.id] }), await group(app)];
    await give(app, project, owner, [somebody.id]);
    const path = `${projects}/${project}/groups`;
    await app.ask(`POST ${path}/${empty.id}/roles/${owner}`);
    expect((await clear(app, project, somebody.id)).statusCode).toBe(403);
    await app.ask(`POST ${path}/${team.id}/roles/${owner}`);
    expect((await clear(app, project, somebody.id)).statusCode).toBe(200);
    expect((await app.ask(`DELETE ${path}/${team.id}/roles`)).statusCode).toBe(403);
    await app.db
      .updateTable('users')
      .set({ deleted_at: new Date() })
      .where('id', '=', inGroup.id)
      .execute();
    // The group has no members left, so there is no owner to protect.
    expect((await app.ask(`DELETE ${path}/${team.id}/roles`)).statusCode).toBe(200);
  });

  test('remains when two owners remove each other concurrently', async () => {
    for (let round = 0; round < raceRounds; round += 1) {
      const project = await newProject();
      const [one, two] = [await person(app), await person(app)];
      await give(app, project, owner, [one.id, two.id]);
      const responses = await Promise.all([
        clear(one, project, two.id),
        clear(two, project, one.id),
      ]);
      const statuses = responses.map(({ statusCode }) => statusCode).sort();
      expect(statuses).toEqual([200, 403]);
      const left = [await rolesOf(project, one.id), await rolesOf(project, two.id)];
      expect(left.flat()).toEqual([owner]);
    }
  });
});

describe('reading and changing the access of a project', () => {
  test('requires the respective permission, and the error names it', async () => {
    const project = await newProject();
    const reading = await customRole(app, 'custom', [{ name: 'PROJECT_USER_ACCESS_READ' }]);
    const writing = await customRole(app, 'custom', [{ name: 'PROJECT_USER_ACCESS_WRITE' }]);
    const updating = await customRole(app, 'custom', [{ name: 'UPDATE_PROJECT' }]);
    const { id } = await person(app);
    const statuses = async (roles: number[]) => {
      const asker = await person(app, { roles: { [project]: roles } });
      const read = await asker.ask(`GET ${projects}/${project}/access`);
      const listed = await asker.ask(`GET ${projects}/${project}/users`);
      const written = await clear(asker, project, id);
      return [read, listed, written].map(({ statusCode }) => statusCode);
    };
    expect(await statuses([])).toEqual([403, 403, 403]);
    expect(await statuses([reading])).toEqual([200, 200, 403]);
    expect(await statuses([writing])).toEqual([403, 403, 200]);
    expect(await statuses([updating])).toEqual([200, 200, 200]);
    expect(await statuses([member])).toEqual([200, 200, 403]);
    const viewer = await person(app);
    expect((await clear(viewer, project, id)).json().message).toContain(
      'UPDATE_PROJECT or PROJECT_USER_ACCESS_WRITE',
    );
  });

  test('takes effect with the next request', async () => {
    const project = await newProject({ mode: 'private' });
    const { id, ask } = await person(app);
    const look = async () => (await ask(`GET ${projects}/${project}/overview`)).statusCode;
    expect(await look()).toBe(404);
    await give(app, project, member, [id]);
    expect(await look()).toBe(200);
    await clear(app, project, id);
    expect(await look()).toBe(404);
  });
});

describe('the creator of a project', () => {
  test('becomes its owner, which is recorded, and sees it if it is private', async () => {
    const editor = await person(app, { rootRole: 2 });
    const response = await editor.ask(`POST ${projects}`, {
      payload: { id: 'of-an-editor', name: 'Of an editor', mode: 'private' },
    });
    expect(response.statusCode).toBe(201);
    expect(await recordedBy(app.db, response)).toMatchObject([
      { type: 'project-created' },
      {
        type: 'project-access-added',
        project: 'of-an-editor',
        data: { roles: [{ roleId: owner, groupIds: [], userIds: [editor.id] }] },
      },
    ]);
    const overview = await editor.ask(`GET ${projects}/of-an-editor/overview`);
    expect(overview.json()).toMatchObject({
      members: 1,
      owners: [
        {
          ownerType: 'user',
          name: editor.name,
          imageUrl: `http://localhost:4242/avatars/${editor.id}.svg`,
        },
      ],
    });
    expect((await editor.ask(`DELETE ${projects}/of-an-editor`)).statusCode).toBe(200);
  });

  test('may be a service account; a project created with an admin token has no owner', async () => {
    const robot = await person(app, { rootRole: 2, kind: 'service account' });
    await make(robot.ask).project('of-a-robot');
    expect(await rolesOf('of-a-robot', robot.id)).toEqual([owner]);
    const project = await newProject();
    const { users } = (await app.ask(`GET ${projects}/${project}/access`)).json();
    expect(users).toEqual([]);
  });
});
