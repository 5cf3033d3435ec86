import type { Actor } from '../../../platform/db/database.ts';
import {
  builtInPermissions,
  commonProject,
  ofEditorsInCommonProject,
  type RolePermission,
  roleIds,
} from './permissions.ts';

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

const isHeld = (held: Held, permission: string, environment?: string): boolean => {
  const where = held.get(permission);
  return (
    where === null || (where !== undefined && environment !== undefined && where.has(environment))
  );
};

export interface Access extends Pick<Actor, 'may' | 'sees'> {
  /** All of it, as a list; made when it is asked for. */
  readonly grants: () => readonly Grant[];
}

export const everything: Access = {
  may: () => true,
  sees: 'all',
  grants: () => [{ permission: 'ADMIN' }],
};

export const nothing: Access = { may: () => false, sees: new Set(), grants: () => [] };

const heldBy = (permissions: readonly RolePermission[]): Held => {
  const held: Held = new Map();
  for (const permission of permissions) hold(held, permission);
  return held;
};

const heldByBuiltIn: ReadonlyMap<number, Held> = new Map(
  [...builtInPermissions].map(([role, permissions]) => [role, heldBy(permissions)]),
);

const heldByEditorsInCommonProject = heldBy(ofEditorsInCommonProject);

/**
 * What an account may do. What is shared by all projects may be changed by whoever holds the permission
 * in one of them. What a root role permits in projects it permits in every open one, and an editor works in
 * these as their members do. In a protected or private project only the roles in it count.
 */
export function accessOf({ rootRoles, projectRoles, permissions, projects }: Assigned): Access {
  const custom = new Map<number, Held>();
  for (const { role, ...permission } of permissions) {
    const held: Held = custom.get(role) ?? new Map();
    hold(held, permission);
    custom.set(role, held);
  }
  const none: Held = new Map();
  const heldIn = (role: number): Held => heldByBuiltIn.get(role) ?? custom.get(role) ?? none;
  const root = rootRoles.map(heldIn);
  if (root.some((held) => held.has('ADMIN'))) return everything;

  // By role, not by permission: somebody with roles in 200 projects is looked up every second.
  const inProjects = new Map<string, Held[]>();
  const holdIn = (project: string, held: Held) => {
    const roles = inProjects.get(project);
    if (roles) roles.push(held);
    else inProjects.set(project, [held]);
  };
  for (const { project, role } of projectRoles) holdIn(project, heldIn(role));
  const open = new Set(projects.filter(({ mode }) => mode === 'open').map(({ id }) => id));
  if (rootRoles.includes(roleIds.editor)) {
    for (const id of open) holdIn(id, heldIn(roleIds.member));
    if (open.has(commonProject)) holdIn(commonProject, heldByEditorsInCommonProject);
  }
  return {
    may: (permission, project, environment) =>
      permission === 'none' ||
      (project === undefined
        ? [root, ...inProjects.values()].some((roles) => roles.some((held) => held.has(permission)))
        : [...(open.has(project) ? root : []), ...(inProjects.get(project) ?? [])].some((held) =>
            isHeld(held, permission, environment),
          )),
    sees: new Set(projects.map(({ id }) => id)),
    grants: () => [
      ...listGrants(united(root)),
      ...[...inProjects].flatMap(([project, roles]) => listGrants(united(roles), project)),
    ],
  };
}

/** What several roles permit together. */
function united(roles: readonly Held[]): Held {
  const together: Held = new Map();
  for (const held of roles) {
    for (const [name, environments] of held) {
      if (environments === null) hold(together, { name });
      else for (const environment of environments) hold(together, { name, environment });
    }
  }
  return together;
}

const listGrants = (held: Held, project?: string): Grant[] => {
  const where = project === undefined ? {} : { project };
  return [...held].flatMap(([permission, environments]) =>
    environments === null
      ? [{ permission, ...where }]
      : [...environments].map((environment) => ({ permission, ...where, environment })),
  );
};
