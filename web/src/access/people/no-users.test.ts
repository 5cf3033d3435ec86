import { expect, test } from 'vitest';
import { noUsersReason } from './no-users.ts';

test('an empty list of inactive users says that everyone is active only without a search or role', () => {
  const everyoneIsActive = {
    title: 'No inactive users',
    text: 'Everyone has been active in the last 180 days.',
  };
  expect(noUsersReason({ show: 'inactive' })).toEqual(everyoneIsActive);
  expect(noUsersReason({ show: 'inactive', query: 'zoe' })).toEqual({});
  expect(noUsersReason({ show: 'inactive', role: 2 })).toEqual({});
});

test('an empty list of users repeats the search unless there are other filters', () => {
  expect(noUsersReason({ query: 'zoe' })).toEqual({ query: 'zoe' });
  expect(noUsersReason({ query: 'zoe', role: 2 })).toEqual({});
  expect(noUsersReason({ show: 'never' })).toEqual({
    title: 'No matching users',
    text: 'Everyone has signed in at least once.',
  });
});
