import { beforeAll, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../test/support/app.ts';
import { startProvider, type TestProvider } from '../../../../test/support/oidc/provider.ts';
import {
  lastEventId,
  offer,
  recordedSince,
  signInThrough,
} from '../../../../test/support/oidc/sign-in-through.ts';

let app: TestApp;
let provider: TestProvider;
beforeAll(async () => {
  app = await testApp();
  provider = await startProvider();
  for (const [name, mappingsSSO] of [
    ['Developers', ['dev', 'engineering']],
    ['Operators', ['ops']],
    ['By hand', []],
  ] as const) {
    const made = await app.ask('POST /api/admin/groups', { payload: { name, mappingsSSO } });
    expect(made.statusCode, made.body).toBe(201);
  }
});

const ada = { email: 'ada@example.com', email_verified: true };
const syncing = { enableGroupSyncing: true, groupJsonPath: 'groups', addGroupsScope: true };

const groupsOf = async (userId: number) =>
  (
    await app.db
      .selectFrom('group_users')
      .innerJoin('groups', 'groups.id', 'group_users.group_id')
      .where('user_id', '=', userId)
      .select('groups.name')
      .orderBy('groups.name')
      .execute()
  ).map(({ name }) => name);

test('a sign-in adds the user to the reported groups and removes them from other mapped groups', async () => {
  await offer(app, provider, syncing);
  const { user } = await signInThrough(app, provider, 'ada', {
    ...ada,
    groups: ['dev', 'unheard'],
  });
  expect(await groupsOf(user.id)).toEqual(['Developers']);

  const before = await lastEventId(app);
  await signInThrough(app, provider, 'ada', { ...ada, groups: ['ops'] });
  expect(await groupsOf(user.id)).toEqual(['Operators']);
  const recorded = await recordedSince(app, before);
  expect(recorded.map(({ type, createdBy }) => [type, createdBy]).sort()).toEqual([
    ['group-user-added', 'burgee-system'],
    ['group-user-removed', 'burgee-system'],
  ]);

  const settled = await lastEventId(app);
  await signInThrough(app, provider, 'ada', { ...ada, groups: ['ops'] });
  expect(await recordedSince(app, settled)).toEqual([]);

  await signInThrough(app, provider, 'ada', ada);
  expect(await groupsOf(user.id)).toEqual([]);
});

test('the groups are read from the configured claim path', async () => {
  await offer(app, provider, { ...syncing, groupJsonPath: 'realm.teams[*].name' });
  const { user } = await signInThrough(app, provider, 'grace', {
    email: 'grace@example.com',
    email_verified: true,
    realm: { teams: [{ name: 'engineering' }, { name: 'ops' }, {}] },
  });
  expect(await groupsOf(user.id)).toEqual(['Developers', 'Operators']);
});

test('groups are not synchronized in maintenance mode or while group sync is disabled', async () => {
  await offer(app, provider, syncing);
  const { user } = await signInThrough(app, provider, 'ada', { ...ada, groups: ['dev'] });
  await app.ask('POST /api/admin/maintenance', { payload: { enabled: true } });
  await signInThrough(app, provider, 'ada', { ...ada, groups: ['ops'] });
  expect(await groupsOf(user.id)).toEqual(['Developers']);
  await app.ask('POST /api/admin/maintenance', { payload: { enabled: false } });
  await offer(app, provider, { enableGroupSyncing: false });
  await signInThrough(app, provider, 'ada', { ...ada, groups: ['ops'] });
  expect(await groupsOf(user.id)).toEqual(['Developers']);
});
