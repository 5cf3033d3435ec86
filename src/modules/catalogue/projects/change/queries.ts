import type { Tx } from '../../../../platform/db/database.ts';
import type { Project } from '../project-schema.ts';
import { changeableColumns } from '../queries.ts';

export const updateProject = (tx: Tx, project: Project) =>
  tx.db
    .updateTable('projects')
    .set({ ...changeableColumns(project), updated_at: tx.now })
    .where('id', '=', project.id)
    .execute();
