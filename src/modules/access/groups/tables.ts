import type { Generated } from 'kysely';

interface GroupsTable {
  id: Generated<number>;
  name: string;
  /** Null if never set. */
  description: string | null;
  mappings_sso: string[];
  root_role: number | null;
  created_at: Date;
  created_by: string;
  created_by_user_id: number | null;
}

interface GroupUsersTable {
  group_id: number;
  user_id: number;
  joined_at: Date;
  added_by: string;
  added_by_user_id: number | null;
}

declare module '../../../platform/db/database.ts' {
  interface Database {
    groups: GroupsTable;
    group_users: GroupUsersTable;
  }
}
