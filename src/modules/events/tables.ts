/** Written by `append_events` alone; erasure and retention aside, the database refuses changes. */
interface EventsTable {
  id: number;
  created_at: Date;
  type: string;
  created_by: string;
  created_by_user_id: number | null;
  project: string | null;
  environment: string | null;
  feature_name: string | null;
  data: unknown;
  pre_data: unknown;
  tags: unknown;
  label: string;
  summary: string;
  ip: string | null;
  request_id: string | null;
  actor_seal: Buffer;
  subject_keys: string[] | null;
  subject_seal: Buffer | null;
  hash: Buffer;
}

/** The first and last event of each UTC day, so that a date filter becomes a range of ids. */
interface EventDaysTable {
  day: string;
  first_id: number;
  last_id: number;
}

/** What `query` looks in. Narrow on purpose: counting a common word reads a third of the pages. */
interface EventTextsTable {
  id: number;
  search: string;
}

/** What `queryIn` adds. */
interface EventSideTextsTable {
  id: number;
  part: 'preData' | 'tags';
  search: string;
}

/** One row: where the kept log begins, and how often history was lawfully rewritten, which is by erasures. */
interface EventLogTable {
  anchor_id: number;
  anchor_hash: Buffer;
  rewrites: number;
}

/** The keys that sign checkpoints: one current, the others kept so that old signatures verify. */
interface SigningKeysTable {
  id: string;
  public_key: string;
  /** Null when it lives in a file of the operator's, and once retired. */
  private_key: string | null;
  created_at: Date;
  retired_at: Date | null;
}

/** Who had to do with a feature since it was made, and how they were called last. Kept by `append_events`. */
interface FeatureAuthorsTable {
  feature_name: string;
  user_id: number;
  /** The first event of theirs. */
  first_id: number;
  name: string;
}

declare module '../../platform/db/database.ts' {
  interface Database {
    events: EventsTable;
    event_days: EventDaysTable;
    event_texts: EventTextsTable;
    event_side_texts: EventSideTextsTable;
    event_log: EventLogTable;
    feature_authors: FeatureAuthorsTable;
    signing_keys: SigningKeysTable;
  }
}
