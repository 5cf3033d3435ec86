import type { Tx } from '../../../platform/db/database.ts';
import { invalidOperation } from '../../../platform/errors.ts';
import type { Project } from '../../catalogue/projects/index.ts';
import { countActive } from './queries.ts';

/** Active features of all projects together. One installation is not meant for more. */
export const maxFeatures = 50_000;

/**
 * The limit of a project is exact, because the project is locked before its features are counted. The limit of
 * all projects is not: transactions at the same time may exceed it by a few features.
 */
export async function refuseBeyondLimits(tx: Tx, project: Project, added: number): Promise<void> {
  const { own, all } = await countActive(tx.db, project.id, maxFeatures - added);
  refuseBeyondProject(project, own, added);
  refuseBeyondAll(all, added);
}

export function refuseBeyondProject(
  { id, featureLimit }: Project,
  own: number,
  added: number,
): void {
  if (featureLimit === null || own + added <= featureLimit) return;
  throw invalidOperation(
    `The project '${id}' has ${own} of ${featureLimit} features. Archive some features or raise the limit`,
  );
}

export function refuseBeyondAll(all: number, added: number): void {
  if (all + added <= maxFeatures) return;
  throw invalidOperation(
    `The limit of ${maxFeatures} features in all projects would be exceeded. Archive some features first`,
  );
}
