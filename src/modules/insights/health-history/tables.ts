/** The health of a project at the end of a day (UTC). */
interface HealthSnapshotsTable {
  project: string;
  /** As text: a date has no time zone. */
  day: string;
  total: number;
  stale: number;
  potentially_stale: number;
  health: number;
  /** Computed from the log, because no instance ran when the day ended. */
  reconstructed: boolean;
}

/** One row: up to which day the snapshots of all projects are written; null: none is. */
interface HealthHistoryTable {
  settled_through: string | null;
  /** Grows with every write. An instance that finds another number than its own has been overtaken. */
  step: number;
  /** Progress of filling in past days; null: nothing is under way. */
  backfill: unknown;
}

declare module '../../../platform/db/database.ts' {
  interface Database {
    health_snapshots: HealthSnapshotsTable;
    health_history: HealthHistoryTable;
  }
}
