import { expect, test } from 'vitest';
import { ownerNamed, ownerOptions } from './owner-options.ts';

const accounts = {
  users: [
    { id: 1, name: 'Zoe', accountType: 'User' },
    { id: 2, name: 'Robot', accountType: 'Service Account' },
    { id: 3, username: 'bo', accountType: 'User' },
    { id: 4, name: 'Ada Holm', accountType: 'User' },
  ],
  groups: [{ id: 7, name: 'Web' }],
} as unknown as Parameters<typeof ownerOptions>[0];

test('owner options are the current user first, then users and groups, but no service accounts', () => {
  expect(ownerOptions(accounts, 1)).toEqual({
    me: [{ value: 'user:1', label: 'Zoe (you)' }],
    users: [
      { value: 'user:4', label: 'Ada Holm' },
      { value: 'user:3', label: 'bo' },
    ],
    groups: [{ value: 'group:7', label: 'Web' }],
  });
});

test('a selected option becomes an owner with its name', () => {
  expect(ownerNamed('user:3', accounts)).toEqual({ type: 'user', id: 3, name: 'bo' });
  expect(ownerNamed('group:7', accounts)).toEqual({ type: 'group', id: 7, name: 'Web' });
  expect(ownerNamed('user:99', accounts)).toBeUndefined();
});
