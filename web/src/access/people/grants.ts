import type { Response } from '../../api.ts';

export type Explained = Response<'GET /api/admin/access/accounts/:id'>;
export type Grant = Explained['permissions'][number];
export type Source = Explained['sources'][number];

/** Where permissions are asked for: in the installation, or in a project. */
export type GrantScope =
  | { readonly kind: 'installation' }
  | { readonly kind: 'project'; readonly id: string; readonly isOpen: boolean };

/**
 * What counts in a scope. Roles of the installation count in open projects too; in others, only roles that are given
 * there do.
 */
export const grantsIn = (permissions: readonly Grant[], scope: GrantScope): Grant[] =>
  permissions.filter(({ type, project }) =>
    scope.kind === 'installation'
      ? type === 'root' && project === null
      : type !== 'root' && (project === scope.id || (project === null && scope.isOpen)),
  );

interface HeldPermission {
  readonly permission: string;
  readonly displayName: string;
  /** Empty: in every environment. */
  readonly environments: readonly string[];
  readonly sources: readonly Source[];
}

/** Each permission once, with everything that gives it. */
export function held(grants: readonly Grant[], sources: readonly Source[]): HeldPermission[] {
  const names = [...new Set(grants.map(({ permission }) => permission))];
  return names.map((permission) => {
    const same = grants.filter((grant) => grant.permission === permission);
    const isEverywhere = same.some(({ environment }) => environment === null);
    return {
      permission,
      displayName: same[0]?.displayName ?? permission,
      environments: isEverywhere
        ? []
        : [...new Set(same.flatMap(({ environment }) => environment ?? []))].sort(),
      sources: [...new Set(same.flatMap((grant) => grant.sources))].flatMap(
        (index) => sources[index] ?? [],
      ),
    };
  });
}

/** "Member in web-shop, through the group Developers" */
export const sourceWords = (
  { role, group, project }: Source,
  nameOfProject: (id: string) => string,
): string =>
  [
    project === null ? role.name : `${role.name} in ${nameOfProject(project)}`,
    ...(group ? [`through the group ${group.name}`] : []),
  ].join(', ');
