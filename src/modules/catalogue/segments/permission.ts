import type { Actor, Tx } from '../../../platform/db/database.ts';
import { noAccessToAll } from '../../../platform/errors.ts';
import { mentioned } from '../../../platform/mention.ts';
import { demand, sees } from '../../../platform/permission.ts';
import { mayIn, type RequiredPermissions, requireInProjects } from '../../access/gate/index.ts';
import { listUsingProjects, type StoredSegment } from './queries.ts';

type SegmentPermission = 'CREATE_SEGMENT' | 'UPDATE_SEGMENT' | 'DELETE_SEGMENT';

const neededFor = (permission: SegmentPermission): RequiredPermissions => ({
  root: permission,
  own: ['UPDATE_PROJECT_SEGMENT'],
});

/**
 * What is done with a segment of a project may be allowed by that project, too. Of a project that is not there,
 * or may not be known, the caller tells that it is not.
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
 * Whom a segment of all projects is made of decides in every project that uses it: who changes that may
 * change segments in each of them. Its name and description decide nothing.
 */
export async function demandWhereUsed(tx: Tx, { id, name }: StoredSegment): Promise<void> {
  const needed = neededFor('UPDATE_SEGMENT');
  const closed = (await listUsingProjects(tx.db, id)).filter(
    (project) => !mayIn(tx.actor, project, needed),
  );
  if (closed.length === 0) return;
  const places = mentioned(closed, tx.actor, {
    scopeOf: (project) => project,
    nameOf: (project) => `the project '${project}'`,
    unseen: 'projects that you may not see',
  });
  throw noAccessToAll([
    {
      message: `The segment '${name}' is used in ${places.join(', ')}: to change its constraints you need the ${needed.own.join(' and ')} permission there`,
    },
  ]);
}
