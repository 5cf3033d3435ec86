import type { Tx } from '../../../../platform/db/database.ts';
import { invalidOperation, notFound } from '../../../../platform/errors.ts';
import { record } from '../../../events/index.ts';
import { projectArchived, projectRevived } from '../events.ts';
import { defaultProject, refuseBeyondLimit } from '../limits.ts';
import { lockExistingProject } from '../lock.ts';
import { refuseActiveFeatures } from './active-features.ts';
import { updateProjectArchived } from './queries.ts';

export async function archiveProject(tx: Tx, id: string): Promise<void> {
  if (id === defaultProject) throw invalidOperation('The default project cannot be archived');
  const project = await lockExistingProject(tx, id, 'close');
  if (project.archivedAt) throw notFound('project', id);
  await refuseActiveFeatures(tx, id, 'archived');
  await updateProjectArchived(tx, id, true);
  record(tx, projectArchived({ project: id }));
}

export async function reviveProject(tx: Tx, id: string): Promise<void> {
  await refuseBeyondLimit(tx);
  if (!(await updateProjectArchived(tx, id, false))) throw notFound('archived project', id);
  record(tx, projectRevived({ project: id }));
}
