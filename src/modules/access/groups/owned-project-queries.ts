import type { Db } from '../../../platform/db/database.ts';
import { roleIds } from '../gate/index.ts';

/** The projects that a group owns, without archived ones. */
export async function listOwnedProjects(db: Db, group: number): Promise<string[]> {
  const rows = await db
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
    .execute();
  return rows.map(({ id }) => id);
}
