interface SessionsTable {
  id: string;
  user_id: number;
  secret_hash: Buffer;
  former_hash: Buffer | null;
  /** Whether the current secret was used, so that the response with it was not lost. */
  arrived: boolean;
  rotated_at: Date;
  created_at: Date;
  seen_at: Date;
  expires_at: Date;
  ip: string | null;
  user_agent: string | null;
}

interface LastSeenTable {
  kind: 'account' | 'personal token' | 'api token';
  id: number;
  seen_at: Date;
}

declare module '../../../platform/db/database.ts' {
  interface Database {
    sessions: SessionsTable;
    last_seen: LastSeenTable;
  }
}
