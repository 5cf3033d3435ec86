import type { Actor } from '../../../platform/actor.ts';
import {
  builtInPermissions,
  commonProject,
  ofEditorsInCommonProject,
  type RolePermission,
  roleIds,
} from './permissions.ts';

/** The roles of an account, as stored. */
export interface RoleAssignments {
  /** The account's own root role, and those of its groups. */
  readonly rootRoles: readonly number[];
  readonly projectRoles: readonly { readonly project: string; readonly role: number }[];
  /** What the custom roles among these permit. */
  readonly permissions: readonly (RolePermission & { readonly role: number })[];
  /** The projects that the account sees: those that are not private, and private ones in which it has a role. */
  readonly projects: readonly { readonly id: string; readonly mode: string }[];
}

/** A permission, limited to a project and an environment if these are set. */
interface Grant {
  readonly permission: string;
  readonly project?: string;
  readonly environment?: string;
}

/** The environments for each permission. Null means all. */
type EnvironmentsByPermission = Map<string, Set<string> | null>;

function addPermission(
  permissionMap: EnvironmentsByPermission,
  { name, environment }: RolePermission,
): void {
  const existing = permissionMap.get(name);
  if (environment === undefined || existing === null) permissionMap.set(name, null);
  else if (existing) existing.add(environment);
  else permissionMap.set(name, new Set([environment]));
}

const hasPermission = (
  permissionMap: EnvironmentsByPermission,
  permission: string,
  environment?: string,
): boolean => {
  const environments = permissionMap.get(permission);
  return (
    environments === null ||
    (environments !== undefined && environment !== undefined && environments.has(environment))
  );
};

export interface Access extends Pick<Actor, 'may' | 'sees'> {
  /** All grants as a list, computed on demand. */
  readonly grants: () => readonly Grant[];
}

export const everything: Access = {
  may: () => true,
  sees: 'all',
  grants: () => [{ permission: 'ADMIN' }],
};

export const nothing: Access = { may: () => false, sees: new Set(), grants: () => [] };

const toPermissionMap = (permissions: readonly RolePermission[]): EnvironmentsByPermission => {
  const permissionMap: EnvironmentsByPermission = new Map();
  for (const permission of permissions) addPermission(permissionMap, permission);
  return permissionMap;
};

const builtInMaps: ReadonlyMap<number, EnvironmentsByPermission> = new Map(
  [...builtInPermissions].map(([role, permissions]) => [role, toPermissionMap(permissions)]),
);

const editorsInCommonProject = toPermissionMap(ofEditorsInCommonProject);

/**
 * Computes the permissions of an account. An account with a permission in one project may change the resources that
 * all projects share. A root role's project permissions apply to every open project, and editors have the permissions
 * of members there. In protected and private projects only project roles count.
 */
export function accessOf({
  rootRoles,
  projectRoles,
  permissions,
  projects,
}: RoleAssignments): Access {
  const custom = new Map<number, EnvironmentsByPermission>();
  for (const { role, ...permission } of permissions) {
    const permissionMap: EnvironmentsByPermission = custom.get(role) ?? new Map();
    addPermission(permissionMap, permission);
    custom.set(role, permissionMap);
  }
  const none: EnvironmentsByPermission = new Map();
  const permissionsOf = (role: number): EnvironmentsByPermission =>
    builtInMaps.get(role) ?? custom.get(role) ?? none;
  const root = rootRoles.map(permissionsOf);
  if (root.some((permissionMap) => permissionMap.has('ADMIN'))) return everything;

  // By role, not by permission, because accounts with roles in 200 projects are looked up every second.
  const inProjects = new Map<string, EnvironmentsByPermission[]>();
  const addRole = (project: string, permissionMap: EnvironmentsByPermission) => {
    const roles = inProjects.get(project);
    if (roles) roles.push(permissionMap);
    else inProjects.set(project, [permissionMap]);
  };
  for (const { project, role } of projectRoles) addRole(project, permissionsOf(role));
  const open = new Set(projects.filter(({ mode }) => mode === 'open').map(({ id }) => id));
  if (rootRoles.includes(roleIds.editor)) {
    for (const id of open) addRole(id, permissionsOf(roleIds.member));
    if (open.has(commonProject)) addRole(commonProject, editorsInCommonProject);
  }
  return {
    may: (permission, project, environment) =>
      permission === 'none' ||
      (project === undefined
        ? [root, ...inProjects.values()].some((roles) =>
            roles.some((permissionMap) => permissionMap.has(permission)),
          )
        : [...(open.has(project) ? root : []), ...(inProjects.get(project) ?? [])].some(
            (permissionMap) => hasPermission(permissionMap, permission, environment),
          )),
    sees: new Set(projects.map(({ id }) => id)),
    grants: () => [
      ...listGrants(mergeRoles(root)),
      ...[...inProjects].flatMap(([project, roles]) => listGrants(mergeRoles(roles), project)),
    ],
  };
}

/** The permissions of several roles together. */
function mergeRoles(roles: readonly EnvironmentsByPermission[]): EnvironmentsByPermission {
  const merged: EnvironmentsByPermission = new Map();
  for (const permissionMap of roles) {
    for (const [name, environments] of permissionMap) {
      if (environments === null) addPermission(merged, { name });
      else for (const environment of environments) addPermission(merged, { name, environment });
    }
  }
  return merged;
}

const listGrants = (permissionMap: EnvironmentsByPermission, project?: string): Grant[] => {
  const scope = project === undefined ? {} : { project };
  return [...permissionMap].flatMap(([permission, environments]) =>
    environments === null
      ? [{ permission, ...scope }]
      : [...environments].map((environment) => ({ permission, ...scope, environment })),
  );
};
