import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import { lockEventLog } from '../../events/index.ts';
import { findProgress, lockProgress } from '../delivery/queries/progress.ts';

const erased = 'What was said was erased, together with a person whom it named.';
const neverSent = 'Not sent: what was to be said was erased, together with a person whom it named.';

/** When, and with what end: what receivers answered may repeat what they were told. */
const bareAttempts = sql<string>`(
  select coalesce(jsonb_agg(a.attempt - 'error' || jsonb_build_object(
    'stateDetails', ${sql.lit(erased)}::text, 'exchanges', '[]'::jsonb) order by a.place), '[]')
  from jsonb_array_elements(d.attempts) with ordinality as a(attempt, place))`;

/** By the key of deliveries, whose first column is the integration: 10 of them and 1,000 events took 15 ms. */
async function forgetMessages(tx: Tx, eventIds: readonly number[]): Promise<void> {
  if (eventIds.length === 0) return;
  const forgotten = await tx.db
    .updateTable('deliveries as d')
    .where(sql<boolean>`d.integration_id = any(array(select id from integrations))`)
    .where(sql<boolean>`d.event_id = any(${eventIds}::bigint[])`)
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

/**
 * Takes what was said of these events out of what is kept of deliveries. The records stay, without their words. What
 * is still pending is given up: it would tell the name to others. An instance that is sending it at this moment
 * cannot call it back, and cannot write down afterwards what it said.
 */
export async function forgetDeliveries(tx: Tx, eventIds: readonly number[]): Promise<void> {
  const { eventId: mark } = await findProgress(tx);
  await forgetMessages(tx, eventIds);
  const laterIds = eventIds.filter((id) => id > mark);
  if (laterIds.length === 0) return;
  // Whoever is writing down who is to be told of these has done so, or will find the person erased. Every writer waits
  // from here to the end of the transaction, and so does little: all but the newest events were dealt with before.
  // In this order, as everybody: who fans out may take a while, and nobody has to wait for that before.
  await lockProgress(tx);
  await lockEventLog(tx);
  await forgetMessages(tx, laterIds);
}
