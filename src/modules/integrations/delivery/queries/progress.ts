import { sql } from 'kysely';
import type { Db, Tx } from '../../../../platform/db/database.ts';

/** Instances listen here for changed integrations, and for deliveries that should be sent at once. */
export const deliveriesChannel = 'burgee_deliveries';

export const notifyDeliveries = async (tx: Tx): Promise<void> => {
  await sql`select pg_notify(${deliveriesChannel}, '')`.execute(tx.db);
};

/**
 * An advisory lock for the fan-out and for changes of integrations. A row lock would cost each cycle a flush (ADR
 * 13).
 */
export const progressLock = 4_242_006;

export interface Progress {
  /** Events up to this one are fanned out. */
  readonly eventId: number;
  /** Grows with each change of an integration. */
  readonly version: number;
  /** The last event in the log. */
  readonly head: number;
  /** Integrations that may be sent to at this moment. */
  readonly sending: readonly number[];
}

/** Take the lock first: a statement sees the data of the moment when it started. */
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

/** Undefined: another instance holds the lock. */
export async function tryLockProgress(tx: Tx): Promise<Progress | undefined> {
  const { rows } = await sql<{ acquired: boolean }>`
    select pg_try_advisory_xact_lock(${progressLock}) as acquired`.execute(tx.db);
  return rows[0]?.acquired ? findProgress(tx) : undefined;
}

/** Waits for the lock. */
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
