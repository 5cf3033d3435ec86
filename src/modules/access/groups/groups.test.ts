import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../test/support/app.ts';
import { distinctPathsOf, pathsOf } from '../../../../test/support/faults.ts';
import { group } from '../../../../test/support/groups.ts';
import { limitedApp } from '../../../../test/support/limited-app.ts';
import { askedDuring } from '../../../../test/support/locks.ts';
import { make } from '../../../../test/support/make.ts';
import { customRole, person } from '../../../../test/support/people.ts';
import { countEvents, recordedBy } from '../../../../test/support/recorded.ts';
import { systemActor } from '../gate/index.ts';
import { updateForgotten } from './queries.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
  await make(app.ask).project('shop');
});

const groups = '/api/admin/groups';
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const create = (payload: object) => app.ask(`POST ${groups}`, { payload });
const change = (path: string, payload: object) => app.ask(`PUT ${path as '/'}`, { payload });
const read = async (path: string) => (await app.ask(`GET ${path as '/'}`)).json();
const usersOf = async (path: string) =>
  (await read(path)).users.map(({ user }: { user: { id: number } }) => user.id);
const members = (...ids: number[]) => ids.map((id) => ({ user: { id } }));
const markDeleted = (id: number) =>
  app.db.updateTable('users').set({ deleted_at: new Date() }).where('id', '=', id).execute();

describe('creating a group', () => {
  test('returns and records the group with its users', async () => {
    const ada = await person(app);
    const machine = await person(app, { kind: 'service account', rootRole: 2 });
    await app.db
      .updateTable('users')
      .set({ email: 'ada@example.com' })
      .where('id', '=', ada.id)
      .execute();
    const response = await create({
      name: 'Engineers',
      description: 'Who build',
      mappingsSSO: ['eng', 'eng', 'dev'],
      rootRole: 2,
      users: members(machine.id, ada.id, ada.id),
      unknown: 1,
    });
    expect(response.statusCode).toBe(201);
    const { id } = response.json();
    const joined = { joinedAt: expect.stringMatching(instant), createdBy: 'admin' };
    const whole = {
      id: expect.any(Number),
      name: 'Engineers',
      description: 'Who build',
      mappingsSSO: ['eng', 'dev'],
      rootRole: 2,
      createdBy: 'admin',
      createdAt: expect.stringMatching(instant),
      projects: [],
      users: [
        {
          ...joined,
          user: {
            id: ada.id,
            name: ada.name,
            username: ada.name,
            email: 'ada@example.com',
            imageUrl: `http://localhost:4242/avatars/${ada.id}.svg`,
            accountType: 'User',
            isAPI: false,
            rootRole: 3,
            createdAt: expect.stringMatching(instant),
          },
        },
        {
          ...joined,
          user: expect.objectContaining({ id: machine.id, accountType: 'Service Account' }),
        },
      ],
      userCount: 2,
    };
    expect(response.json()).toEqual(whole);
    expect(await read(`${groups}/${id}`)).toEqual(whole);
    expect(await recordedBy(app.db, response)).toEqual([
      {
        type: 'group-created',
        project: null,
        environment: null,
        data: {
          id,
          name: 'Engineers',
          description: 'Who build',
          mappingsSSO: ['eng', 'dev'],
          rootRole: 2,
          users: [ada.id, machine.id],
        },
        preData: null,
      },
    ]);
  });

  test('requires only a name', async () => {
    const response = await create({ name: 'Bare', description: null, rootRole: null });
    expect(response.json()).toEqual({
      id: expect.any(Number),
      name: 'Bare',
      description: null,
      mappingsSSO: [],
      createdBy: 'admin',
      createdAt: expect.stringMatching(instant),
      projects: [],
      users: [],
      userCount: 0,
    });
  });

  test('reports every unknown user and root role', async () => {
    const { id: active } = await person(app);
    const { id: dead } = await person(app);
    await markDeleted(dead);
    const before = await countEvents(app.db);
    for (const rootRole of [99_999, 4, await customRole(app, 'custom', [])]) {
      const response = await create({
        name: 'Unknown',
        rootRole,
        users: members(active, 99_999, dead, 0),
      });
      expect(response.statusCode).toBe(400);
      expect(pathsOf(response)).toEqual([
        '/body/rootRole',
        '/body/users/1/user/id',
        '/body/users/2/user/id',
        '/body/users/3/user/id',
      ]);
    }
    expect(await countEvents(app.db)).toBe(before);
    const rootRole = await customRole(app, 'root-custom', []);
    expect((await create({ name: 'Of a custom role', rootRole })).json()).toMatchObject({
      rootRole,
    });
  });

  test('reports all validation errors of a body together', async () => {
    const response = await create({
      name: '',
      description: 7,
      mappingsSSO: ['', 'x'.repeat(501)],
      rootRole: 'Admin',
      users: [{ user: { id: 1.5 } }, { user: {} }, {}, { user: { id: 2 ** 31 } }],
    });
    expect(response.statusCode).toBe(400);
    expect(distinctPathsOf(response).sort()).toEqual([
      '/body/description',
      '/body/mappingsSSO/0',
      '/body/mappingsSSO/1',
      '/body/name',
      '/body/rootRole',
      '/body/users/0/user/id',
      '/body/users/1/user/id',
      '/body/users/2/user',
      '/body/users/3/user/id',
    ]);
  });

  test('succeeds once for ten concurrent requests with the same name', async () => {
    const before = await countEvents(app.db);
    const answers = await Promise.all(Array.from({ length: 10 }, () => create({ name: 'Raced' })));
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([
      201,
      ...Array<number>(9).fill(409),
    ]);
    expect(await countEvents(app.db)).toBe(before + 1);
  });

  test('reports a root role that is deleted concurrently as unknown', async () => {
    const rootRole = await customRole(app, 'root-custom', []);
    const { waited, response } = await askedDuring(
      app,
      (tx) => tx.db.deleteFrom('roles').where('id', '=', rootRole).execute(),
      () => create({ name: 'Late', rootRole }),
    );
    expect(waited).toBe(true);
    expect(response.statusCode).toBe(400);
    expect(pathsOf(response)).toEqual(['/body/rootRole']);
  });

  test('applies its root role from the next request of its users', async () => {
    const ada = await person(app);
    const ask = () => ada.ask('GET /api/admin/roles');
    expect((await ask()).statusCode).toBe(403);
    const rootRole = await customRole(app, 'root-custom', [{ name: 'READ_ROLE' }]);
    const { path } = await group(app, { users: [ada.id], rootRole });
    expect((await ask()).statusCode).toBe(200);
    expect((await app.ask(`DELETE ${path}`)).statusCode).toBe(200);
    expect((await ask()).statusCode).toBe(403);
  });
});

describe('the list of groups', () => {
  test('returns complete groups, sorted by name, without deleted users', async () => {
    const ada = await person(app);
    const gone = await person(app);
    const { id, name } = await group(app, {
      users: [ada.id, gone.id],
      roles: { shop: 5, default: 4 },
    });
    await markDeleted(gone.id);
    await create({ name: 'listed b' });
    await create({ name: 'listed a' });
    const { groups: all } = (await app.ask(`GET ${groups}`)).json();
    const names = all.map((each: { name: string }) => each.name);
    expect(names.filter((each: string) => each.startsWith('listed'))).toEqual([
      'listed a',
      'listed b',
    ]);
    expect(all.find((each: { id: number }) => each.id === id)).toMatchObject({
      name,
      projects: ['default', 'shop'],
      users: [{ user: { id: ada.id } }],
      userCount: 1,
    });
  });
});

describe('changing a group', () => {
  test('replaces all fields; remaining members keep their joining date', async () => {
    const [ada, bob, eve] = [await person(app), await person(app), await person(app)];
    const { id, name, path } = await group(app, {
      users: [ada.id, bob.id],
      rootRole: 2,
      mappingsSSO: ['eng'],
    });
    const [joined] = (await read(path)).users;
    const response = await change(path, {
      name: 'Replaced',
      description: 'New',
      users: members(eve.id, ada.id),
    });
    expect(response.statusCode).toBe(200);
    expect(response.json()).toMatchObject({ id, name: 'Replaced', mappingsSSO: [], userCount: 2 });
    expect(response.json()).not.toHaveProperty('rootRole');
    expect(response.json().users[0]).toEqual(joined);
    expect(await usersOf(path)).toEqual([ada.id, eve.id]);
    expect(await recordedBy(app.db, response)).toEqual([
      {
        type: 'group-updated',
        project: null,
        environment: null,
        data: {
          id,
          name: 'Replaced',
          description: 'New',
          mappingsSSO: [],
          rootRole: null,
          users: [ada.id, eve.id],
        },
        preData: {
          id,
          name,
          description: null,
          mappingsSSO: ['eng'],
          rootRole: 2,
          users: [ada.id, bob.id],
        },
      },
    ]);
  });

  test('keeps the members if `users` is missing, and records nothing if nothing changes', async () => {
    const ada = await person(app);
    const { name, path } = await group(app, { users: [ada.id] });
    const response = await change(path, { name });
    expect(response.json()).toMatchObject({ name, users: [{ user: { id: ada.id } }] });
    expect(await recordedBy(app.db, response)).toEqual([]);
    expect((await change(path, { name, users: [] })).json().users).toEqual([]);
  });

  test('rejects unknown roles and users and a taken name', async () => {
    const { path } = await group(app);
    const other = await group(app);
    const before = await countEvents(app.db);
    const unknown = await change(path, { name: 'N', rootRole: 5, users: members(99_999) });
    expect(pathsOf(unknown)).toEqual(['/body/rootRole', '/body/users/0/user/id']);
    const taken = await change(path, { name: other.name });
    expect([taken.statusCode, taken.json().name]).toEqual([409, 'NameExistsError']);
    expect(await countEvents(app.db)).toBe(before);
  });

  test('applies concurrent requests one after the other', async () => {
    const [ada, bob] = [await person(app), await person(app)];
    const { name, path } = await group(app);
    const answers = await Promise.all(
      [[ada.id], [bob.id], [ada.id, bob.id]].map((ids) =>
        change(path, { name, users: members(...ids) }),
      ),
    );
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
    const recorded = await app.db
      .selectFrom('events')
      .where('type', '=', 'group-updated')
      .select(['data', 'pre_data as preData'])
      .orderBy('id', 'desc')
      .limit(3)
      .execute();
    const [last, middle, first] = recorded as { data: unknown; preData: unknown }[];
    expect(last?.data).toMatchObject({ users: await usersOf(path) });
    expect([last?.preData, middle?.preData]).toEqual([middle?.data, first?.data]);
  });
});

test('deleting a group records its members and project roles', async () => {
  const ada = await person(app);
  const { id, name, path } = await group(app, { users: [ada.id], roles: { shop: 5, default: 5 } });
  const response = await app.ask(`DELETE ${path}`);
  expect([response.statusCode, response.body]).toEqual([200, '']);
  expect(await recordedBy(app.db, response)).toEqual([
    {
      type: 'group-deleted',
      project: null,
      environment: null,
      data: null,
      preData: {
        id,
        name,
        description: null,
        mappingsSSO: [],
        rootRole: null,
        users: [ada.id],
        projects: [
          { project: 'default', roles: [5] },
          { project: 'shop', roles: [5] },
        ],
      },
    },
  ]);
  expect((await app.ask(`GET ${path}`)).statusCode).toBe(404);
});

test.each(['0', '99999', '99999999999999999999', 'nosuch', '-1'])(
  'requests for the unknown group %s return 404',
  async (id) => {
    for (const response of [
      await app.ask(`GET ${groups}/${id}`),
      await change(`${groups}/${id}`, { name: 'New' }),
      await app.ask(`DELETE ${groups}/${id}`),
    ]) {
      expect([response.statusCode, response.json().name]).toEqual([404, 'NotFoundError']);
    }
  },
);

test('groups and the access overview require an administrator', async () => {
  const editor = await person(app, { rootRole: 2, roles: { default: 4 } });
  const { path } = await group(app);
  const payload = { name: 'New' };
  for (const response of [
    await editor.ask(`GET ${groups}`),
    await editor.ask(`POST ${groups}`, { payload }),
    await editor.ask(`GET ${path}`),
    await editor.ask(`PUT ${path}`, { payload }),
    await editor.ask(`DELETE ${path}`),
    await editor.ask('GET /api/admin/access/overview'),
  ]) {
    expect([response.statusCode, response.json().name]).toEqual([403, 'NoAccessError']);
    expect(response.json().message).toContain('ADMIN');
  }
});

test('erasing a user erases their name as the creator of groups and memberships', async () => {
  const eve = { id: 4711, name: 'eve@example.com' };
  const hers = limitedApp(app, eve);
  const ada = await person(app);
  const { path } = await group(hers, { users: [ada.id] });
  const creators = async () => {
    const { createdBy, users } = await read(path);
    return [createdBy, users[0].createdBy];
  };
  expect(await creators()).toEqual([eve.name, eve.name]);
  await app.transact(systemActor, (tx) => updateForgotten(tx, eve.id));
  expect(await creators()).toEqual(['[erased]', '[erased]']);
});
