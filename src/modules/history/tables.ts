import type { ColumnType } from 'kysely';

interface HistoryStatesTable {
  kind: string;
  key: string;
  /** The environment, user or group of something that has one state for each; otherwise empty. */
  part: string;
  /** The event that led to the state. */
  from_id: number;
  /** The event that ended it; null: it is the current one. */
  to_id: number | null;
  state: ColumnType<unknown, unknown, never>;
  /** The event since which evaluations give the same results; null: the one that led to the state. */
  evaluated_from_id: ColumnType<number | null, number | null | undefined, never>;
}

/** The states after these events are unknown: from the first one, up to the one before the last. */
interface HistoryGapsTable {
  from_id: number;
  to_id: number;
  reason: 'beginning' | 'import' | 'unknown';
}

/** No event up to this one was recorded after this time, apart from imported ones. Not for every event. */
interface HistoryMomentsTable {
  event_id: number;
  at: ColumnType<Date, Date | string, never>;
}

/** One row. */
interface HistoryProgressTable {
  single: true;
  /** The last event that the states contain. */
  event_id: number;
}

declare module '../../platform/db/database.ts' {
  interface Database {
    history_states: HistoryStatesTable;
    history_gaps: HistoryGapsTable;
    history_moments: HistoryMomentsTable;
    history_progress: HistoryProgressTable;
  }
}
