import { sql } from 'kysely';
import { systemClock } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/db/database.ts';
import { defaultSchema } from '../../../platform/db/session.ts';
import { createBookkeeping, faultOfParts, listDays } from './bookkeeping.ts';
import { contentOf, fits, only, type StoredEvent, walk } from './chain.ts';
import { doubtsOfCoverage, type LogEnd } from './coverage.ts';
import { diagnose, fault, type LogFault, removed } from './diagnose.ts';
import { faultBefore } from './fault-before.ts';
import { genesisHash } from './hash.ts';
import { createRecordedKeys, type StoredKey } from './recorded-keys.ts';
import { createRemovals, type KeyOf, type RemovalRules } from './removals.ts';

export interface Verification {
  /** No fault was found. There may be doubts. */
  readonly ok: boolean;
  /** How many events are intact. */
  readonly checked: number;
  readonly firstId: number;
  readonly lastId: number;
  /** The hash of the last intact event, in hex. */
  readonly hash: string;
  readonly fault?: LogFault;
  /** Whether the log still contains the event of the given end. */
  readonly isEndCompared: boolean;
  /** What could not be compared. */
  readonly doubts: readonly string[];
  /** The first event that mentions each signing key. */
  readonly keysSince: ReadonlyMap<string, number>;
}

export interface VerifyOptions extends Pick<RemovalRules, 'keptDays' | 'isKeptBySetting'> {
  readonly schema?: string;
  /** Keys from elsewhere, instead of those in the database. */
  readonly keyOf?: KeyOf | undefined;
  /** The current time: a checkpoint may be too young for retention to have removed what it covers. */
  readonly now?: Date;
}

/** So many hashes stay in memory, to find out how many events were inserted before a broken link. */
const hashesInMemory = 1000;

/**
 * Walks the log from its anchor to its end and finds the first event that is not as it was recorded. Takes time in
 * proportion to the log. Call it in a snapshot, so that concurrent erasures and removals do not matter.
 */
export async function verifyLog(
  db: Db,
  end?: LogEnd,
  {
    schema = defaultSchema,
    keyOf,
    keptDays,
    isKeptBySetting,
    now = systemClock(),
  }: VerifyOptions = {},
): Promise<Verification> {
  const anchor = await findAnchor(db, schema);
  if (!anchor) return withoutAnchor;
  const days = await listDays(db, schema);
  const keys = await listKeys(db, schema);
  const storedKeyOf = (keyId: string) => keys.find(({ id }) => id === keyId)?.publicKey;
  const lastKnownId = Math.max(anchor.id, ...days.map(({ lastId }) => lastId));
  const bookkeeping = createBookkeeping();
  const removals = createRemovals({
    keyOf: keyOf ?? storedKeyOf,
    keptDays,
    isKeptBySetting,
    vouchedThrough: end?.anchorId,
  });
  const recordedKeys = createRecordedKeys(anchor.id);
  let lastId = anchor.id;
  let before: Buffer[] = [anchor.hash];
  let isEndCompared = false;

  const result = (found?: LogFault, doubts: readonly string[] = []): Verification => ({
    ok: found === undefined,
    checked: lastId - anchor.id,
    firstId: anchor.id + 1,
    lastId,
    hash: (before.at(-1) as Buffer).toString('hex'),
    ...(found ? { fault: found } : {}),
    isEndCompared,
    doubts,
    keysSince: recordedKeys.since,
  });

  const faultOfEnd = (id: number, hash: Buffer): LogFault | undefined => {
    if (end?.lastId !== id && end?.anchorId !== id) return undefined;
    if (end.lastId === id) isEndCompared = true;
    const stored = end.lastId === id ? end.hash : end.anchorHash;
    return stored === hash.toString('hex')
      ? undefined
      : fault(
          'altered',
          id,
          `Event ${id} or an earlier one was altered and the chain was recomputed: its hash differs from the checkpoint`,
        );
  };

  const faultOfRemoval = (event: StoredEvent): LogFault | undefined => {
    const found = removals.faultOf(event);
    const cut = removals.signedEndOf(event);
    if (found || !cut) return found;
    return faultOfEnd(cut.id, cut.hash);
  };

  const faultOf = (event: StoredEvent): LogFault | Promise<LogFault> | undefined => {
    const { id, hash } = event;
    if (id > lastId + 1) return removed(lastId + 1, id - 1);
    const content = contentOf(event);
    if (!fits(hash, id, before.at(-1) as Buffer, content)) {
      return diagnose(db, { event, content, before, lastKnownId, schema });
    }
    return faultOfEnd(id, hash) ?? faultOfParts(event) ?? faultOfRemoval(event);
  };

  const anchorFault = faultOfEnd(anchor.id, anchor.hash);
  if (anchorFault) return result(anchorFault);
  const early = await faultBefore(db, anchor.id, schema);
  if (early) return result(early);
  for await (const batch of walk(db, anchor.id, schema)) {
    for (const event of batch) {
      const found = faultOf(event);
      if (found) return result(await found);
      bookkeeping.note(event);
      recordedKeys.note(event);
      lastId = event.id;
      before.push(event.hash);
    }
    before = before.slice(-hashesInMemory);
  }

  const missing = Math.max(lastKnownId, end?.lastId ?? 0);
  if (missing > lastId) return result(removed(lastId + 1, missing));
  const found =
    removals.faultOfAnchor(anchor) ??
    bookkeeping.close(days, anchor.id) ??
    recordedKeys.faultOf(keys) ??
    (await faultOfTexts(db, schema));
  const incomparable =
    end && !isEndCompared
      ? [`The checkpoint cannot be compared: event ${end.lastId} is no longer in the log`]
      : [];
  const uncovered = end
    ? doubtsOfCoverage(
        end,
        {
          anchorId: anchor.id,
          removal: removals.signedLast(),
          isEndInLog: isEndCompared && end.lastId > anchor.id,
        },
        {
          hasOwnKeys: keyOf !== undefined,
          confirmedDays: typeof keptDays === 'number' && !isKeptBySetting ? keptDays : undefined,
          now,
        },
      )
    : [];
  return result(found, [
    ...incomparable,
    ...uncovered,
    ...removals.doubts(),
    ...recordedKeys.doubts(keys),
  ]);
}

interface Anchor {
  readonly id: number;
  readonly hash: Buffer;
}

async function findAnchor(db: Db, schema: string): Promise<Anchor | undefined> {
  const { rows } = await sql<Anchor>`
    select anchor_id as id, anchor_hash as hash from ${only('event_log', schema)}`.execute(db);
  return rows[0];
}

/** The result if someone has deleted the row that every installation has. */
const withoutAnchor: Verification = {
  ok: false,
  checked: 0,
  firstId: 1,
  lastId: 0,
  hash: genesisHash.toString('hex'),
  fault: fault(
    'anchor',
    0,
    'The record of where the log begins was removed: the table event_log has no row',
  ),
  isEndCompared: false,
  doubts: [],
  keysSince: new Map(),
};

async function listKeys(db: Db, schema: string): Promise<readonly StoredKey[]> {
  const { rows } = await sql<StoredKey>`
    select id, public_key as "publicKey", retired_at as "retiredAt"
    from ${only('signing_keys', schema)} order by created_at, id`.execute(db);
  return rows;
}

/** Search texts without an event. They point to a removed event or to a manipulated search. */
async function faultOfTexts(db: Db, schema: string): Promise<LogFault | undefined> {
  const sides = only('event_side_texts', schema);
  const { rows } = await sql<{ id: number }>`
    select id from (
      select id from ${only('event_texts', schema)}
      union all select id from ${sides} where part in ('preData', 'tags')
    ) texts
    where not exists (select from ${only('events', schema)} e where e.id = texts.id)
    union all select id from ${sides} where part not in ('preData', 'tags')
    order by id limit 1`.execute(db);
  const [extra] = rows;
  return (
    extra &&
    fault(
      'search text',
      extra.id,
      `The search text for event ${extra.id} belongs to no event in the log`,
    )
  );
}
