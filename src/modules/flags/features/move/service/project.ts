import type { Tx } from '../../../../../platform/db/database.ts';
import { revokeTokensOf } from '../../../../access/api-tokens/index.ts';
import { getDeletableProject, removeProject } from '../../../../catalogue/projects/index.ts';
import { removeSegmentsOf } from '../../../../catalogue/segments/index.ts';
import { releaseTagsOf } from '../../../../catalogue/tags/index.ts';
import { lockFeatures, removeArchivedFeatures } from '../../index.ts';
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
