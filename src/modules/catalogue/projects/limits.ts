import type { Tx } from '../../../platform/db/database.ts';
import { invalidOperation } from '../../../platform/errors.ts';
import { countProjects } from './queries.ts';

/** Lists return all of them without pages. Concurrent creations may exceed it by a few. */
export const maxProjects = 5000;

/** Every installation has this project, and clients rely on its name. */
export const defaultProject = 'default';

export async function refuseBeyondLimit(tx: Tx): Promise<void> {
  if ((await countProjects(tx.db)) < maxProjects) return;
  throw invalidOperation(
    `The limit of ${maxProjects} projects is reached. Archive or delete some projects first`,
  );
}
