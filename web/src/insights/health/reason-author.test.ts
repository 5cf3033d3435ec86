import { expect, test } from 'vitest';
import { directoryOf } from '../../directory.ts';
import { withAuthorName } from './reason-author.ts';

const directory = directoryOf({
  users: [{ id: 1, name: 'Ada Holm', email: 'ada@example.com' }],
  groups: [],
});

test.each([
  ['ada@example.com', 'Ada Holm'],
  ['burgee-system', 'System'],
  ['deleted@example.com', 'deleted@example.com'],
  [undefined, undefined],
])('the user %s who marked a feature as stale is shown as %s', (markedBy, name) => {
  const evidence = markedBy === undefined ? {} : { markedBy };
  expect(withAuthorName({ evidence }, directory).evidence.markedBy).toBe(name);
});
