import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type TestApp, testActor, testApp } from '../../../../../test/support/app.ts';
import { make } from '../../../../../test/support/make.ts';
import { type Person, person } from '../../../../../test/support/people.ts';
import { raceRounds } from '../../../../../test/support/random-cases.ts';
import { recordedBy } from '../../../../../test/support/recorded.ts';
import { forgetEverywhere } from '../../../../app/installation.ts';
import { createSession, roleIds } from '../../gate/index.ts';
import { createPasswordLink, findPersonForSignIn, requireAdministrator } from '../index.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});

const admin = '/api/admin/user-admin';
const remove = (id: number) => app.ask(`DELETE ${admin}/${id}`);
const demote = (id: number) => app.ask(`PUT ${admin}/${id}`, { payload: { rootRole: 3 } });
const refused = (response: Awaited<ReturnType<typeof remove>>) => [
  response.statusCode,
  response.json().name,
];
const limits = { sessionTtlHours: 1, sessionIdleHours: 1 };

let groups = 0;
async function groupOf(members: readonly Person[], rootRole: number | null = null) {
  groups += 1;
  const { id } = await app.db
    .insertInto('groups')
    .values({
      name: `group-${groups}`,
      description: '',
      mappings_sso: [],
      root_role: rootRole,
      created_at: new Date(),
      created_by: 'test',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  for (const member of members) {
    await app.db
      .insertInto('group_users')
      .values({ group_id: id, user_id: member.id, joined_at: new Date(), added_by: 'test' })
      .execute();
  }
  return id;
}

describe('a deleted user', () => {
  test('disappears from lists and loses names, sessions, links and tokens', async () => {
    const somebody = await person(app);
    await app.ask(`PUT ${admin}/${somebody.id}`, { payload: { email: 'gone@example.com' } });
    await app.transact(testActor, async (tx) => {
      await createSession(tx, { userId: somebody.id, userAgent: undefined, limits });
      await createPasswordLink(tx, somebody.id, 'reset');
    });
    const response = await remove(somebody.id);
    expect([response.statusCode, response.body]).toEqual([200, '']);
    const preData = {
      id: somebody.id,
      name: somebody.name,
      username: somebody.name,
      email: 'gone@example.com',
      rootRole: 3,
    };
    expect(await recordedBy(app.db, response)).toEqual([
      { type: 'user-deleted', project: null, environment: null, data: null, preData },
    ]);
    expect((await app.ask(`GET ${admin}/${somebody.id}`)).statusCode).toBe(404);
    expect((await app.ask(`GET ${admin}/search?q=gone@example.com`)).json()).toEqual([]);
    expect((await somebody.ask('GET /api/admin/user')).statusCode).toBe(401);
    for (const table of ['sessions', 'password_links', 'login_names'] as const) {
      const rows = await app.db
        .selectFrom(table)
        .where('user_id', '=', somebody.id)
        .select('user_id')
        .execute();
      expect(rows, table).toEqual([]);
    }
    const row = await app.db
      .selectFrom('users')
      .where('id', '=', somebody.id)
      .select(['name', 'username', 'email', 'password_hash as hash', 'deleted_at as at'])
      .executeTakeFirstOrThrow();
    expect(row).toEqual({
      name: '',
      username: null,
      email: null,
      hash: null,
      at: expect.any(Date),
    });
    expect(refused(await remove(somebody.id))).toEqual([404, 'NotFoundError']);
    const again = { username: somebody.name, email: 'gone@example.com', rootRole: 3 };
    expect((await app.ask(`POST ${admin}`, { payload: again })).statusCode).toBe(201);
  });

  test('is deleted once by concurrent requests; users cannot delete themselves', async () => {
    const boss = await person(app, { rootRole: 1 });
    expect(refused(await boss.ask(`DELETE ${admin}/${boss.id}`))).toEqual([
      403,
      'InvalidOperationError',
    ]);
    const responses = await Promise.all([remove(boss.id), remove(boss.id), remove(boss.id)]);
    expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([200, 404, 404]);
  });

  test('leaves no name behind when erased from the log', async () => {
    const { id } = (
      await app.ask(`POST ${admin}`, {
        payload: { email: 'erased@example.com', name: 'Erased Canary', rootRole: 3 },
      })
    ).json();
    await app.ask(`PUT ${admin}/${id}`, { payload: { name: 'Second Canary' } });
    await forgetEverywhere(app.transact, testActor, id);
    const text = [
      (await app.ask('GET /api/admin/search/events?limit=1000')).body,
      JSON.stringify(await app.db.selectFrom('users').selectAll().execute()),
      JSON.stringify(await app.db.selectFrom('login_names').selectAll().execute()),
    ].join();
    for (const name of ['erased@example.com', 'Erased Canary', 'Second Canary']) {
      expect(text).not.toContain(name);
    }
    expect((await app.ask(`GET ${admin}/${id}`)).statusCode).toBe(404);
    expect(await findPersonForSignIn(app.db, 'erased@example.com')).toBeUndefined();
  });
});

describe('the only owner of a project', () => {
  let n = 0;
  let project: string;
  beforeEach(async () => {
    n += 1;
    project = `owned-${n}`;
    await make(app.ask).project(project, { mode: 'private' });
    await app.db.deleteFrom('project_user_roles').where('project', '=', project).execute();
  });

  const owner = () => person(app, { roles: { [project]: roleIds.owner } });
  const owners = async () =>
    (await app.ask(`GET /api/admin/projects/${project}/overview`)).json().owners;

  test('can be deleted; an administrator can then assign another owner', async () => {
    const somebody = await owner();
    expect(await owners()).toMatchObject([{ ownerType: 'user' }]);
    expect((await remove(somebody.id)).statusCode).toBe(200);
    expect(await owners()).toEqual([{ ownerType: 'system' }]);
    const heir = await person(app);
    expect((await heir.ask(`GET /api/admin/projects/${project}/overview`)).statusCode).toBe(404);
    const given = await app.ask(`PUT /api/admin/projects/${project}/users/${heir.id}/roles`, {
      payload: { roles: [roleIds.owner] },
    });
    expect(given.statusCode).toBe(200);
    expect((await heir.ask(`GET /api/admin/projects/${project}/overview`)).statusCode).toBe(200);
  });

  test('can be deleted concurrently with the project', async () => {
    const people = [await owner(), await owner()];
    const responses = await Promise.all([
      remove(people[0]?.id as number),
      app.ask(`DELETE /api/admin/projects/${project}`),
      remove(people[1]?.id as number),
    ]);
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
  });

  test('can be deleted if they own it through a group, and so can the group', async () => {
    const [first, second] = [await person(app), await person(app)];
    const group = await groupOf([first, second]);
    await app.db
      .insertInto('project_group_roles')
      .values({ project, group_id: group, role_id: roleIds.owner, granted_at: new Date() })
      .execute();
    expect((await remove(first.id)).statusCode).toBe(200);
    expect((await app.ask(`DELETE /api/admin/groups/${group}`)).statusCode).toBe(200);
    expect(await owners()).toEqual([{ ownerType: 'system' }]);
    expect((await remove(second.id)).statusCode).toBe(200);
  });
});

describe('the last administrator', () => {
  let first: number;
  beforeEach(async () => {
    await app.db.updateTable('users').set({ deleted_at: new Date() }).execute();
    ({ id: first } = await person(app, { rootRole: 1 }));
  });

  test('cannot be deleted or demoted, even if a service account is an administrator', async () => {
    await person(app, { rootRole: 1, kind: 'service account' });
    for (const response of [await remove(first), await demote(first)]) {
      expect(refused(response)).toEqual([403, 'InvalidOperationError']);
    }
    await person(app, { rootRole: 1 });
    expect((await demote(first)).statusCode).toBe(200);
  });

  test('remains when two administrators are demoted and deleted concurrently', async () => {
    for (let round = 0; round < raceRounds; round += 1) {
      const other = await person(app, { rootRole: 1 });
      const responses = await Promise.all([demote(first), remove(other.id)]);
      expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([200, 403]);
      const left = await app.db
        .selectFrom('users')
        .where('root_role', '=', 1)
        .where('deleted_at', 'is', null)
        .select('id')
        .execute();
      expect(left).toHaveLength(1);
      first = left[0]?.id as number;
    }
  });

  test('cannot be deleted if they have the role through a group, nor removed from it', async () => {
    const member = await person(app);
    const { id: groupId } = await app.db
      .insertInto('groups')
      .values({
        name: 'admins',
        description: '',
        mappings_sso: [],
        root_role: 1,
        created_at: new Date(),
        created_by: 'test',
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await app.db
      .insertInto('group_users')
      .values({ group_id: groupId, user_id: member.id, joined_at: new Date(), added_by: 'test' })
      .execute();
    expect((await remove(first)).statusCode).toBe(200);
    expect(refused(await remove(member.id))).toEqual([403, 'InvalidOperationError']);
    const emptied = app.transact(testActor, async (tx) => {
      await tx.db.deleteFrom('group_users').where('group_id', '=', groupId).execute();
      await requireAdministrator(tx);
    });
    await expect(emptied).rejects.toMatchObject({ status: 403, name: 'InvalidOperationError' });
  });

  test('can be renamed, and other users can be demoted and deleted', async () => {
    const named = await app.ask(`PUT ${admin}/${first}`, {
      payload: { name: 'Still', rootRole: 1 },
    });
    expect(named.statusCode).toBe(200);
    const editor = await person(app, { rootRole: 2 });
    expect((await demote(editor.id)).statusCode).toBe(200);
    expect((await remove(editor.id)).statusCode).toBe(200);
  });
});

test('administrators are counted with password, without password and as service accounts', async () => {
  const count = async () => (await app.ask(`GET ${admin}/admin-count`)).json();
  const before = await count();
  const people = [await person(app, { rootRole: 1 }), await person(app, { rootRole: 1 })];
  await person(app, { rootRole: 1, kind: 'service account' });
  await groupOf([await person(app)], 1);
  await app.ask(`POST ${admin}/${people[0]?.id}/change-password`, {
    payload: { password: 'a fine long phrase 17' },
  });
  const { password, noPassword, service } = before;
  expect(await count()).toEqual({
    password: password + 1,
    noPassword: noPassword + 2,
    service: service + 1,
  });
  await demote(people[1]?.id as number);
  expect(await count()).toMatchObject({ noPassword: noPassword + 1 });
});
