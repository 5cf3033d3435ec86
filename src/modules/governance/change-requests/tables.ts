import type { ColumnType, Generated } from 'kysely';
import type { AccountReference } from '../../access/gate/index.ts';
import type { Json } from '../../events/index.ts';
import type { RequestState } from './request-schema.ts';

interface ChangeRequestsTable {
  id: Generated<number>;
  project: string;
  environment: string;
  title: string | null;
  state: RequestState;
  /** When the request last entered each state. */
  state_times: ColumnType<Partial<Record<RequestState, string>>, string, string>;
  /** Fixed when the request is sent to review. With 0, the permission for each change is needed instead. */
  min_approvals: number;
  /** Everyone but the author who changed the request. */
  contributors: Generated<number[]>;
  /** Why it was not applied when it was approved. */
  apply_failure: Generated<string | null>;
  created_by: string;
  created_by_user_id: number;
  created_at: Date;
}

interface ChangesTable {
  id: Generated<number>;
  request_id: number;
  position: number;
  feature: string | null;
  segment_id: number | null;
  action: string;
  payload: ColumnType<Json, string, string>;
  /** What the change touches, as its author saw it; null if it replaces nothing. */
  base: ColumnType<Json | null, string | null, string | null>;
  /** Of the feature that existed then. Another one may have its name by now. */
  feature_created_at: Date | null;
  /** What the segments of proposed and added strategies were then: a hash of their constraints by id. */
  used_segments: ColumnType<Json | null, string | null, string | null>;
  created_by: string;
  created_by_user_id: number;
  created_at: Date;
}

interface RejectionsTable {
  request_id: number;
  user_id: number;
  user_name: string;
  created_at: Date;
}

interface ApprovalsTable extends RejectionsTable {
  /** Of the changes that were approved. */
  hash: Buffer;
}

interface CommentsTable extends RejectionsTable {
  id: Generated<number>;
  text: string;
}

interface EmergenciesTable extends RejectionsTable {
  reason: string;
  /** Who reviewed it afterwards; null: no one yet. */
  reviewer_id: number | null;
  reviewer_name: string | null;
  reviewed_at: Date | null;
}

interface ReviewersTable {
  request_id: number;
  user_id: number;
}

interface SchedulesTable {
  request_id: number;
  scheduled_at: Date;
  time_zone: string | null;
  when_overdue: 'apply' | 'suspend';
  /** A request has one schedule, the latest. It stays when the request was applied or the schedule canceled. */
  status: 'pending' | 'failed' | 'suspended' | 'applied' | 'canceled';
  /** How often it was changed. */
  sequence: Generated<number>;
  changed_at: Date;
  reason: string | null;
  scheduled_by: ColumnType<AccountReference & { readonly name: string }, string, string>;
  created_at: Date;
}

declare module '../../../platform/db/database.ts' {
  interface Database {
    change_requests: ChangeRequestsTable;
    change_request_changes: ChangesTable;
    change_request_approvals: ApprovalsTable;
    change_request_rejections: RejectionsTable;
    change_request_comments: CommentsTable;
    change_request_emergencies: EmergenciesTable;
    change_request_reviewers: ReviewersTable;
    change_request_schedules: SchedulesTable;
  }
}
