import { explained } from '../../../../platform/db/constraint.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import { notFound } from '../../../../platform/errors.ts';
import { record } from '../../../events/index.ts';
import {
  favoriteProjectWithdrawn,
  projectFavorited,
  projectFavoriteImported,
  projectUnfavorited,
} from '../events.ts';
import { deleteFavorite, insertFavorite } from './queries.ts';

/** A favorite of the actor. The project itself is not changed, so it needs no lock. */
export async function addFavorite(tx: Tx, project: string): Promise<void> {
  const added = await explained(insertFavorite(tx, project), {
    project_favorites_project_fkey: () => notFound('project', project),
  });
  if (added) record(tx, projectFavorited({ project, data: { project } }));
}

/** Whether it is a favorite of someone else, as another installation has it. Returns whether that is new. */
export async function importFavorite(
  tx: Tx,
  project: string,
  user: number,
  isFavorite: boolean,
): Promise<boolean> {
  const change = isFavorite ? insertFavorite : deleteFavorite;
  if (!(await change(tx, project, user))) return false;
  const event = isFavorite ? projectFavoriteImported : favoriteProjectWithdrawn;
  record(tx, event({ project, data: { project, userId: user } }));
  return true;
}

export async function removeFavorite(tx: Tx, project: string): Promise<void> {
  if (await deleteFavorite(tx, project)) {
    record(tx, projectUnfavorited({ project, data: { project } }));
  }
}
