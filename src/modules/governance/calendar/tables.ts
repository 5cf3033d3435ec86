import type { Generated } from 'kysely';

/** What calendar apps authenticate with. */
interface CalendarTokensTable {
  id: Generated<number>;
  user_id: number;
  /** Null: all projects that the user can see. */
  project: string | null;
  /** Null: all features. No foreign key: a feature without schedules is an empty calendar. */
  feature: string | null;
  secret_hash: Buffer;
  created_at: Date;
}

declare module '../../../platform/db/database.ts' {
  interface Database {
    calendar_tokens: CalendarTokensTable;
  }
}
