import { sql } from 'kysely';
import type { Attempt } from '../../src/modules/integrations/delivery/attempt-schema.ts';
import { newRecordId } from '../../src/modules/integrations/delivery/record-id.ts';
import type { TestApp } from './app.ts';
import { type Happening, happen } from './happen.ts';

type Base = Pick<TestApp, 'db'>;

interface IntegrationFields {
  readonly provider?: string;
  readonly enabled?: boolean;
  /** Paused by default, so that pending deliveries of a test are not sent. */
  readonly pausedAt?: Date | null;
  readonly heldUntil?: Date | null;
  readonly inOrder?: boolean;
  readonly retentionDays?: number;
  readonly projects?: string[];
  readonly deletedAt?: Date | null;
}

/** An integration without events. The test creates its deliveries. */
export async function integration(app: Base, fields: IntegrationFields = {}): Promise<number> {
  const { id } = await app.db
    .insertInto('integrations')
    .values({
      provider: fields.provider ?? 'webhook',
      description: 'made by a test',
      enabled: fields.enabled ?? true,
      parameters: '{}',
      secrets: null,
      secret_names: [],
      events: [],
      projects: fields.projects ?? [],
      environments: [],
      tags: '[]',
      in_order: fields.inOrder ?? false,
      retention_days: fields.retentionDays ?? 3650,
      responsible_kind: 'system',
      responsible_id: null,
      named_after: 0,
      created_at: new Date(),
      paused_at: fields.pausedAt === undefined ? new Date() : fields.pausedAt,
      held_until: fields.heldUntil ?? null,
      trouble: null,
      deleted_at: fields.deletedAt ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Records an event and returns its id. */
export async function happened(app: Base, happening: Happening = {}): Promise<number> {
  await happen(app.db, happening);
  const { id } = await app.db
    .selectFrom('events')
    .select(({ fn }) => fn.max('id').as('id'))
    .executeTakeFirstOrThrow();
  return id;
}

export const failedAttempt = (more: Partial<Attempt> = {}): Attempt => ({
  at: '2026-03-01T12:00:00.000Z',
  state: 'failed',
  stateDetails: 'The receiver answered with status 500.',
  status: 500,
  latencyMs: 12,
  exchanges: [
    {
      request: {
        method: 'POST',
        url: 'https://receiver.example.com/*****',
        headers: { 'content-type': 'application/json', authorization: '*****' },
      },
      response: { status: 500, headers: { server: 'test' }, body: 'no' },
      latencyMs: 12,
    },
  ],
  ...more,
});

interface DeliveryFields {
  readonly eventId: number;
  readonly state?: 'pending' | 'delivered' | 'givenUp';
  readonly outcome?: 'success' | 'successWithErrors' | 'failed' | null;
  readonly stateDetails?: string;
  readonly createdAt?: Date;
  /** Null: due at once. */
  readonly nextAt?: Date;
  readonly tries?: number;
  readonly owner?: number;
  readonly message?: Record<string, string | boolean>;
  readonly target?: string | null;
  readonly attempts?: readonly Attempt[];
  readonly latencyMs?: number | null;
}

/** Inserts a delivery as the engine would have left it. Returns its id. */
export async function delivery(
  app: Base,
  integrationId: number,
  { eventId, state = 'delivered', ...fields }: DeliveryFields,
): Promise<string> {
  const event = await app.db
    .selectFrom('events')
    .where('id', '=', eventId)
    .select(['type', 'project'])
    .executeTakeFirst();
  const createdAt = fields.createdAt ?? new Date();
  const outcomes = { pending: null, delivered: 'success', givenUp: 'failed' } as const;
  const outcome = fields.outcome === undefined ? outcomes[state] : fields.outcome;
  const attempts = fields.attempts ?? [];
  const id = newRecordId(createdAt);
  await app.db
    .insertInto('deliveries')
    .values({
      id,
      integration_id: integrationId,
      event_id: eventId,
      event_type: event?.type ?? 'feature-created',
      project: event?.project ?? null,
      created_at: createdAt,
      message: JSON.stringify(
        fields.message ?? { contentType: 'application/json', body: '{"a":1}', templated: false },
      ),
      state,
      next_at: state === 'pending' ? (fields.nextAt ?? createdAt) : null,
      tries: fields.tries ?? attempts.length,
      fence: 0,
      owner: fields.owner ?? null,
      leased_until: fields.owner === undefined ? null : sql`now() + interval '1 minute'`,
      outcome,
      state_details: fields.stateDetails ?? (outcome === null ? '' : `It was a ${outcome}.`),
      target: fields.target === undefined ? 'https://receiver.example.com/*****' : fields.target,
      attempts: JSON.stringify(attempts),
      latency_ms: fields.latencyMs === undefined ? outcome && 12 : fields.latencyMs,
      attempted_at: outcome && createdAt,
    })
    .execute();
  return id;
}

/** Inserts very many delivered deliveries, for the event ids from this one on, existing or not. */
export async function manyDeliveries(
  app: Base,
  integrationId: number,
  { first, count, createdAt = new Date() }: { first: number; count: number; createdAt?: Date },
): Promise<void> {
  await sql`
    insert into deliveries (id, integration_id, event_id, event_type, created_at, message, state,
      tries, fence, outcome, state_details, attempts)
    select gen_random_uuid(), ${integrationId}, ${first} + n, 'feature-created', ${createdAt},
      '{"body":"x"}', 'delivered', 1, 0, 'success', '', '[]'
    from generate_series(0, ${count - 1}::int) n`.execute(app.db);
}
