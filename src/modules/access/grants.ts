import type { Actor } from '../../platform/db/database.ts';
import { builtInPermissions, type RolePermission, roleIds } from './permissions.ts';

/** What somebody was given, as stored: roles, and where. */
export interface Assigned {
  /** The own root role, and those of groups. */
  readonly rootRoles: readonly number[];
  readonly projectRoles: readonly { readonly project: string; readonly role: number }[];
  /** What the custom ones among these roles permit. */
  readonly permissions: readonly (RolePermission & { readonly role: number })[];
  /** The projects that exist for this account: those that are not private, and its own. */
  readonly projects: readonly { readonly id: string; readonly mode: string }[];
}

/** What somebody may do: one permission, in a project and an environment where it is not for all. */
interface Grant {
  readonly permission: string;
  readonly project?: string;
  readonly environment?: string;
}

/** For each permission the environments in which it is held; null: in all. */
type Held = Map<string, Set<string> | null>;

function hold(held: Held, { name, environment }: RolePermission): void {
  const known = held.get(name);
  if (environment === undefined || known === null) held.set(name, null);
  else if (known) known.add(environment);
  else held.set(name, new Set([environment]));
}

const isHeld = (held: Held | undefined, permission: string, environment?: string): boolean => {
  const where = held?.get(permission);
  return (
    where === null || (where !== undefined && environment !== undefined && where.has(environment))
  );
};

export interface Access extends Pick<Actor, 'may' | 'sees'> {
  readonly grants: readonly Grant[];
}

export const everything: Access = {
  may: () => true,
  sees: 'all',
  grants: [{ permission: 'ADMIN' }],
};

export const nothing: Access = { may: () => false, sees: new Set(), grants: [] };

/**
 * What an account may do. What is shared by all projects may be changed by whoever holds the permission
 * in one of them. An editor works in every open project as its members do; in a protected or
 * private one only roles count.
 */
export function accessOf({ rootRoles, projectRoles, permissions, projects }: Assigned): Access {
  const permissionsOf = (role: number) =>
    builtInPermissions.get(role) ?? permissions.filter((permission) => permission.role === role);
  const root: Held = new Map();
  for (const role of rootRoles) for (const each of permissionsOf(role)) hold(root, each);
  if (root.has('ADMIN')) return everything;

  const inProjects = new Map<string, Held>();
  const holdIn = (project: string, role: number) => {
    const held: Held = inProjects.get(project) ?? new Map();
    for (const each of permissionsOf(role)) hold(held, each);
    inProjects.set(project, held);
  };
  for (const { project, role } of projectRoles) holdIn(project, role);
  if (rootRoles.includes(roleIds.editor)) {
    for (const { id, mode } of projects) if (mode === 'open') holdIn(id, roleIds.member);
  }
  return {
    may: (permission, project, environment) =>
      permission === 'none' ||
      root.has(permission) ||
      (project === undefined
        ? [...inProjects.values()].some((held) => held.has(permission))
        : isHeld(inProjects.get(project), permission, environment)),
    sees: new Set(projects.map(({ id }) => id)),
    grants: [
      ...[...root.keys()].map((permission) => ({ permission })),
      ...[...inProjects].flatMap(([project, held]) => listGrants(project, held)),
    ],
  };
}

const listGrants = (project: string, held: Held): Grant[] =>
  [...held].flatMap(([permission, environments]) =>
    environments === null
      ? [{ permission, project }]
      : [...environments].map((environment) => ({ permission, project, environment })),
  );
