import type { Actor } from '../../../platform/actor.ts';
import { noAccess, noAccessToAll } from '../../../platform/errors.ts';

/** The permissions for a resource that belongs to a project but has its own path. */
export interface RequiredPermissions {
  /** Sufficient in open projects. */
  readonly root: string;
  /** Sufficient in the project in any mode, if the actor has all of them. */
  readonly own: readonly string[];
}

export const mayIn = (actor: Actor, project: string, { root, own }: RequiredPermissions): boolean =>
  actor.may(root, project) || own.every((name) => actor.may(name, project));

/** A message names no more projects than these. */
const maxNamedProjects = 10;

/** Throws 403 with the missing permissions and their projects. */
export function requireInProjects(
  actor: Actor,
  projects: readonly string[],
  required: RequiredPermissions,
): void {
  const refusedProjects = projects.filter((project) => !mayIn(actor, project, required));
  if (refusedProjects.length === 0) return;
  const { root, own } = required;
  if (!actor.may(root)) throw noAccess([root, ...own]);
  const names = own.join(' and ');
  const what = own.length === 1 ? 'permission' : 'permissions';
  throw noAccessToAll(
    refusedProjects.slice(0, maxNamedProjects).map((project) => ({
      message: `You need the ${names} ${what} in the project '${project}' to do this`,
    })),
  );
}
