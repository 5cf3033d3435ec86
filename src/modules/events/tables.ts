/** Written by `append_events` alone. The database refuses all changes except erasure and retention. */
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

/** The texts that `query` searches. A narrow table: counting a common word reads a third of the pages. */
interface EventTextsTable {
  id: number;
  search: string;
}

/** The texts that `queryIn` adds. */
interface EventSideTextsTable {
  id: number;
  part: 'preData' | 'tags';
  search: string;
}

/** One row: where the log starts, and how many erasures have rewritten it. */
interface EventLogTable {
  anchor_id: number;
  anchor_hash: Buffer;
  rewrites: number;
}

/** The keys that sign checkpoints. One is active; the others are stored so that old signatures verify. */
interface SigningKeysTable {
  id: string;
  public_key: string;
  /** Null if the key is in a file of the operator, or retired. */
  private_key: string | null;
  created_at: Date;
  retired_at: Date | null;
}

/** The authors of the events of a feature since its creation, with their newest name. Written by `append_events`. */
interface FeatureAuthorsTable {
  feature_name: string;
  user_id: number;
  /** The author's first event. */
  first_id: number;
  name: string;
}

/** Who is notified of an event, in addition to those that follow its subject. Inserted by `append_events`. */
interface EventRecipientsTable {
  user_id: number;
  event_id: number;
  /** When an email is due; null if it was sent, or none is wanted. */
  email_due_at: Date | null;
  /** Attempts to send it that failed. */
  email_failures: number;
  /** Until when an instance is sending it. */
  email_claimed_until: Date | null;
}

declare module '../../platform/db/database.ts' {
  interface Database {
    events: EventsTable;
    event_days: EventDaysTable;
    event_texts: EventTextsTable;
    event_side_texts: EventSideTextsTable;
    event_log: EventLogTable;
    event_recipients: EventRecipientsTable;
    feature_authors: FeatureAuthorsTable;
    signing_keys: SigningKeysTable;
  }
}
