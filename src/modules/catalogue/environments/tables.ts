interface EnvironmentsTable {
  name: string;
  type: string;
  enabled: boolean;
  protected: boolean;
  sort_order: number;
  created_at: Date;
}

declare module '../../../platform/db/database.ts' {
  interface Database {
    environments: EnvironmentsTable;
  }
}
