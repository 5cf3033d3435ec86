/** The health of a project at the end of a day (UTC). */
interface HealthSnapshotsTable {
  project: string;
  /** As text, because a date has no time zone. */
  day: string;
  total: number;
  stale: number;
  potentially_stale: number;
  health: number;
  /** Whether it was computed from the log, because no instance ran when the day ended. */
  reconstructed: boolean;
}

/** One row: the last day with snapshots of all projects, or null. */
interface HealthHistoryTable {
  settled_through: string | null;
  /** Incremented by every write. An instance that finds another number than its own has been overtaken. */
  step: number;
  /** The progress of backfilling past days, or null. */
  backfill: unknown;
}

declare module '../../../platform/db/database.ts' {
  interface Database {
    health_snapshots: HealthSnapshotsTable;
    health_history: HealthHistoryTable;
  }
}
