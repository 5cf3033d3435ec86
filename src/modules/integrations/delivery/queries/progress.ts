import { sql } from 'kysely';
import type { Db, Tx } from '../../../../platform/db/database.ts';

/** Where instances hear that integrations were changed, or that something is to be sent at once. */
export const deliveriesChannel = 'burgee_deliveries';

export const notifyDeliveries = async (tx: Tx): Promise<void> => {
  await sql`select pg_notify(${deliveriesChannel}, '')`.execute(tx.db);
};

/** Whoever fans out, or changes an integration, holds this: no row, whose lock would cost each look a flush. */
export const progressLock = 4_242_006;

export interface Progress {
  /** Up to this event it is written down who is to be told. */
  readonly eventId: number;
  /** Grows with each change of an integration. */
  readonly version: number;
  /** The last event that there is. */
  readonly head: number;
  /** Integrations to which something may be sent just now. */
  readonly sending: readonly number[];
}

/** To be sure of it, hold the lock before: a statement sees what was there when it began. */
export const findProgress = async ({ db, now }: Tx): Promise<Progress> =>
  db
    .selectFrom('delivery_progress')
    .select([
      'event_id as eventId',
      'version',
      sql<number>`(select coalesce(max(id), 0) from events)`.as('head'),
      sql<number[]>`array(
        select id from integrations
        where enabled and paused_at is null and deleted_at is null
          and (held_until is null or held_until <= ${now}))`.as('sending'),
    ])
    .executeTakeFirstOrThrow();

/** Undefined: another instance is at it. */
export async function tryLockProgress(tx: Tx): Promise<Progress | undefined> {
  const { rows } = await sql<{ mine: boolean }>`
    select pg_try_advisory_xact_lock(${progressLock}) as mine`.execute(tx.db);
  return rows[0]?.mine ? findProgress(tx) : undefined;
}

/** Waits for whoever is at it. */
export async function lockProgress(tx: Tx): Promise<Progress> {
  await sql`select pg_advisory_xact_lock(${progressLock})`.execute(tx.db);
  return findProgress(tx);
}

export const findVersion = async (db: Db): Promise<number> =>
  (await db.selectFrom('delivery_progress').select('version').executeTakeFirstOrThrow()).version;

export async function updateProgress(tx: Tx, eventId: number): Promise<void> {
  await tx.db.updateTable('delivery_progress').set({ event_id: eventId }).execute();
}

export async function updateVersion(tx: Tx): Promise<void> {
  await tx.db
    .updateTable('delivery_progress')
    .set('version', ({ eb }) => eb('version', '+', 1))
    .execute();
}
