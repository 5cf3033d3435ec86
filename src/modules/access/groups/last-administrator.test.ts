import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../test/support/app.ts';
import { group } from '../../../../test/support/groups.ts';
import { make } from '../../../../test/support/make.ts';
import { person } from '../../../../test/support/people.ts';
import { raceRounds } from '../../../../test/support/random-cases.ts';
import { countEvents } from '../../../../test/support/recorded.ts';

const roles = { admin: 1, editor: 2, owner: 4, member: 5 };

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});

beforeEach(async () => {
  // The initial administrator and users of other tests would otherwise keep the role that a test removes.
  await app.db.updateTable('users').set({ deleted_at: new Date() }).execute();
  await app.db.deleteFrom('project_user_roles').execute();
  await app.db.deleteFrom('project_group_roles').execute();
});

const change = (path: string, payload: object) => app.ask(`PUT ${path as '/'}`, { payload });
const remove = (path: string) => app.ask(`DELETE ${path as '/'}`);
const members = (...ids: number[]) => ids.map((id) => ({ user: { id } }));

async function expectRefusal(answer: ReturnType<TestApp['ask']>, words: RegExp) {
  const before = await countEvents(app.db);
  const response = await answer;
  expect([response.statusCode, response.json().name]).toEqual([403, 'InvalidOperationError']);
  expect(response.json().message).toMatch(words);
  expect(await countEvents(app.db)).toBe(before);
}

describe('the last administrator', () => {
  test('cannot be lost by deleting a group, removing its members or changing its root role', async () => {
    const ada = await person(app);
    const { name, path } = await group(app, { users: [ada.id], rootRole: roles.admin });
    await expectRefusal(remove(path), /Admin role/);
    await expectRefusal(change(path, { name, rootRole: roles.admin, users: [] }), /Admin role/);
    await expectRefusal(change(path, { name, rootRole: roles.editor }), /Admin role/);
    await expectRefusal(change(path, { name }), /Admin role/);
    expect((await ada.ask(`GET ${path}`)).json().users).toHaveLength(1);
  });

  test('does not restrict a group while there is another administrator', async () => {
    const [ada, bob] = [await person(app), await person(app)];
    const { name, path } = await group(app, { users: [ada.id, bob.id], rootRole: roles.admin });
    const input = { name, rootRole: roles.admin, users: members(bob.id) };
    expect((await change(path, input)).statusCode).toBe(200);
    await person(app, { rootRole: roles.admin });
    expect((await remove(path)).statusCode).toBe(200);
  });

  test('does not restrict groups that give no one the Admin role', async () => {
    const empty = await group(app, { rootRole: roles.admin });
    const editors = await group(app, { rootRole: roles.editor, users: [(await person(app)).id] });
    expect((await remove(empty.path)).statusCode).toBe(200);
    expect((await remove(editors.path)).statusCode).toBe(200);
  });

  test('survives the concurrent deletion of two groups', async () => {
    const [ada, bob] = [await person(app), await person(app)];
    const first = await group(app, { users: [ada.id], rootRole: roles.admin });
    const second = await group(app, { users: [bob.id], rootRole: roles.admin });
    const answers = await Promise.all([remove(first.path), remove(second.path)]);
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 403]);
  });
});

describe('the last owner of a project', () => {
  const owning = { default: roles.owner };

  test('cannot be lost by emptying a group; deleting the group leaves the project to administrators', async () => {
    const ada = await person(app);
    const { name, path } = await group(app, { users: [ada.id], roles: owning });
    await expectRefusal(
      change(path, { name, users: [] }),
      /^Group '.*' is the only owner of 'default'/,
    );
    const gone = await person(app, { roles: owning });
    await app.db
      .updateTable('users')
      .set({ deleted_at: new Date() })
      .where('id', '=', gone.id)
      .execute();
    await expectRefusal(
      change(path, { name, users: [] }),
      /^Group '.*' is the only owner of 'default'/,
    );
    expect((await remove(path)).statusCode).toBe(200);
  });

  test('can be another user, another non-empty group or another member of the same group', async () => {
    const [ada, bob] = [await person(app), await person(app)];
    const first = await group(app, { users: [ada.id], roles: owning });
    const empty = await group(app, { roles: owning });
    const none = { name: first.name, users: [] };
    await expectRefusal(change(first.path, none), /^Group '.*' is the only owner of 'default'/);
    expect((await remove(empty.path)).statusCode).toBe(200);
    const second = await group(app, { users: [ada.id, bob.id], roles: owning });
    expect((await change(first.path, none)).statusCode).toBe(200);
    const left = await change(second.path, { name: second.name, users: members(bob.id) });
    expect(left.statusCode).toBe(200);
    await person(app, { roles: owning });
    const emptied = await change(second.path, { name: second.name, users: [] });
    expect(emptied.statusCode).toBe(200);
  });

  test('does not restrict archived projects, nor groups that do not own the project', async () => {
    await make(app.ask).project('asleep');
    const ada = await person(app);
    const place = { asleep: roles.owner, default: roles.member };
    const { path } = await group(app, { users: [ada.id], roles: place });
    await app.ask('POST /api/admin/projects/archive/asleep');
    expect((await remove(path)).statusCode).toBe(200);
  });

  test('survives the concurrent emptying of two owning groups', async () => {
    for (let round = 0; round < raceRounds; round += 1) {
      await app.db.deleteFrom('project_group_roles').execute();
      const [ada, bob] = [await person(app), await person(app)];
      const first = await group(app, { users: [ada.id], roles: owning });
      const second = await group(app, { users: [bob.id], roles: owning });
      const answers = await Promise.all([
        change(first.path, { name: first.name, users: [] }),
        change(second.path, { name: second.name, users: [] }),
      ]);
      expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 403]);
    }
  });
});
