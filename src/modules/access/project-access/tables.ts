interface ProjectUserRolesTable {
  project: string;
  user_id: number;
  role_id: number;
  granted_at: Date;
}

interface ProjectGroupRolesTable {
  project: string;
  group_id: number;
  role_id: number;
  granted_at: Date;
}

/** When a role in a project was last assigned or taken away. */
interface ProjectAccessChangesTable {
  project: string;
  changed_at: Date;
}

declare module '../../../platform/db/database.ts' {
  interface Database {
    project_user_roles: ProjectUserRolesTable;
    project_group_roles: ProjectGroupRolesTable;
    project_access_changes: ProjectAccessChangesTable;
  }
}
