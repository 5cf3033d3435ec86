import type { Tx } from '../../../../platform/db/database.ts';
import { invalidOperation } from '../../../../platform/errors.ts';
import { defineHook, type RunHook } from '../../../../platform/hooks.ts';
import { revokeTokensOf } from '../../../access/api-tokens/index.ts';
import { record } from '../../../events/index.ts';
import { removeSegmentsOf } from '../../segments/index.ts';
import { releaseTagsOf } from '../../tags/index.ts';
import { refuseActiveFeatures } from '../archive/active-features.ts';
import { listProjectEnvironments } from '../environments/queries.ts';
import { factsOf, projectDeleted } from '../events.ts';
import { defaultProject } from '../limits.ts';
import { lockExistingProject } from '../lock.ts';
import type { Project } from '../project-schema.ts';
import { deleteProject } from './queries.ts';

/**
 * A project is about to be deleted. Modules delete their data of it first. It has no active features and is closed.
 */
export const deletingProject = defineHook<Project>('deletingProject', 'highest first');

/**
 * Deletes a project without active features, and everything left in it. Another project may get its id later, so
 * everything that refers to the id is removed here.
 */
export async function removeProject(tx: Tx, id: string, runHook: RunHook): Promise<void> {
  if (id === defaultProject) throw invalidOperation('The default project cannot be deleted');
  const project = await lockExistingProject(tx, id, 'close');
  await refuseActiveFeatures(tx, id, 'deleted');
  await runHook(deletingProject, tx, project);
  await removeSegmentsOf(tx, id);
  await revokeTokensOf(tx, { project: id });
  await releaseTagsOf(tx, project);
  const environments = await listProjectEnvironments(tx.db, id);
  await deleteProject(tx, id);
  const preData = {
    ...factsOf(project),
    environments: environments.map(({ name }) => name),
    defaultStrategies: Object.fromEntries(
      environments.flatMap(({ name, storedStrategy }) =>
        storedStrategy ? [[name, storedStrategy]] : [],
      ),
    ),
  };
  record(tx, projectDeleted({ project: id, preData }));
}
