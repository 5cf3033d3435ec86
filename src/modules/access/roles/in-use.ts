import type { Actor } from '../../../platform/actor.ts';
import { blockerNames } from '../../../platform/blockers.ts';
import type { RoleUsage } from './contract.ts';
import type { RootHolderCounts } from './queries.ts';

const countLabel = (count: number, one: string, many: string): string[] =>
  count === 0 ? [] : [`${count} ${count === 1 ? one : many}`];

const describeUsage = (usage: RoleUsage): string => {
  const holders = [
    ...countLabel(usage.userCount, 'user', 'users'),
    ...countLabel(usage.serviceAccountCount, 'service account', 'service accounts'),
    ...countLabel(usage.groupCount, 'group', 'groups'),
  ];
  return `${holders.join(' and ')} in the project '${usage.project}'`;
};

/** Describes who has a role. Of projects that the actor does not see it only says that there are some. */
export function describeHolders(
  { people, serviceAccounts, groups, inviteLinks }: RootHolderCounts,
  usages: readonly RoleUsage[],
  actor: Actor,
): string {
  const inProjects = blockerNames(usages, actor, {
    scopeOf: ({ project }) => project,
    nameOf: describeUsage,
    unseen: "projects that you can't see",
    // Enough for a message. The list of usages has its own endpoint.
    most: 20,
  });
  return [
    ...countLabel(people, 'user', 'users'),
    ...countLabel(serviceAccounts, 'service account', 'service accounts'),
    ...countLabel(groups, 'group', 'groups'),
    ...countLabel(inviteLinks, 'invite link', 'invite links'),
    ...inProjects,
  ].join(', ');
}
