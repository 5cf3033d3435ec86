import type { Actor } from '../../../platform/db/database.ts';
import { noAccess, noAccessToAll } from '../../../platform/errors.ts';

/** What it takes to do something with a thing that belongs to a project, but has a path of its own. */
export interface Needed {
  /** Enough in open projects. */
  readonly root: string;
  /** Enough in the project, whatever its mode: all of them together. */
  readonly own: readonly string[];
}

export const mayIn = (actor: Actor, project: string, { root, own }: Needed): boolean =>
  actor.may(root, project) || own.every((name) => actor.may(name, project));

/** More are not named: somebody has to begin with one of them. */
const mostNamed = 10;

/** Throws the 403 that says what is missing, and where. */
export function demandIn(actor: Actor, projects: readonly string[], needed: Needed): void {
  const refused = projects.filter((project) => !mayIn(actor, project, needed));
  if (refused.length === 0) return;
  const { root, own } = needed;
  if (!actor.may(root)) throw noAccess([root, ...own]);
  const names = own.join(' and ');
  const what = own.length === 1 ? 'permission' : 'permissions';
  throw noAccessToAll(
    refused.slice(0, mostNamed).map((project) => ({
      message: `You need the ${names} ${what} in the project '${project}' to do this`,
    })),
  );
}
