import type { ColumnType } from 'kysely';

interface SettingsTable {
  id: string;
  /** Visible to everyone who may read the setting. */
  value: ColumnType<object, string, string>;
  /** Encrypted. Visible to no one. */
  secret: Buffer | null;
  created_at: Date;
  updated_at: Date;
}

declare module '../../../platform/db/database.ts' {
  interface Database {
    settings: SettingsTable;
  }
}
