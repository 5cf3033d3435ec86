import { sql } from 'kysely';
import { dayMs } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/db/database.ts';
import { createSlices } from '../../../platform/slices.ts';
import { type EarlierRemoval, oldEventsRemoved, retentionSetting } from '../events.ts';
import { contentOf, fits, listStored } from './chain.ts';
import { fault, type LogFault, removed } from './diagnose.ts';
import { faultBefore, inserted } from './fault-before.ts';
import { genesisHash } from './hash.ts';
import { findLastRemoval, getRange, listSigningKeys } from './queries.ts';
import { earlierOf, signatureOf } from './removals.ts';
import { keyIdOfPem } from './signed-by.ts';

/** The last event to be removed. */
interface Cut {
  readonly id: number;
  readonly hash: Buffer;
}

/** A removal of which every event was verified. */
export interface VerifiedCut extends Cut {
  /** When the last event was recorded: from the content that its hash covers. */
  readonly createdAt: string;
  /** Earlier removals for which the given key cannot vouch. */
  readonly earlier: readonly EarlierRemoval[];
}

/**
 * The last of the oldest events that are all too old; never the newest event. Events about earlier removals are no
 * reason for another removal, because an idle log would then be shortened for ever.
 */
async function findCut(db: Db, olderThan: Date, limit: number): Promise<Cut | undefined> {
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
    order by id desc limit 1`.execute(db);
  return rows[0];
}

const wrongAnchor = (id: number) =>
  fault(
    'anchor',
    id,
    `The log begins after event ${id}, but no event records that retention removed the earlier ones`,
  );

/**
 * Checks that an event records how the log came to begin where it begins. Otherwise the next removal would make up for
 * events that someone else had removed.
 */
async function checkBeginning(
  db: Db,
  { id, hash }: Cut,
  signerId: string | undefined,
): Promise<readonly EarlierRemoval[] | LogFault> {
  const last = await findLastRemoval(db);
  if (!last) return id === 0 && hash.equals(genesisHash) ? [] : wrongAnchor(id);
  const { data } = last;
  if (data.removedThrough !== id || data.hash !== hash.toString('hex')) return wrongAnchor(id);
  const keys = await listSigningKeys(db);
  const signature = signatureOf(data, (keyId) => {
    const key = keys.find((each) => each.id === keyId)?.publicKey;
    return key !== undefined && keyIdOfPem(key) === keyId ? key : undefined;
  });
  if (signature === 'wrong') {
    return fault(
      'anchor',
      last.id,
      `Event ${last.id} records a removal of events, but its signature is wrong`,
    );
  }
  const earlier = earlierOf(data);
  if (signature !== 'right') return [...earlier, { through: id, keyId: null }];
  return data.keyId === signerId
    ? earlier
    : [...earlier, { through: id, keyId: String(data.keyId) }];
}

/** So many events are in memory at a time. */
const batchSize = 500;

/**
 * Recomputes every hash from the anchor to the event behind the cut, which takes 60 µs for each event. Returns when the
 * last one was recorded.
 */
async function checkChain(
  db: Db,
  { anchor, cut, olderThan }: { anchor: Cut; cut: Cut; olderThan: Date },
): Promise<string | LogFault> {
  const newest = olderThan.toISOString();
  const slices = createSlices();
  let before = anchor;
  let createdAt = '';
  while (before.id <= cut.id) {
    const limit = Math.min(batchSize, cut.id + 1 - before.id);
    const batch = await listStored(db, { after: before.id, limit });
    for (const event of batch) {
      if (slices.isOver()) await slices.pause();
      if (event.id !== before.id + 1) return removed(before.id + 1, event.id - 1);
      if (!fits(event.hash, event.id, before.hash, contentOf(event))) {
        return fault('altered', event.id, `Event ${event.id} was modified after it was recorded`);
      }
      // By the verified content: a table that someone replaced can show a date of its own to each statement.
      if (event.id <= cut.id && event.createdAt >= newest) {
        return fault('altered', event.id, `Event ${event.id} is newer than the stored date says`);
      }
      if (event.id === cut.id) {
        // The signature must not vouch for a hash that another statement read.
        if (!event.hash.equals(cut.hash)) {
          return fault('altered', event.id, `Event ${event.id} changed while it was verified`);
        }
        createdAt = event.createdAt;
      }
      before = event;
    }
    if (batch.length === 0) return removed(before.id + 1, cut.id);
  }
  return createdAt === '' ? inserted(cut.id, anchor.id) : createdAt;
}

interface RemovalPlan {
  readonly olderThan: Date;
  readonly limit: number;
  /** The key that will sign. */
  readonly signerId: string | undefined;
}

/** What would prevent the next removal. Takes about a second. */
export async function findRetentionFault(
  db: Db,
  days: number,
  now: Date,
): Promise<LogFault | undefined> {
  const olderThan = new Date(now.getTime() - days * dayMs);
  const cut = await findVerifiedCut(db, { olderThan, limit: removalSize, signerId: undefined });
  return cut && 'message' in cut ? cut : undefined;
}

/** With this size one transaction holds its locks for about two seconds. */
export const removalSize = 20_000;

/**
 * Finds the oldest events that are too old, and verifies them: once they are removed, no one can. Undefined if there is
 * nothing to remove.
 */
export async function findVerifiedCut(
  db: Db,
  { olderThan, limit, signerId }: RemovalPlan,
): Promise<VerifiedCut | LogFault | undefined> {
  const cut = await findCut(db, olderThan, limit);
  if (!cut) return undefined;
  const { anchorId, anchorHash } = await getRange(db);
  const anchor = { id: anchorId, hash: Buffer.from(anchorHash, 'hex') };
  const earlier = await checkBeginning(db, anchor, signerId);
  if ('message' in earlier) return earlier;
  const early = await faultBefore(db, anchorId);
  if (early) return early;
  const createdAt = await checkChain(db, { anchor, cut, olderThan });
  return typeof createdAt === 'string' ? { ...cut, createdAt, earlier } : createdAt;
}
