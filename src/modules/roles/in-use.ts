import type { Actor } from '../../platform/db/database.ts';
import { sees } from '../../platform/permission.ts';
import type { RoleUsage } from './contract.ts';
import type { Holders } from './queries.ts';

/** Enough to begin with; where a role is used has a list of its own. */
const maxNamed = 20;

const counted = (count: number, one: string, many: string): string[] =>
  count === 0 ? [] : [`${count} ${count === 1 ? one : many}`];

/** Who has a role, in words; of projects that the actor may not know only that there are some. */
export function describeHolders(
  { people, serviceAccounts, groups, inviteLinks }: Holders,
  usages: readonly RoleUsage[],
  actor: Actor,
): string {
  const known = usages.filter(({ project }) => sees(actor, project));
  const named = known.slice(0, maxNamed).map((usage) => {
    const holders = [
      ...counted(usage.userCount, 'user', 'users'),
      ...counted(usage.serviceAccountCount, 'service account', 'service accounts'),
      ...counted(usage.groupCount, 'group', 'groups'),
    ];
    return `${holders.join(' and ')} in the project '${usage.project}'`;
  });
  const more = known.length - named.length;
  return [
    ...counted(people, 'user', 'users'),
    ...counted(serviceAccounts, 'service account', 'service accounts'),
    ...counted(groups, 'group', 'groups'),
    ...counted(inviteLinks, 'invite link', 'invite links'),
    ...named,
    ...counted(more, 'more project', 'more projects'),
    ...(known.length < usages.length ? ['projects that you may not see'] : []),
  ].join(', ');
}
