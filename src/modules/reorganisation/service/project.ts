import type { Tx } from '../../../platform/db/database.ts';
import { lockFeatures, removeArchivedFeatures } from '../../features/index.ts';
import { getDeletableProject, removeProject } from '../../projects/index.ts';
import { removeSegmentsOf } from '../../segments/index.ts';
import { releaseTagsOf } from '../../tags/index.ts';
import { revokeTokensOf } from '../../tokens/index.ts';
import { listFeatureNames } from '../queries.ts';

/**
 * Deletes a project without living features, with all that is left in it. Another project may have its id
 * later: whatever names the id and is not deleted with the row ends here.
 */
export async function removeProjectWithFeatures(tx: Tx, id: string): Promise<void> {
  const project = await getDeletableProject(tx, id);
  const names = await listFeatureNames(tx.db, [id]);
  await removeArchivedFeatures(tx, await lockFeatures(tx, names, 'delete'));
  await removeSegmentsOf(tx, id);
  await revokeTokensOf(tx, { project: id });
  await releaseTagsOf(tx, project);
  await removeProject(tx, project);
}
