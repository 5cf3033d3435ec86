import type { Tx } from '../../../../platform/db/database.ts';

export const deleteProject = (tx: Tx, id: string) =>
  tx.db.deleteFrom('projects').where('id', '=', id).execute();
