import { sql } from 'kysely';
import type { Actor } from '../../../platform/actor.ts';
import { dayMs } from '../../../platform/clock.ts';
import type { Db, Transact, Tx } from '../../../platform/db/database.ts';
import type { Metrics } from '../../../platform/metrics.ts';
import type { Settings } from '../../../platform/module.ts';
import type { PeriodicWork } from '../../../platform/timers.ts';
import { oldEventsRemoved, retentionSetting } from '../events.ts';
import { record } from '../record/record.ts';
import type { JsonObject } from './canonical.ts';
import type { LogFault } from './diagnose.ts';
import { findCurrentKey, lockSigningKeys } from './queries.ts';
import { removalText } from './removals.ts';
import { getSigner, listKnownKeyIds, type Signer } from './signing.ts';
import { findVerifiedCut, removalSize, type VerifiedCut } from './verify-removal.ts';

interface RemovalOptions {
  readonly limit?: number;
  /** SIGNING_KEY_FILE, if set. */
  readonly signingKeyFile?: string | undefined;
}

const hourMs = 60 * 60 * 1000;

async function removeThrough(tx: Tx, { id, hash }: VerifiedCut): Promise<void> {
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
  await tx.db.deleteFrom('event_recipients').where('event_id', '<=', id).execute();
  await tx.db.deleteFrom('event_days').where('last_id', '<=', id).execute();
  await tx.db
    .updateTable('event_days')
    .set({ first_id: id + 1 })
    .where('first_id', '<=', id)
    .execute();
}

/** Signed, so that someone who can only write to the database cannot shorten the log if the key is in a file. */
async function recordRemoval(tx: Tx, cut: VerifiedCut, days: number, { keyId, sign }: Signer) {
  // Read before the events about the keys are deleted.
  const keyIds = await listKnownKeyIds(tx);
  const removal = {
    id: retentionSetting,
    removedThrough: cut.id,
    hash: cut.hash.toString('hex'),
    removedUntil: cut.createdAt,
    days,
    keyId,
    keyIds,
    ...(cut.earlier.length > 0 && { earlier: cut.earlier }),
  } as const;
  record(
    tx,
    oldEventsRemoved({
      data: { ...removal, signature: sign(removalText(removal as unknown as JsonObject)) },
    }),
  );
}

/**
 * Removes the oldest events if they are older than `days`, at most `limit` of them, and records where the log starts
 * now. Returns false if there was nothing to remove, and what is wrong if one of the events was modified after it was recorded:
 * then nothing is removed, because the events are the evidence.
 */
export async function removeOldEvents(
  tx: Tx,
  days: number,
  { limit = removalSize, signingKeyFile }: RemovalOptions = {},
): Promise<boolean | LogFault> {
  // One removal at a time, and none during an erasure.
  await tx.db.selectFrom('event_log').select('anchor_id').forUpdate().execute();
  // Without this lock the list of keys could lack one that becomes active at the same time.
  await lockSigningKeys(tx);
  const current = await findCurrentKey(tx.db);
  const cut = await findVerifiedCut(tx.db, {
    olderThan: new Date(tx.now.getTime() - days * dayMs),
    limit,
    signerId: current?.id,
  });
  if (!cut) return false;
  if ('message' in cut) return cut;
  const signer = await getSigner(tx, signingKeyFile);
  // Under the lock two reads can differ only if something else has taken the place of the table.
  if (signer.keyId !== current?.id) throw new Error('Two reads of the current signing key differ');
  await recordRemoval(tx, cut, days, signer);
  await removeThrough(tx, cut);
  return true;
}

/** The retention period set by an administrator, in days. Undefined means for ever. */
export type FindRetentionDays = (db: Db) => Promise<number | undefined>;

type RetentionSettings = Pick<Settings, 'eventRetentionDays'> &
  Partial<Pick<Settings, 'signingKeyFile'>>;

/** The name of the counter, for the alert. */
const refusals = {
  name: 'burgee_event_retention_refused_total',
  help: 'How often the removal of old events was refused because one of them was modified after it was recorded',
};

/** The hourly removal. The environment variable has precedence over the setting; without both nothing is removed. */
export const retentionJob = (
  {
    transact,
    stopping,
    metrics,
  }: { transact: Transact; stopping: AbortSignal; metrics: Pick<Metrics, 'counter'> },
  actor: Actor,
  { eventRetentionDays, signingKeyFile }: RetentionSettings,
  findRetentionDays: FindRetentionDays,
): PeriodicWork => {
  const countRefusal = metrics.counter(refusals);
  return {
    name: 'event retention',
    everyMs: hourMs,
    run: async () => {
      let more = true;
      while (more && !stopping.aborted) {
        const outcome = await transact(actor, async (tx) => {
          const days = eventRetentionDays ?? (await findRetentionDays(tx.db));
          return days !== undefined && removeOldEvents(tx, days, { signingKeyFile });
        });
        if (typeof outcome === 'object') {
          countRefusal();
          // Counts as a failure of this work, and is logged as an error.
          throw new Error(
            `No old events were removed, because the log is not intact: ${outcome.message}. Run burgee verify`,
          );
        }
        more = outcome;
      }
    },
  };
};
