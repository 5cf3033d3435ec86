import { expect, test } from 'vitest';
import { assignedReason } from './assigned.ts';

test.each([
  [{}, undefined],
  [{ users: 0, groups: 0, projects: 0 }, undefined],
  [{ users: 3, groups: 1 }, 'Assigned to 3 users and 1 group. Reassign them first.'],
  [{ serviceAccounts: 1 }, 'Assigned to 1 service account. Reassign them first.'],
  [{ projects: 2 }, 'Assigned to members of 2 projects. Reassign them first.'],
])('a role assigned to %j says why it cannot be deleted: %s', (counts, reason) => {
  expect(assignedReason(counts)).toBe(reason);
});
