import { expect, test } from 'vitest';
import { noUsersReason } from './no-users.ts';

test('only without a search or role, an empty list of inactive users means that everyone is active', () => {
  const everyoneIsActive = {
    title: 'No inactive users',
    text: 'Everyone has been active in the last 180 days.',
  };
  expect(noUsersReason({ show: 'inactive' })).toEqual(everyoneIsActive);
  expect(noUsersReason({ show: 'inactive', query: 'zoe' })).toEqual({});
  expect(noUsersReason({ show: 'inactive', role: 2 })).toEqual({});
});

test('a search alone is repeated; with filters, all of them are cleared', () => {
  expect(noUsersReason({ query: 'zoe' })).toEqual({ query: 'zoe' });
  expect(noUsersReason({ query: 'zoe', role: 2 })).toEqual({});
  expect(noUsersReason({ show: 'never' })).toEqual({
    title: 'No matching users',
    text: 'Everyone has signed in at least once.',
  });
});
