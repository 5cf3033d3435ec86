import type { ColumnType } from 'kysely';

interface SettingsTable {
  id: string;
  /** Visible to everybody who may read the setting. */
  value: ColumnType<object, string, string>;
  /** Encrypted. Visible to nobody. */
  secret: Buffer | null;
  created_at: Date;
  updated_at: Date;
}

declare module '../../../platform/db/database.ts' {
  interface Database {
    settings: SettingsTable;
  }
}
