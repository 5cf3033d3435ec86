import { beforeAll, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../test/support/app.ts';
import { startProvider, type TestProvider } from '../../../../test/support/oidc/provider.ts';
import {
  lastEventId,
  offer,
  recordedSince,
  signInThrough,
} from '../../../../test/support/oidc/sign-in-through.ts';

let on: TestApp;
let provider: TestProvider;
beforeAll(async () => {
  on = await testApp();
  provider = await startProvider();
  for (const [name, mappingsSSO] of [
    ['Developers', ['dev', 'engineering']],
    ['Operators', ['ops']],
    ['By hand', []],
  ] as const) {
    const made = await on.ask('POST /api/admin/groups', { payload: { name, mappingsSSO } });
    expect(made.statusCode, made.body).toBe(201);
  }
});

const ada = { email: 'ada@example.com', email_verified: true };
const syncing = { enableGroupSyncing: true, groupJsonPath: 'groups', addGroupsScope: true };

const groupsOf = async (userId: number) =>
  (
    await on.db
      .selectFrom('group_users')
      .innerJoin('groups', 'groups.id', 'group_users.group_id')
      .where('user_id', '=', userId)
      .select('groups.name')
      .orderBy('groups.name')
      .execute()
  ).map(({ name }) => name);

test('a log-in adds people to the groups that the provider names, and takes them out of others', async () => {
  await offer(on, provider, syncing);
  const { user } = await signInThrough(on, provider, 'ada', { ...ada, groups: ['dev', 'unheard'] });
  expect(await groupsOf(user.id)).toEqual(['Developers']);

  const before = await lastEventId(on);
  await signInThrough(on, provider, 'ada', { ...ada, groups: ['ops'] });
  expect(await groupsOf(user.id)).toEqual(['Operators']);
  const recorded = await recordedSince(on, before);
  expect(recorded.map(({ type, createdBy }) => [type, createdBy]).sort()).toEqual([
    ['group-user-added', 'burgee-system'],
    ['group-user-removed', 'burgee-system'],
  ]);

  const settled = await lastEventId(on);
  await signInThrough(on, provider, 'ada', { ...ada, groups: ['ops'] });
  expect(await recordedSince(on, settled)).toEqual([]);

  await signInThrough(on, provider, 'ada', ada);
  expect(await groupsOf(user.id)).toEqual([]);
});

test('groups are found where the path leads', async () => {
  await offer(on, provider, { ...syncing, groupJsonPath: 'realm.teams[*].name' });
  const { user } = await signInThrough(on, provider, 'grace', {
    email: 'grace@example.com',
    email_verified: true,
    realm: { teams: [{ name: 'engineering' }, { name: 'ops' }, {}] },
  });
  expect(await groupsOf(user.id)).toEqual(['Developers', 'Operators']);
});

test('nothing happens to groups while it is switched off, or changes are', async () => {
  await offer(on, provider, syncing);
  const { user } = await signInThrough(on, provider, 'ada', { ...ada, groups: ['dev'] });
  await on.ask('POST /api/admin/maintenance', { payload: { enabled: true } });
  await signInThrough(on, provider, 'ada', { ...ada, groups: ['ops'] });
  expect(await groupsOf(user.id)).toEqual(['Developers']);
  await on.ask('POST /api/admin/maintenance', { payload: { enabled: false } });
  await offer(on, provider, { enableGroupSyncing: false });
  await signInThrough(on, provider, 'ada', { ...ada, groups: ['ops'] });
  expect(await groupsOf(user.id)).toEqual(['Developers']);
});
