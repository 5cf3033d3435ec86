import { beforeAll, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../test/support/app.ts';
import { group } from '../../../../test/support/groups.ts';
import { make } from '../../../../test/support/make.ts';
import { person } from '../../../../test/support/people.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});

const [owner, member] = [4, 5];
const projects = '/api/admin/projects';

/** The members and owners of a project in the list and in both overviews, which must agree. */
async function peopleOf(id: string, { ask }: Pick<TestApp, 'ask'> = app) {
  const list = (await ask(`GET ${projects}`)).json().projects;
  const listed = list.find((project: { id: string }) => project.id === id);
  const people = { members: listed.memberCount, owners: listed.owners };
  for (const path of [`${projects}/${id}/overview`, `${projects}/${id}`]) {
    const { members, owners } = (await ask(`GET ${path}`)).json();
    expect({ members, owners }).toEqual(people);
  }
  return people;
}

const userOwner = ({ id, name }: { id: number; name: string }) => ({
  ownerType: 'user',
  name,
  imageUrl: `http://localhost:4242/avatars/${id}.svg`,
});

test('a project without an owner belongs to the system', async () => {
  await make(app.ask).project('of-nobody');
  expect(await peopleOf('of-nobody')).toEqual({ members: 0, owners: [{ ownerType: 'system' }] });
});

test('a member counts once, whatever the number of roles and groups', async () => {
  await make(app.ask).project('counted');
  await make(app.ask).project('beside');
  const roles = { counted: [owner, member], beside: member };
  const [twice, inGroup] = [await person(app, { roles }), await person(app)];
  await group(app, { users: [twice.id, inGroup.id], roles: { counted: member } });
  await group(app, { users: [inGroup.id], roles: { counted: member } });
  await group(app, { users: [(await person(app)).id] });
  expect((await peopleOf('counted')).members).toBe(2);
  expect((await peopleOf('beside')).members).toBe(1);
});

test('service accounts can be owners but not members, and deleted users are neither', async () => {
  await make(app.ask).project('active');
  const robot = await person(app, { kind: 'service account', roles: { active: owner } });
  const gone = await person(app, { roles: { active: owner } });
  await app.db
    .updateTable('users')
    .set({ deleted_at: new Date() })
    .where('id', '=', gone.id)
    .execute();
  expect(await peopleOf('active')).toEqual({ members: 0, owners: [userOwner(robot)] });
});

test('owners are users and groups with a name and without an email address', async () => {
  await make(app.ask).project('owned');
  const [zoe, ada] = [
    await person(app, { roles: { owned: [owner, member] } }),
    await person(app, { roles: { owned: owner } }),
  ];
  const name = (id: number, set: { name: string; email: string; username?: null }) =>
    app.db.updateTable('users').set(set).where('id', '=', id).execute();
  await name(zoe.id, { name: '', email: 'zoe@secret.example', username: null });
  await name(ada.id, { name: 'Ada', email: 'ada@secret.example' });
  const team = await group(app, { roles: { owned: owner } });
  const viewer = await person(app);
  const people = await peopleOf('owned', viewer);
  expect(people).toEqual({
    members: 2,
    owners: [
      userOwner({ id: ada.id, name: 'Ada' }),
      userOwner({ id: zoe.id, name: 'zoe' }),
      { ownerType: 'group', name: team.name },
    ],
  });
  expect(JSON.stringify(people)).not.toContain('secret.example');
});
