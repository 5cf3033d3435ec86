import type { ColumnType } from 'kysely';

interface SettingsTable {
  id: string;
  /** What everybody who may read the setting sees. */
  value: ColumnType<object, string, string>;
  /** What nobody sees: encrypted. */
  secret: Buffer | null;
  created_at: Date;
  updated_at: Date;
}

declare module '../../../platform/db/database.ts' {
  interface Database {
    settings: SettingsTable;
  }
}
