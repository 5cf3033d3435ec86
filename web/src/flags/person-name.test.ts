import { expect, test } from 'vitest';
import { directoryOf } from '../directory.ts';
import { personName } from './person-name.ts';

const directory = directoryOf({
  users: [{ id: 1, name: 'Ada Holm', email: 'ada@example.com' }],
  groups: [],
});

test('a user is called by their name, with the address as a note', () => {
  expect(personName({ id: 1, name: 'ada@example.com' }, directory)).toMatchObject({
    name: 'Ada Holm',
    note: 'ada@example.com',
  });
});

test.each([-1, 99])('a token or a deleted user (%i) keeps the recorded name', (id) => {
  expect(personName({ id, name: 'ci-token' }, directory).name).toBe('ci-token');
});
