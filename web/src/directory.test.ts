import { expect, test } from 'vitest';
import { actorName, directoryOf, withNames } from './directory.ts';

const directory = directoryOf({
  users: [
    { id: 1, name: 'Ada Holm', username: 'ada', email: 'ada@example.com' },
    { id: 2, email: 'bo@example.com' },
  ],
  groups: [{ id: 4, name: 'Platform' }],
  roles: [{ id: 9, name: 'Release manager' }],
  projects: [{ id: 'checkout', name: 'Checkout' }],
});

test.each([
  [{ createdBy: 'ada@old.example', createdByUserId: 1 }, 'Ada Holm', 'ada@example.com · ada'],
  [{ createdBy: 'bo@example.com', createdByUserId: 2 }, 'bo@example.com', ''],
  [{ createdBy: 'gone@example.com', createdByUserId: 9 }, 'gone@example.com', ''],
  [{ createdBy: 'deploy-token', createdByUserId: -3 }, 'deploy-token', ''],
  [{ createdBy: 'imported', createdByUserId: null }, 'imported', ''],
  [{ createdBy: 'burgee-system', createdByUserId: -1337 }, 'System', 'burgee-system'],
])('the actor of %j is %s', (event, name, note) => {
  expect(actorName(event, directory)).toMatchObject({ name, note });
});

test('a user is found by email address and by username', () => {
  expect(directory.userBySignIn('ADA@example.com')?.id).toBe(1);
  expect(directory.userBySignIn('ada')?.id).toBe(1);
  expect(directory.userBySignIn('Ada Holm')).toBeUndefined();
});

test.each<[string, object, object]>([
  ['users', { userId: 1, userIds: [1, 7] }, { user: 'Ada Holm', users: ['Ada Holm', 7] }],
  ['groups', { groupId: 4, groups: [4, 5] }, { group: 'Platform', groups: ['Platform', 5] }],
  [
    'roles, built-in and custom',
    { rootRole: 1, roleId: 9, roles: [4, 5, 77] },
    { rootRole: 'Admin', role: 'Release manager', roles: ['Owner', 'Member', 77] },
  ],
  [
    'roles with their members',
    { roles: [{ id: 4, groups: [], users: [1] }] },
    { roles: [{ id: 'Owner', groups: [], users: ['Ada Holm'] }] },
  ],
  [
    'owners of features',
    { owner: { type: 'user', id: 1 }, data: { owner: { type: 'group', id: 5, name: 'Web' } } },
    { owner: 'Ada Holm', data: { owner: 'Web' } },
  ],
  [
    'projects',
    { project: 'checkout', projects: ['checkout', '*'], oldProject: 'deleted' },
    { project: 'Checkout', projects: ['Checkout', '*'], oldProject: 'deleted' },
  ],
  [
    'things whose names were recorded, which are shown once',
    {
      userId: 8,
      userName: 'Bo',
      roles: [12],
      roleNames: ['QA'],
      segments: [3],
      segmentNames: ['EU'],
    },
    { user: 'Bo', roles: ['QA'], segments: ['EU'] },
  ],
  [
    'users whose recorded name was erased',
    { userId: 1, userName: null },
    { user: 'Ada Holm', userName: null },
  ],
])('event data shows the names of %s', (_what, data, shown) => {
  expect(withNames(data, directory)).toEqual(shown);
});

test('other event data stays as it is', () => {
  const data = {
    id: 1,
    name: 'x',
    parameters: { groupId: 'dark-mode', userIds: '1,4' },
    stale: null,
  };
  expect(withNames(data, directory)).toEqual(data);
});
