import { type Kysely, type RawBuilder, sql } from 'kysely';
import { dayMs } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/db/database.ts';

/** Small, so that neither senders nor readers wait for locks. */
const batchSize = 1_000;

interface IntegrationRetention {
  readonly id: number;
  readonly retentionDays: number;
  readonly deletedAt: Date | null;
}

const listIntegrations = (db: Kysely<Database>): Promise<IntegrationRetention[]> =>
  db
    .selectFrom('integrations')
    .select(['id', 'retention_days as retentionDays', 'deleted_at as deletedAt'])
    .orderBy('id')
    .execute();

type Condition = RawBuilder<boolean>;

/** Deliveries that ended before an instant. Pending ones never expire. */
const endedBefore = (instant: Date): Condition =>
  sql`(outcome is not null and next_at is null and created_at < ${instant})`;

/** Ended deliveries whose event was removed by retention. */
const withoutEvent: Condition = sql`(next_at is null and event_id <= (select anchor_id from event_log))`;

const allOfThem: Condition = sql`true`;

/** The condition is repeated, since a delivery may be redelivered between the select and the delete. */
async function deleteBatch(
  db: Kysely<Database>,
  integrationId: number,
  which: Condition,
): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('deliveries')
    .where(which)
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom('deliveries')
        .where('integration_id', '=', integrationId)
        .where(which)
        .select('id')
        .limit(batchSize),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}

const deleteEmptied = async (db: Kysely<Database>, id: number): Promise<void> => {
  await db
    .deleteFrom('integrations')
    .where('id', '=', id)
    .where('deleted_at', 'is not', null)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('deliveries').where('integration_id', '=', id).select('id'))),
    )
    .execute();
};

/**
 * Deletes expired records of each integration separately, so that a noisy one cannot evict records of another. Each
 * batch is one transaction. A deleted integration is removed after its last delivery.
 */
export async function prune(
  db: Kysely<Database>,
  now: Date,
  stopping?: AbortSignal,
): Promise<number> {
  let total = 0;
  const deleteAll = async (integrationId: number, which: Condition) => {
    while (!stopping?.aborted) {
      const count = await deleteBatch(db, integrationId, which);
      total += count;
      if (count === 0) return;
    }
  };
  for (const { id, retentionDays, deletedAt } of await listIntegrations(db)) {
    if (deletedAt !== null) {
      await deleteAll(id, allOfThem);
      if (!stopping?.aborted) await deleteEmptied(db, id);
      continue;
    }
    // Not before 1970: a retention of very many days would give an invalid date.
    const before = new Date(Math.max(now.getTime() - retentionDays * dayMs, 0));
    await deleteAll(id, endedBefore(before));
    await deleteAll(id, withoutEvent);
  }
  return total;
}
