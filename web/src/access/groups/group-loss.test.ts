import { expect, test } from 'vitest';
import { groupLoss } from './group-loss.ts';

test.each([
  [{ userCount: 0, projects: ['web'] }, 'It has no members.'],
  [{ userCount: 2, projects: [] }, 'It grants no roles to its 2 members.'],
  [
    { userCount: 1, projects: ['web', 'app'] },
    '1 member will lose the roles it grants in 2 projects.',
  ],
  [
    { userCount: 3, projects: ['web'], rootRole: 2 },
    '3 members will lose the root role it grants and the roles it grants in 1 project.',
  ],
])('deleting the group %j says what its members lose', (group, sentence) => {
  expect(groupLoss(group)).toBe(sentence);
});
