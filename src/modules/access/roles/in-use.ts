import type { Actor } from '../../../platform/db/database.ts';
import { mentioned } from '../../../platform/mention.ts';
import type { RoleUsage } from './contract.ts';
import type { Holders } from './queries.ts';

const counted = (count: number, one: string, many: string): string[] =>
  count === 0 ? [] : [`${count} ${count === 1 ? one : many}`];

const placeOf = (usage: RoleUsage): string => {
  const holders = [
    ...counted(usage.userCount, 'user', 'users'),
    ...counted(usage.serviceAccountCount, 'service account', 'service accounts'),
    ...counted(usage.groupCount, 'group', 'groups'),
  ];
  return `${holders.join(' and ')} in the project '${usage.project}'`;
};

/** Who has a role, in words; of projects that the actor may not know only that there are some. */
export function describeHolders(
  { people, serviceAccounts, groups, inviteLinks }: Holders,
  usages: readonly RoleUsage[],
  actor: Actor,
): string {
  const inProjects = mentioned(usages, actor, {
    scopeOf: ({ project }) => project,
    nameOf: placeOf,
    unseen: 'projects that you may not see',
    // Enough to begin with; where a role is used has a list of its own.
    most: 20,
  });
  return [
    ...counted(people, 'user', 'users'),
    ...counted(serviceAccounts, 'service account', 'service accounts'),
    ...counted(groups, 'group', 'groups'),
    ...counted(inviteLinks, 'invite link', 'invite links'),
    ...inProjects,
  ].join(', ');
}
