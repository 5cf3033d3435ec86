import { plural } from '../../ui/format.ts';

interface GrantingGroup {
  readonly userCount: number;
  readonly projects: readonly string[];
  readonly rootRole?: number | undefined;
}

/** What members lose when their group is deleted, as a sentence. */
export function groupLoss({ userCount, projects, rootRole }: GrantingGroup): string {
  if (userCount === 0) return 'It has no members.';
  const roles = [
    ...(rootRole === undefined ? [] : ['the root role it grants']),
    ...(projects.length === 0
      ? []
      : [`the roles it grants in ${plural(projects.length, 'project')}`]),
  ];
  return roles.length === 0
    ? `It grants no roles to its ${plural(userCount, 'member')}.`
    : `${plural(userCount, 'member')} will lose ${roles.join(' and ')}.`;
}
