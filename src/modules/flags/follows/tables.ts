interface FeatureFollowsTable {
  feature_name: string;
  user_id: number;
  created_at: Date;
  /** The last event before the follow. */
  after_id: number;
}

interface ProjectFollowsTable {
  project: string;
  user_id: number;
  created_at: Date;
  /** The last event before the follow. */
  after_id: number;
}

/** Up to which event a person has read the notifications; no row if none. */
interface NotificationReadsTable {
  user_id: number;
  event_id: number;
}

/** One row for each person who wants emails. */
interface FollowLettersTable {
  user_id: number;
  frequency: 'weekly' | 'daily' | 'immediate';
  /** Changes up to this event need no email any more. */
  mailed_id: number;
  /** The newest event about something that the person follows. */
  pending_id: number;
  /** When the next email may be sent. */
  due_at: Date;
  /** Attempts that failed since the last email. */
  failures: number;
  /** Until when an instance is sending an email. */
  claimed_until: Date | null;
}

/** People who want no emails that are addressed to them. */
interface DirectEmailsOffTable {
  user_id: number;
}

/** One row: the events that were compared with what people follow. */
interface FollowProgressTable {
  event_id: number;
}

declare module '../../../platform/db/database.ts' {
  interface Database {
    feature_follows: FeatureFollowsTable;
    project_follows: ProjectFollowsTable;
    notification_reads: NotificationReadsTable;
    follow_letters: FollowLettersTable;
    direct_emails_off: DirectEmailsOffTable;
    follow_progress: FollowProgressTable;
  }
}
