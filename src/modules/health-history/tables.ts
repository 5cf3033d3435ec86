/** How a project stood at the end of a day (UTC). */
interface HealthSnapshotsTable {
  project: string;
  /** As text: a date has no time zone. */
  day: string;
  total: number;
  stale: number;
  potentially_stale: number;
  health: number;
  /** From the log, because nobody looked on that day. */
  reconstructed: boolean;
}

/** One row: up to which day all projects have been looked at; null: nobody has begun. */
interface HealthHistoryTable {
  settled_through: string | null;
}

declare module '../../platform/db/database.ts' {
  interface Database {
    health_snapshots: HealthSnapshotsTable;
    health_history: HealthHistoryTable;
  }
}
