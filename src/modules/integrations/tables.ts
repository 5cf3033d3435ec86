import type { ColumnType, Generated } from 'kysely';
import type { JsonObject } from '../events/index.ts';
import type { Attempt } from './delivery/attempt-schema.ts';

interface TagFilter {
  readonly type: string;
  readonly value: string;
}

/** Why the last event that was given up could not be told; gone with the next success. */
export interface Trouble {
  readonly at: string;
  readonly recordId: string;
  readonly message: string;
}

interface IntegrationsTable {
  id: Generated<number>;
  provider: string;
  /** Null: never given. */
  description: string | null;
  enabled: boolean;
  /** Without secrets. */
  parameters: ColumnType<Record<string, string>, string, string>;
  /** Those parameters that are secret, as JSON, sealed. */
  secrets: Buffer | null;
  /** Which they are, so that an answer can show stars without opening them. */
  secret_names: string[];
  events: string[];
  /** Empty: of all projects. So it is with environments and tags. */
  projects: string[];
  environments: string[];
  tags: ColumnType<TagFilter[], string, string>;
  in_order: boolean;
  retention_days: number;
  /** Who changed its configuration last: what that account sees decides what it may tell. */
  responsible_kind: 'account' | 'token' | 'system' | 'nobody';
  /** Null for the system, and for nobody. */
  responsible_id: number | null;
  /** The last event when its projects were named: one that was deleted later is not named by its id any more. */
  named_after: number;
  created_at: Date;
  paused_at: Date | null;
  /** The receiver asked for patience until then. */
  held_until: Date | null;
  trouble: ColumnType<Trouble | null, string | null, string | null>;
  deleted_at: Date | null;
}

/** One row. Whoever fans out, or changes an integration, holds an advisory lock first (`queries/progress.ts`). */
interface DeliveryProgressTable {
  event_id: number;
  version: number;
}

interface DeliveriesTable {
  /** Also the webhook-id: the same over all attempts. */
  id: string;
  integration_id: number;
  event_id: number;
  event_type: string;
  project: string | null;
  created_at: Date;
  /** What is said, in the words of its provider; fixed before the first attempt. */
  message: ColumnType<JsonObject, string, string>;
  state: 'pending' | 'delivered' | 'givenUp';
  /** When it is tried next; null once it is delivered or given up. */
  next_at: Date | null;
  /** Attempts since the schedule began; a redelivery begins it anew. */
  tries: number;
  /** Grows with each claim: an attempt that was overtaken cannot write what became of it. */
  fence: number;
  /** The instance that is sending it. */
  owner: number | null;
  leased_until: Date | null;
  /** Of the latest attempt; null before the first. */
  outcome: 'success' | 'successWithErrors' | 'failed' | null;
  state_details: string;
  /** Where the latest attempt went, masked. */
  target: string | null;
  attempts: ColumnType<Attempt[], string, string>;
  latency_ms: number | null;
  attempted_at: Date | null;
}

declare module '../../platform/db/database.ts' {
  interface Database {
    integrations: IntegrationsTable;
    delivery_progress: DeliveryProgressTable;
    deliveries: DeliveriesTable;
  }
}
