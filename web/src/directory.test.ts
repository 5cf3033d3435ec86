import { expect, test } from 'vitest';
import { actorName, directoryOf, withNames } from './directory.ts';

const directory = directoryOf({
  users: [
    { id: 1, name: 'Ada Holm', username: 'ada', email: 'ada@example.com' },
    { id: 2, email: 'bo@example.com' },
  ],
  groups: [{ id: 4, name: 'Platform' }],
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

test('ids of users and groups in event data become names', () => {
  expect(
    withNames(
      { userId: 1, groups: [4, 5], roles: [{ roleId: 2, userIds: [1, 7] }], id: 1, name: 'x' },
      directory,
    ),
  ).toEqual({
    userId: 'Ada Holm',
    groups: ['Platform', 5],
    roles: [{ roleId: 2, userIds: ['Ada Holm', 7] }],
    id: 1,
    name: 'x',
  });
});
