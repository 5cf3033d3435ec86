import type { ColumnType, Generated } from 'kysely';
import type { JsonObject } from '../events/index.ts';
import type { Attempt } from './delivery/attempt-schema.ts';

interface TagFilter {
  readonly type: string;
  readonly value: string;
}

/** Why the last delivery that was given up failed. Cleared when it is delivered after all. */
export interface IntegrationProblem {
  readonly at: string;
  readonly recordId: string;
  readonly message: string;
}

interface IntegrationsTable {
  id: Generated<number>;
  provider: string;
  /** Null: never set. */
  description: string | null;
  enabled: boolean;
  /** Without secrets. */
  parameters: ColumnType<Record<string, string>, string, string>;
  /** The secret parameters as JSON, sealed. */
  secrets: Buffer | null;
  /** The names of the secret parameters, so that they can be returned as stars without opening them. */
  secret_names: string[];
  events: string[];
  /** Empty: all projects. Environments and tags work the same way. */
  projects: string[];
  environments: string[];
  tags: ColumnType<TagFilter[], string, string>;
  in_order: boolean;
  retention_days: number;
  /** The account that last changed the configuration. The integration reports only what it sees. */
  responsible_kind: 'account' | 'token' | 'system' | 'nobody';
  /** Null for the system and for no one. */
  responsible_id: number | null;
  /** The last event when the project filter was set. A project deleted later is no longer meant by its id. */
  named_after: number;
  created_at: Date;
  paused_at: Date | null;
  /** The receiver asked to send nothing until then. */
  held_until: Date | null;
  trouble: ColumnType<IntegrationProblem | null, string | null, string | null>;
  deleted_at: Date | null;
}

/** One row. The fan-out and changes of integrations take an advisory lock first (`queries/progress.ts`). */
interface DeliveryProgressTable {
  event_id: number;
  version: number;
}

interface DeliveriesTable {
  /** Also the webhook-id: the same for all attempts. */
  id: string;
  integration_id: number;
  event_id: number;
  event_type: string;
  project: string | null;
  created_at: Date;
  /** The message of the provider, fixed before the first attempt. */
  message: ColumnType<JsonObject, string, string>;
  state: 'pending' | 'delivered' | 'givenUp';
  /** The time of the next attempt; null once it is delivered or given up. */
  next_at: Date | null;
  /** Attempts since the schedule started. A redelivery starts it again. */
  tries: number;
  /** Grows with each claim, so that an attempt that lost its claim cannot store an outcome. */
  fence: number;
  /** The instance that is sending it. */
  owner: number | null;
  leased_until: Date | null;
  /** The outcome of the latest attempt; null before the first. */
  outcome: 'success' | 'successWithErrors' | 'failed' | null;
  state_details: string;
  /** The target of the latest attempt, masked. */
  target: string | null;
  attempts: ColumnType<Attempt[], string, string>;
  latency_ms: number | null;
  attempted_at: Date | null;
  /** When it was last sent again on request. The same for all deliveries of one request. */
  redelivered_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  /** Who asked for that. The name is null after the person was erased. */
  redelivered_by: ColumnType<string | null, string | null | undefined, string | null>;
  redelivered_by_id: ColumnType<number | null, number | null | undefined, number | null>;
}

declare module '../../platform/db/database.ts' {
  interface Database {
    integrations: IntegrationsTable;
    delivery_progress: DeliveryProgressTable;
    deliveries: DeliveriesTable;
  }
}
