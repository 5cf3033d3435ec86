import { sql } from 'kysely';
import type { Actor, Db, Transact, Tx } from '../../../platform/db/database.ts';
import type { PeriodicWork } from '../../../platform/timers.ts';
import { oldEventsRemoved, retentionDaysSetting, retentionSetting } from '../events.ts';
import { record } from '../record.ts';

/** One transaction holds its locks for about a second at this size. */
const batchSize = 20_000;

const dayMs = 24 * 60 * 60 * 1000;
const hourMs = 60 * 60 * 1000;

interface Cut {
  readonly id: number;
  readonly hash: Buffer;
}

/**
 * The last event of the oldest ones that are all out of date; never the newest of all. Records of
 * earlier removals alone are no reason for another one: an idle log would never come to rest.
 */
async function findCut(tx: Tx, olderThan: Date, limit: number): Promise<Cut | undefined> {
  const { rows } = await sql<Cut>`
    with oldest as materialized (
      select id, created_at, hash,
        type = ${oldEventsRemoved.definition.type} and data->>'id' = ${retentionSetting} as of_removal
      from events order by id limit ${limit}
    ), outdated as (
      select * from oldest
      where id < (select max(id) from events)
        and id < coalesce((select min(id) from oldest where created_at >= ${olderThan}), 9e18)
    )
    select id, hash from outdated
    where exists (select from outdated where of_removal is not true)
    order by id desc limit 1`.execute(tx.db);
  return rows[0];
}

async function removeThrough(tx: Tx, { id, hash }: Cut): Promise<void> {
  await tx.db
    .updateTable('event_log')
    .set({ anchor_id: id, anchor_hash: hash, rewrites: sql`rewrites + 1` })
    .execute();
  await sql`select set_config('burgee.duty', 'retention', true)`.execute(tx.db);
  await tx.db.deleteFrom('events').where('id', '<=', id).execute();
  await sql`select set_config('burgee.duty', '', true)`.execute(tx.db);
  await tx.db.deleteFrom('event_texts').where('id', '<=', id).execute();
  await tx.db.deleteFrom('event_side_texts').where('id', '<=', id).execute();
  await tx.db.deleteFrom('event_days').where('last_id', '<=', id).execute();
  await tx.db
    .updateTable('event_days')
    .set({ first_id: id + 1 })
    .where('first_id', '<=', id)
    .execute();
}

/**
 * Removes the oldest events that are older than so many days, at most `limit` of them, and records
 * where the kept log begins. False when there was nothing to remove.
 */
export async function removeOldEvents(tx: Tx, days: number, limit = batchSize): Promise<boolean> {
  // One at a time, and not while a person is being erased.
  await tx.db.selectFrom('event_log').select('anchor_id').forUpdate().execute();
  const cut = await findCut(tx, new Date(tx.now.getTime() - days * dayMs), limit);
  if (!cut) return false;
  await removeThrough(tx, cut);
  record(
    tx,
    oldEventsRemoved({
      data: { id: retentionSetting, removedThrough: cut.id, hash: cut.hash.toString('hex') },
    }),
  );
  return true;
}

/** For how many days an administrator wants events to be kept; undefined: for ever. */
async function findRetentionDays(db: Db): Promise<number | undefined> {
  const stored = await db
    .selectFrom('settings')
    .where('id', '=', retentionDaysSetting)
    .select(sql<number>`(value->>'eventDays')::int`.as('days'))
    .executeTakeFirst();
  return stored?.days;
}

/** The hourly removal. The operator's word goes before the setting; without either nothing is removed. */
export const retentionJob = (
  { transact, stopping }: { transact: Transact; stopping: AbortSignal },
  actor: Actor,
  operatorsDays: number | undefined,
): PeriodicWork => ({
  name: 'event retention',
  everyMs: hourMs,
  run: async () => {
    let more = true;
    while (more && !stopping.aborted) {
      more = await transact(actor, async (tx) => {
        const days = operatorsDays ?? (await findRetentionDays(tx.db));
        return days !== undefined && removeOldEvents(tx, days);
      });
    }
  },
});
