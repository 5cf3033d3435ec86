import type { Generated } from 'kysely';

interface RolesTable {
  id: Generated<number>;
  name: string;
  description: string;
  type: 'root' | 'project' | 'root-custom' | 'custom';
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

interface RolePermissionsTable {
  role_id: number;
  permission: string;
  environment: string | null;
}

declare module '../../../platform/db/database.ts' {
  interface Database {
    roles: RolesTable;
    role_permissions: RolePermissionsTable;
  }
}
