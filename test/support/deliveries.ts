import { sql } from 'kysely';
import type { Attempt } from '../../src/modules/integrations/delivery/attempt-schema.ts';
import { newRecordId } from '../../src/modules/integrations/delivery/record-id.ts';
import type { TestApp } from './app.ts';
import { type Happening, happen } from './happen.ts';

type Base = Pick<TestApp, 'db'>;

interface IntegrationWish {
  readonly provider?: string;
  readonly enabled?: boolean;
  /** Paused, unless a test says otherwise: nothing of what is made pending here is sent. */
  readonly pausedAt?: Date | null;
  readonly heldUntil?: Date | null;
  readonly inOrder?: boolean;
  readonly retentionDays?: number;
  readonly projects?: string[];
  readonly deletedAt?: Date | null;
}

/** An integration that is told nothing by itself: its deliveries are made by the test. */
export async function integration(on: Base, wish: IntegrationWish = {}): Promise<number> {
  const { id } = await on.db
    .insertInto('integrations')
    .values({
      provider: wish.provider ?? 'webhook',
      description: 'made by a test',
      enabled: wish.enabled ?? true,
      parameters: '{}',
      secrets: null,
      secret_names: [],
      events: [],
      projects: wish.projects ?? [],
      environments: [],
      tags: '[]',
      in_order: wish.inOrder ?? false,
      retention_days: wish.retentionDays ?? 3650,
      responsible_kind: 'system',
      responsible_id: null,
      named_after: 0,
      created_at: new Date(),
      paused_at: wish.pausedAt === undefined ? new Date() : wish.pausedAt,
      held_until: wish.heldUntil ?? null,
      trouble: null,
      deleted_at: wish.deletedAt ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Lets something happen, and gives the id under which it is recorded. */
export async function happened(on: Base, happening: Happening = {}): Promise<number> {
  await happen(on.db, happening);
  const { id } = await on.db
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

interface DeliveryWish {
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

/** A delivery as the machinery would have left it. Gives its id. */
export async function delivery(
  on: Base,
  integrationId: number,
  { eventId, state = 'delivered', ...wish }: DeliveryWish,
): Promise<string> {
  const event = await on.db
    .selectFrom('events')
    .where('id', '=', eventId)
    .select(['type', 'project'])
    .executeTakeFirst();
  const createdAt = wish.createdAt ?? new Date();
  const outcomes = { pending: null, delivered: 'success', givenUp: 'failed' } as const;
  const outcome = wish.outcome === undefined ? outcomes[state] : wish.outcome;
  const attempts = wish.attempts ?? [];
  const id = newRecordId(createdAt);
  await on.db
    .insertInto('deliveries')
    .values({
      id,
      integration_id: integrationId,
      event_id: eventId,
      event_type: event?.type ?? 'feature-created',
      project: event?.project ?? null,
      created_at: createdAt,
      message: JSON.stringify(
        wish.message ?? { contentType: 'application/json', body: '{"a":1}', templated: false },
      ),
      state,
      next_at: state === 'pending' ? (wish.nextAt ?? createdAt) : null,
      tries: wish.tries ?? attempts.length,
      fence: 0,
      owner: wish.owner ?? null,
      leased_until: wish.owner === undefined ? null : sql`now() + interval '1 minute'`,
      outcome,
      state_details: wish.stateDetails ?? (outcome === null ? '' : `It was a ${outcome}.`),
      target: wish.target === undefined ? 'https://receiver.example.com/*****' : wish.target,
      attempts: JSON.stringify(attempts),
      latency_ms: wish.latencyMs === undefined ? outcome && 12 : wish.latencyMs,
      attempted_at: outcome && createdAt,
    })
    .execute();
  return id;
}

/** Very many that were delivered, of the events from this one on, whether there are such or not. */
export async function manyDeliveries(
  on: Base,
  integrationId: number,
  { first, count, createdAt = new Date() }: { first: number; count: number; createdAt?: Date },
): Promise<void> {
  await sql`
    insert into deliveries (id, integration_id, event_id, event_type, created_at, message, state,
      tries, fence, outcome, state_details, attempts)
    select gen_random_uuid(), ${integrationId}, ${first} + n, 'feature-created', ${createdAt},
      '{"body":"x"}', 'delivered', 1, 0, 'success', '', '[]'
    from generate_series(0, ${count - 1}::int) n`.execute(on.db);
}
