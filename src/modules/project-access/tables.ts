interface ProjectUserRolesTable {
  project: string;
  user_id: number;
  role_id: number;
  granted_at: Date;
  granted_by: string;
}

interface ProjectGroupRolesTable {
  project: string;
  group_id: number;
  role_id: number;
  granted_at: Date;
  granted_by: string;
}

declare module '../../platform/db/database.ts' {
  interface Database {
    project_user_roles: ProjectUserRolesTable;
    project_group_roles: ProjectGroupRolesTable;
  }
}
