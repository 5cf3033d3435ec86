import { type Kysely, sql } from 'kysely';
import type { Database } from '../../../../platform/db/database.ts';
import type { IntegrationProblem } from '../../tables.ts';
import type { Attempt } from '../attempt-schema.ts';

/** The outcome of an attempt, and the next step. */
export interface AttemptOutcome {
  readonly id: string;
  readonly integrationId: number;
  readonly fence: number;
  readonly state: 'pending' | 'delivered' | 'givenUp';
  readonly nextAt: Date | null;
  readonly tries: number;
  readonly outcome: 'success' | 'successWithErrors' | 'failed';
  readonly stateDetails: string;
  readonly target: string | null;
  readonly attempt: Attempt;
  readonly latencyMs: number;
  readonly attemptedAt: Date;
  readonly failedBefore: boolean;
}

/** Redeliveries would let a record grow without a limit, so only the newest attempts are stored. */
const maxAttemptsStored = 50;

/** The stored attempts, with room for another one. */
export const recentAttempts = sql.raw(
  `case when jsonb_array_length(attempts) >= ${maxAttemptsStored} then attempts - 0 else attempts end`,
);

/** Stores outcomes. Returns the ids of the deliveries that this instance still owned. */
export async function updateOutcomes(
  db: Kysely<Database>,
  owner: number,
  finished: readonly AttemptOutcome[],
): Promise<ReadonlySet<string>> {
  const rows = sql<
    Omit<AttemptOutcome, 'attempt' | 'integrationId' | 'failedBefore'> & { attempt: string }
  >`
    json_to_recordset(${JSON.stringify(finished)}::json)`.as<'r'>(
    sql`r(id uuid, fence int, state text, "nextAt" timestamptz, tries int, outcome text,
      "stateDetails" text, target text, attempt jsonb, "latencyMs" int, "attemptedAt" timestamptz)`,
  );
  const written = await db
    .updateTable('deliveries as d')
    .from(rows)
    .whereRef('d.id', '=', 'r.id')
    // Repeats the ids, so that the rows are found by primary key: see `claimDue`.
    .where(sql<boolean>`d.id = any(${finished.map(({ id }) => id)}::uuid[])`)
    .whereRef('d.fence', '=', 'r.fence')
    .where('d.owner', '=', owner)
    .set(({ ref }) => ({
      state: ref('r.state'),
      next_at: ref('r.nextAt'),
      tries: ref('r.tries'),
      outcome: ref('r.outcome'),
      state_details: ref('r.stateDetails'),
      target: ref('r.target'),
      attempts: sql<string>`
        ${recentAttempts} || jsonb_build_array(r.attempt)`,
      latency_ms: ref('r.latencyMs'),
      attempted_at: ref('r.attemptedAt'),
      owner: null,
      leased_until: null,
    }))
    .returning('d.id')
    .execute();
  return new Set(written.map(({ id }) => id));
}

/** Which of these outcomes are stored already: the latest attempt of the delivery is theirs. */
export async function listWrittenOutcomes(
  db: Kysely<Database>,
  finished: readonly AttemptOutcome[],
): Promise<string[]> {
  const attempts = finished.map(({ id, fence, attempt }) => ({ id, fence, attempt }));
  const { rows } = await sql<{ id: string }>`
    select d.id from deliveries d
    join json_to_recordset(${JSON.stringify(attempts)}::json) as r(id uuid, fence int, attempt jsonb)
      on r.id = d.id and r.fence = d.fence and d.attempts->-1 = r.attempt
    where d.id = any(${finished.map(({ id }) => id)}::uuid[])`.execute(db);
  return rows.map(({ id }) => id);
}

/** Frees the unfinished deliveries of a stopping instance. Another instance or the next start sends them. */
export async function releaseOwned(db: Kysely<Database>, owner: number): Promise<void> {
  await db
    .updateTable('deliveries')
    .set({ owner: null, leased_until: null })
    .where('owner', '=', owner)
    .execute();
}

export async function updateHoldUntil(
  db: Kysely<Database>,
  integrationId: number,
  until: Date,
): Promise<void> {
  await db
    .updateTable('integrations')
    .set({ held_until: until })
    .where('id', '=', integrationId)
    .where(({ or, eb }) => or([eb('held_until', 'is', null), eb('held_until', '<', until)]))
    .execute();
}

export async function updateTrouble(
  db: Kysely<Database>,
  integrationId: number,
  trouble: IntegrationProblem,
): Promise<void> {
  await db
    .updateTable('integrations')
    .set({ trouble: JSON.stringify(trouble) })
    .where('id', '=', integrationId)
    .execute();
}

/** Clears the trouble if this delivery caused it. The success of another delivery does not. */
export async function clearTrouble(
  db: Kysely<Database>,
  integrationId: number,
  recordId: string,
): Promise<void> {
  await db
    .updateTable('integrations')
    .set({ trouble: null })
    .where('id', '=', integrationId)
    .where(sql<boolean>`trouble->>'recordId' = ${recordId}`)
    .execute();
}
