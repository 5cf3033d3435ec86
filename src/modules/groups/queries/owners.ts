import type { Tx } from '../../../platform/db/database.ts';
import { roleIds } from '../../access/index.ts';

/** The living projects that a group owns, in which nobody else changes the owners meanwhile. */
export async function lockOwnedProjects(tx: Tx, group: number): Promise<string[]> {
  const rows = await tx.db
    .selectFrom('projects')
    .where('archived_at', 'is', null)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('project_group_roles as own')
          .whereRef('own.project', '=', 'projects.id')
          .where('own.group_id', '=', group)
          .where('own.role_id', '=', roleIds.owner)
          .select('own.group_id'),
      ),
    )
    .select('id')
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  return rows.map(({ id }) => id);
}
