import type { Actor } from '../../../platform/actor.ts';
import type { Db } from '../../../platform/db/database.ts';
import { badData, nameExists, patternError } from '../../../platform/errors.ts';
import { sees } from '../../../platform/permission.ts';
import { type FeatureNaming, findProject, namingBreach } from '../../catalogue/projects/index.ts';
import { listTaken, type TakenName } from './queries.ts';

/** Names are unique over all projects. Only callers who see the project learn that the feature is archived. */
export function refuseTakenName(actor: Actor, [taken]: readonly TakenName[]): void {
  if (!taken) return;
  throw nameExists(
    taken.archived && sees(actor, taken.project)
      ? `A feature named '${taken.name}' already exists in the archive`
      : `A feature named '${taken.name}' already exists`,
  );
}

export function refuseNamingBreach(
  naming: FeatureNaming | undefined,
  name: string,
  path: string,
): void {
  const breach = namingBreach(naming, name);
  if (breach !== undefined) throw patternError(breach, path);
}

/** Throws what creating a feature of this name would throw, in the project if one is named. */
export async function validateName(
  db: Db,
  actor: Actor,
  { name, projectId }: { readonly name: string; readonly projectId?: string | null },
): Promise<void> {
  const project =
    projectId && sees(actor, projectId) ? await findProject(db, projectId) : undefined;
  if (projectId && (!project || project.archivedAt)) {
    throw badData([{ path: '/body/projectId', message: `Project '${projectId}' not found` }]);
  }
  refuseTakenName(actor, await listTaken(db, [name]));
  refuseNamingBreach(project?.featureNaming, name, '/body/name');
}
