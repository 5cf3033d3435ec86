import { type Kysely, type RawBuilder, sql } from 'kysely';
import { dayMs } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/db/database.ts';

/** Small, so that nobody who sends or reads waits for a lock. */
const batchSize = 1_000;

interface Kept {
  readonly id: number;
  readonly retentionDays: number;
  readonly deletedAt: Date | null;
}

const listIntegrations = (db: Kysely<Database>): Promise<Kept[]> =>
  db
    .selectFrom('integrations')
    .select(['id', 'retention_days as retentionDays', 'deleted_at as deletedAt'])
    .orderBy('id')
    .execute();

type Which = RawBuilder<boolean>;

/** Those of an integration that ended before an instant. What is pending is never out of date. */
const endedBefore = (instant: Date): Which =>
  sql`(outcome is not null and next_at is null and created_at < ${instant})`;

/** Those that ended, and whose event retention has removed from the log. */
const withoutEvent: Which = sql`(next_at is null and event_id <= (select anchor_id from event_log))`;

const everyOne: Which = sql`true`;

/** Which they are is asked twice: one that was found can be redelivered before it is deleted. */
async function deleteBatch(
  db: Kysely<Database>,
  integrationId: number,
  which: Which,
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
 * Deletes what is kept no longer: per integration, so that a noisy one cannot push out another's. Each batch is a
 * transaction of its own. An integration that was deleted goes with the last of its deliveries.
 */
export async function prune(
  db: Kysely<Database>,
  now: Date,
  stopping?: AbortSignal,
): Promise<number> {
  let total = 0;
  const deleteAll = async (integrationId: number, which: Which) => {
    while (!stopping?.aborted) {
      const count = await deleteBatch(db, integrationId, which);
      total += count;
      if (count === 0) return;
    }
  };
  for (const { id, retentionDays, deletedAt } of await listIntegrations(db)) {
    if (deletedAt !== null) {
      await deleteAll(id, everyOne);
      if (!stopping?.aborted) await deleteEmptied(db, id);
      continue;
    }
    // No further back than 1970: for ever is a number of days, too.
    const before = new Date(Math.max(now.getTime() - retentionDays * dayMs, 0));
    await deleteAll(id, endedBefore(before));
    await deleteAll(id, withoutEvent);
  }
  return total;
}
