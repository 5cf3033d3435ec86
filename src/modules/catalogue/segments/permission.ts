import type { Actor } from '../../../platform/actor.ts';
import { blockerNames } from '../../../platform/blockers.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { noAccessToAll } from '../../../platform/errors.ts';
import { demand, sees } from '../../../platform/permission.ts';
import { mayIn, type RequiredPermissions, requireInProjects } from '../../access/gate/index.ts';
import { listUsingProjects, type StoredSegment } from './queries.ts';

type SegmentPermission = 'CREATE_SEGMENT' | 'UPDATE_SEGMENT' | 'DELETE_SEGMENT';

const neededFor = (permission: SegmentPermission): RequiredPermissions => ({
  root: permission,
  own: ['UPDATE_PROJECT_SEGMENT'],
});

/**
 * A project may also grant the permission for its segments. If the project does not exist or is hidden, the caller
 * reports that.
 */
export function demandFor(
  actor: Actor,
  permission: SegmentPermission,
  project: string | undefined,
): void {
  const { root, own } = neededFor(permission);
  if (project === undefined) demand(actor, root);
  else if (!sees(actor, project)) demand(actor, [root, ...own]);
  else requireInProjects(actor, [project], { root, own });
}

/**
 * The constraints of a global segment affect every project that uses it, so changing them needs the permission in
 * each of these projects. Its name and description do not.
 */
export async function demandWhereUsed(tx: Tx, { id, name }: StoredSegment): Promise<void> {
  const needed = neededFor('UPDATE_SEGMENT');
  const closed = (await listUsingProjects(tx.db, id)).filter(
    (project) => !mayIn(tx.actor, project, needed),
  );
  if (closed.length === 0) return;
  const names = blockerNames(closed, tx.actor, {
    scopeOf: (project) => project,
    nameOf: (project) => `the project '${project}'`,
    unseen: 'projects that you cannot see',
  });
  throw noAccessToAll([
    {
      message: `The segment '${name}' is used in ${names.join(', ')}. To change its constraints, you need the ${needed.own.join(' and ')} permission there`,
    },
  ]);
}
