import { sql } from 'kysely';
import { dayMs } from '../../../platform/clock.ts';
import type { Actor, Db, Transact, Tx } from '../../../platform/db/database.ts';
import type { Settings } from '../../../platform/module.ts';
import type { PeriodicWork } from '../../../platform/timers.ts';
import { oldEventsRemoved, retentionSetting } from '../events.ts';
import { record } from '../record/record.ts';
import { lockSigningKeys } from './queries.ts';
import { removalText } from './removals.ts';
import { getSigner, listKnownKeyIds } from './signing.ts';

/** With this size one transaction holds its locks for about a second. */
const batchSize = 20_000;

interface RemovalOptions {
  readonly limit?: number;
  /** SIGNING_KEY_FILE, if set. */
  readonly signingKeyFile?: string | undefined;
}

const hourMs = 60 * 60 * 1000;

interface Cut {
  readonly id: number;
  readonly hash: Buffer;
  readonly createdAt: Date;
}

/**
 * The last of the oldest events that are all too old; never the newest event. Events about earlier removals are no
 * reason for another removal, because an idle log would then be shortened for ever.
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
    select id, hash, created_at as "createdAt" from outdated
    where exists (select from outdated where of_removal is not true)
    order by id desc limit 1`.execute(tx.db);
  return rows[0];
}

async function removeThrough(tx: Tx, { id, hash }: Cut): Promise<void> {
  await tx.db
    .updateTable('event_log')
    // Does not increase `rewrites`: the remaining events are unchanged, so that cached counts stay valid.
    .set({ anchor_id: id, anchor_hash: hash })
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

/** Signed, so that someone who can only write to the database cannot shorten the log if the key is in a file. */
async function recordRemoval(tx: Tx, cut: Cut, days: number, file: string | undefined) {
  // Without this lock the list could lack a key that becomes active at the same time.
  await lockSigningKeys(tx);
  const { keyId, sign } = await getSigner(tx, file);
  // Read before the events about the keys are deleted.
  const keyIds = await listKnownKeyIds(tx);
  const removal = {
    id: retentionSetting,
    removedThrough: cut.id,
    hash: cut.hash.toString('hex'),
    removedUntil: cut.createdAt.toISOString(),
    days,
    keyId,
    keyIds,
  } as const;
  record(tx, oldEventsRemoved({ data: { ...removal, signature: sign(removalText(removal)) } }));
}

/**
 * Removes the oldest events if they are older than `days`, at most `limit` of them, and records where the log starts
 * now. Returns false if there was nothing to remove.
 */
export async function removeOldEvents(
  tx: Tx,
  days: number,
  { limit = batchSize, signingKeyFile }: RemovalOptions = {},
): Promise<boolean> {
  // One removal at a time, and none during an erasure.
  await tx.db.selectFrom('event_log').select('anchor_id').forUpdate().execute();
  const cut = await findCut(tx, new Date(tx.now.getTime() - days * dayMs), limit);
  if (!cut) return false;
  await recordRemoval(tx, cut, days, signingKeyFile);
  await removeThrough(tx, cut);
  return true;
}

/** The retention period set by an administrator, in days. Undefined means for ever. */
export type FindRetentionDays = (db: Db) => Promise<number | undefined>;

type RetentionSettings = Pick<Settings, 'eventRetentionDays'> &
  Partial<Pick<Settings, 'signingKeyFile'>>;

/** The hourly removal. The environment variable has precedence over the setting; without both nothing is removed. */
export const retentionJob = (
  { transact, stopping }: { transact: Transact; stopping: AbortSignal },
  actor: Actor,
  { eventRetentionDays, signingKeyFile }: RetentionSettings,
  findRetentionDays: FindRetentionDays,
): PeriodicWork => ({
  name: 'event retention',
  everyMs: hourMs,
  run: async () => {
    let more = true;
    while (more && !stopping.aborted) {
      more = await transact(actor, async (tx) => {
        const days = eventRetentionDays ?? (await findRetentionDays(tx.db));
        return days !== undefined && removeOldEvents(tx, days, { signingKeyFile });
      });
    }
  },
});
