import { joinAnd, plural } from '../../ui/format.ts';

interface Holders {
  readonly users?: number;
  readonly serviceAccounts?: number;
  readonly groups?: number;
}

/** "3 users" and "1 group": without those that are none. */
export const holderCounts = ({ users = 0, serviceAccounts = 0, groups = 0 }: Holders): string[] => [
  ...(users > 0 ? [plural(users, 'user')] : []),
  ...(serviceAccounts > 0 ? [plural(serviceAccounts, 'service account')] : []),
  ...(groups > 0 ? [plural(groups, 'group')] : []),
];

/** Why a role can't be deleted, by who has it; undefined if no one does. */
export function assignedReason({
  projects = 0,
  ...holders
}: Holders & { readonly projects?: number }): string | undefined {
  if (projects > 0) {
    return `Assigned to members of ${plural(projects, 'project')}. Reassign them first.`;
  }
  const counts = holderCounts(holders);
  return counts.length === 0 ? undefined : `Assigned to ${joinAnd(counts)}. Reassign them first.`;
}
