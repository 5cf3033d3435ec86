import type { Response } from '../../api.ts';

export type Explained = Response<'GET /api/admin/access/accounts/:id'>;
export type Grant = Explained['permissions'][number];
export type Source = Explained['sources'][number];

/** Where permissions apply: in the instance, or in a project. */
export type GrantScope =
  | { readonly kind: 'instance' }
  | { readonly kind: 'project'; readonly id: string; readonly isOpen: boolean };

/**
 * What applies in a scope. Root roles also apply in open projects; in others, only project roles do.
 */
export const grantsIn = (permissions: readonly Grant[], scope: GrantScope): Grant[] =>
  permissions.filter(({ type, project }) =>
    scope.kind === 'instance'
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

/** Each permission once, with everything that grants it. */
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

/** "Member in Web shop, via group Developers". */
export const sourceWords = (
  { role, group, project }: Source,
  nameOfProject: (id: string) => string,
): string =>
  [
    project === null ? role.name : `${role.name} in ${nameOfProject(project)}`,
    ...(group ? [`via group ${group.name}`] : []),
  ].join(', ');

interface Project {
  readonly id: string;
  readonly name: string;
  readonly mode: string;
}

interface ScopeGroup {
  readonly group: string;
  readonly items: { readonly value: string; readonly label: string }[];
}

/** Projects to choose a scope from: first those with a role, then the others, each by name. */
export function scopeGroups(
  projects: readonly Pick<Project, 'id' | 'name'>[],
  sources: readonly Source[],
): ScopeGroup[] {
  const withRole = new Set(sources.flatMap(({ project }) => project ?? []));
  const itemsOf = (hasRole: boolean) =>
    projects
      .filter(({ id }) => withRole.has(id) === hasRole)
      .map(({ id, name }) => ({ value: id, label: name }))
      .sort((one, other) => one.label.localeCompare(other.label));
  return [
    { group: 'Projects with a role', items: itemsOf(true) },
    { group: 'Other projects', items: itemsOf(false) },
  ].filter(({ items }) => items.length > 0);
}

/** The access in a scope without any permission there. Only members see a private project. */
export const accessWithoutPermissions = (
  project: Project | undefined,
  sources: readonly Source[],
): string =>
  project?.mode === 'private' && !sources.some((source) => source.project === project.id)
    ? 'No access'
    : 'Read-only access';
