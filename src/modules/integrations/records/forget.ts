import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import { holdOrder } from '../../events/index.ts';
import { lockProgress } from '../delivery/queries/progress.ts';

const erased = 'What was said was erased, together with a person whom it named.';
const neverSent = 'Not sent: what was to be said was erased, together with a person whom it named.';

/** Events that named the person, as their author or as what they tell of; they are erased already. */
const namedPerson = (userId: number) => sql<boolean>`(
  (e.created_by_user_id = ${userId} and octet_length(e.actor_seal) = 32)
  or (octet_length(e.subject_seal) = 32 and coalesce(
    e.data->>'userId', e.data->>'id', e.pre_data->>'userId', e.pre_data->>'id') = ${String(userId)}))`;

/** When, and with what end: what receivers answered may repeat what they were told. */
const bareAttempts = sql<string>`(
  select coalesce(jsonb_agg(a.attempt - 'error' || jsonb_build_object(
    'stateDetails', ${sql.lit(erased)}::text, 'exchanges', '[]'::jsonb) order by a.place), '[]')
  from jsonb_array_elements(d.attempts) with ordinality as a(attempt, place))`;

/**
 * Takes what was said of a person out of what is kept of deliveries. The records stay, without their words. What
 * is still pending is given up: it would tell the name to others. An instance that is sending it at this moment
 * cannot call it back, and cannot write down afterwards what it said.
 */
export async function forgetDeliveries(tx: Tx, userId: number): Promise<void> {
  // Whoever is writing down who is to be told of the person has done so, or finds them erased.
  await holdOrder(tx);
  await lockProgress(tx);
  const forgotten = await tx.db
    .updateTable('deliveries as d')
    .from('events as e')
    .whereRef('e.id', '=', 'd.event_id')
    .where(namedPerson(userId))
    .where(sql<boolean>`d.message::text <> '{}'`)
    .set({
      message: '{}',
      attempts: bareAttempts,
      state: sql`case when d.state = 'pending' then 'givenUp' else d.state end`,
      next_at: null,
      owner: null,
      leased_until: null,
      fence: sql`d.fence + 1`,
      outcome: sql`coalesce(d.outcome, 'failed')`,
      state_details: sql`case when d.state = 'pending' then ${neverSent} else ${erased} end`,
    })
    .returning('d.id')
    .execute();
  await tx.db
    .updateTable('integrations')
    .set({
      trouble: sql`jsonb_set(trouble, '{message}', to_jsonb(${erased}::text))`,
    })
    .where(sql<boolean>`trouble->>'recordId' = any(${forgotten.map(({ id }) => id)}::text[])`)
    .execute();
}
