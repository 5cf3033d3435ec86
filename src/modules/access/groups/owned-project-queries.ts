import type { Db } from '../../../platform/db/database.ts';
import { roleIds } from '../gate/index.ts';

/** The projects that a group owns, without archived ones. */
export async function listOwnedProjects(db: Db, group: number): Promise<string[]> {
  const rows = await db
    .selectFrom('projects')
    .where('archived_at', 'is', null)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('project_group_roles as group_role')
          .whereRef('group_role.project', '=', 'projects.id')
          .where('group_role.group_id', '=', group)
          .where('group_role.role_id', '=', roleIds.owner)
          .select('group_role.group_id'),
      ),
    )
    .select('id')
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}
