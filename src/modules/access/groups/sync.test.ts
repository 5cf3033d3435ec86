import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testActor, testApp } from '../../../../test/support/app.ts';
import { group } from '../../../../test/support/groups.ts';
import { person } from '../../../../test/support/people.ts';
import { countEvents } from '../../../../test/support/recorded.ts';
import { forgetEverywhere } from '../../../app/installation.ts';
import { systemActor } from '../gate/index.ts';
import { syncExternalGroups } from './index.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});

const sync = (userId: number, ...names: string[]) =>
  app.transact(systemActor, (tx) => syncExternalGroups(tx, userId, names));
const groupsOf = async (userId: number) => {
  const groups = await app.db
    .selectFrom('groups')
    .innerJoin('group_users as own', 'own.group_id', 'groups.id')
    .where('own.user_id', '=', userId)
    .select('groups.name')
    .orderBy('groups.name')
    .execute();
  return groups.map(({ name }) => name);
};
const last = (count: number) =>
  app.db
    .selectFrom('events')
    .select(['type', 'data', 'pre_data as preData', 'created_by_user_id as by', 'summary'])
    .orderBy('id', 'desc')
    .limit(count)
    .execute();

describe('the groups that an identity provider reports', () => {
  test('add the user to the groups mapped to them, and remove them from other mapped groups', async () => {
    const { id: userId, name: userName } = await person(app);
    const engineers = await group(app, { mappingsSSO: ['eng', 'dev'] });
    const sales = await group(app, { mappingsSSO: ['sales'], users: [userId] });
    const byHand = await group(app, { users: [userId] });

    await sync(userId, 'dev', 'nobody-knows', 'with \0 in it');
    expect(await groupsOf(userId)).toEqual([engineers.name, byHand.name].sort());
    expect(await last(2)).toEqual([
      {
        type: 'group-user-removed',
        by: systemActor.id,
        data: null,
        preData: { groupId: sales.id, groupName: sales.name, userId, userName },
        summary: `**${systemActor.name}** removed **${userName}** from group **${sales.name}**`,
      },
      {
        type: 'group-user-added',
        by: systemActor.id,
        data: { groupId: engineers.id, groupName: engineers.name, userId, userName },
        preData: null,
        summary: `**${systemActor.name}** added **${userName}** to group **${engineers.name}**`,
      },
    ]);
    const { users } = (await app.ask(`GET ${engineers.path}`)).json();
    expect(users).toMatchObject([{ createdBy: systemActor.name, user: { id: userId } }]);

    await forgetEverywhere(app.transact, testActor, userId);
    const erased = await last(30);
    expect(JSON.stringify(erased)).not.toContain(userName);
    expect(erased.map(({ summary }) => summary)).toContain(
      `**${systemActor.name}** added **\\[erased\\]** to group **${engineers.name}**`,
    );
  });

  test('record nothing if memberships do not change', async () => {
    const { id } = await person(app);
    await group(app, { mappingsSSO: ['same'] });
    await sync(id, 'same');
    const before = await countEvents(app.db);
    expect(await sync(id, 'same')).toEqual({ stillIn: [] });
    expect(await countEvents(app.db)).toBe(before);
  });

  test('are recorded once for concurrent sign-ins', async () => {
    const { id } = await person(app);
    await group(app, { mappingsSSO: ['twice'] });
    const before = await countEvents(app.db);
    await Promise.all([sync(id, 'twice'), sync(id, 'twice'), sync(id, 'twice')]);
    expect(await countEvents(app.db)).toBe(before + 1);
    await Promise.all([sync(id), sync(id)]);
    expect(await countEvents(app.db)).toBe(before + 2);
    expect(await groupsOf(id)).toEqual([]);
  });

  test('apply from the next request', async () => {
    const ada = await person(app);
    await person(app, { rootRole: 1 });
    const { path } = await group(app, { mappingsSSO: ['admins'], rootRole: 1 });
    await sync(ada.id, 'admins');
    expect((await ada.ask(`GET ${path}`)).statusCode).toBe(200);
  });

  test('do not remove the last owner of a project, and report the group', async () => {
    const ada = await person(app);
    await app.db.deleteFrom('project_user_roles').execute();
    const owners = await group(app, {
      mappingsSSO: ['owners'],
      users: [ada.id],
      roles: { default: 4 },
    });
    const joined = (await app.ask(`GET ${owners.path}`)).json().users;
    const before = await countEvents(app.db);
    expect(await sync(ada.id)).toEqual({ stillIn: [owners.name] });
    expect((await app.ask(`GET ${owners.path}`)).json().users).toEqual(joined);
    expect(await countEvents(app.db)).toBe(before);
    await person(app, { roles: { default: 4 } });
    expect(await sync(ada.id)).toEqual({ stillIn: [] });
    expect(await groupsOf(ada.id)).toEqual([]);
  });

  test('do not remove the last administrator', async () => {
    await app.db.updateTable('users').set({ deleted_at: new Date() }).execute();
    const ada = await person(app);
    const admins = await group(app, { mappingsSSO: ['only'], users: [ada.id], rootRole: 1 });
    expect(await sync(ada.id)).toEqual({ stillIn: [admins.name] });
    expect((await ada.ask(`GET ${admins.path}`)).statusCode).toBe(200);
  });
});
