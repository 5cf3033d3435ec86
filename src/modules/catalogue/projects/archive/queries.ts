import type { Tx } from '../../../../platform/db/database.ts';

export const updateProjectArchived = (tx: Tx, id: string, archived: boolean) =>
  tx.db
    .updateTable('projects')
    .set({ archived_at: archived ? tx.now : null, updated_at: tx.now })
    .where('id', '=', id)
    .where('archived_at', archived ? 'is' : 'is not', null)
    .returning('id')
    .executeTakeFirst();
