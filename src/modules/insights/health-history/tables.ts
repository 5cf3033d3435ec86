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
  /** How often somebody went on with it: who finds another number than theirs was overtaken. */
  step: number;
  /** How far it has come where days are being filled in; null: nothing is under way. */
  backfill: unknown;
}

declare module '../../../platform/db/database.ts' {
  interface Database {
    health_snapshots: HealthSnapshotsTable;
    health_history: HealthHistoryTable;
  }
}
