import type { Generated } from 'kysely';

interface EnvironmentsTable {
  name: string;
  type: string;
  enabled: boolean;
  protected: boolean;
  sort_order: number;
  /** In projects that get it, changes in it need so many approvals; null: none. */
  required_approvals: Generated<number | null>;
  created_at: Date;
}

declare module '../../../platform/db/database.ts' {
  interface Database {
    environments: EnvironmentsTable;
  }
}
