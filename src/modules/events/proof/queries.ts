import { sql } from 'kysely';
import type { Db, Tx } from '../../../platform/db/database.ts';
import {
  oldEventsRemoved,
  retentionSetting,
  signingKeyChanged,
  signingKeySetting,
} from '../events.ts';
import type { JsonObject } from './canonical.ts';

interface LogRange {
  readonly anchorId: number;
  readonly anchorHash: string;
  readonly lastId: number;
  readonly hash: string;
}

/** Where the log begins and ends, read at one moment. */
export async function getRange(db: Db): Promise<LogRange> {
  const { rows } = await sql<LogRange>`
    select log.anchor_id as "anchorId", encode(log.anchor_hash, 'hex') as "anchorHash",
           coalesce(head.id, log.anchor_id) as "lastId",
           encode(coalesce(head.hash, log.anchor_hash), 'hex') as hash
    from event_log log
    left join lateral (select id, hash from events order by id desc limit 1) head on true`.execute(
    db,
  );
  return rows[0] as LogRange;
}

/** The newest event, or the anchor if the log is empty. */
export async function getHead(db: Db): Promise<Pick<LogRange, 'lastId' | 'hash'>> {
  const { lastId, hash } = await getRange(db);
  return { lastId, hash };
}

/** The newest event about a removal. */
export async function findLastRemoval(
  db: Db,
): Promise<{ readonly id: number; readonly data: JsonObject } | undefined> {
  const found = await db
    .selectFrom('events')
    .where('type', '=', oldEventsRemoved.definition.type)
    .where(sql<boolean>`data->>'id' = ${retentionSetting}`)
    .select(['id', sql<string>`data::text`.as('text')])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return found && { id: found.id, data: JSON.parse(found.text) };
}

export const listSigningKeys = (db: Db) =>
  db
    .selectFrom('signing_keys')
    .select(['id', 'public_key as publicKey', 'created_at as createdAt', 'retired_at as retiredAt'])
    .orderBy('created_at')
    .orderBy('id')
    .execute();

export const findCurrentKey = (db: Db) =>
  db
    .selectFrom('signing_keys')
    .where('retired_at', 'is', null)
    .select(['id', 'public_key as publicKey', 'private_key as privateKey'])
    .executeTakeFirst();

/**
 * The keys in the newest event that lists keys: each change of key and each removal lists all of them. Undefined if
 * there is none, as in logs of older versions.
 */
export async function findRecordedKeyIds(db: Db): Promise<readonly string[] | undefined> {
  const found = await db
    .selectFrom('events')
    .where('type', '=', signingKeyChanged.definition.type)
    .where(sql<boolean>`data->>'id' in (${signingKeySetting}, ${retentionSetting})`)
    .where(sql<boolean>`data->'keyIds' is not null`)
    .select(sql<readonly string[]>`data->'keyIds'`.as('keyIds'))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return found?.keyIds;
}

/** An arbitrary number that no other lock uses. */
const signingKeysLock = 4_242_003;

/**
 * Allows one change of key at a time. The row of event_log does not serve as this lock, because an erasure holds it for
 * minutes.
 */
export const lockSigningKeys = (tx: Tx) =>
  sql`select pg_advisory_xact_lock(${signingKeysLock})`.execute(tx.db);

/** Keeps the public key for verifying old signatures, and deletes the private key. */
export const retireCurrentKey = (tx: Tx) =>
  tx.db
    .updateTable('signing_keys')
    .set({ retired_at: tx.now, private_key: null })
    .where('retired_at', 'is', null)
    .execute();

interface NewKey {
  readonly id: string;
  readonly publicKey: string;
  readonly privateKey: string | null;
}

export const insertCurrentKey = (tx: Tx, { id, publicKey, privateKey }: NewKey) =>
  tx.db
    .insertInto('signing_keys')
    .values({ id, public_key: publicKey, private_key: privateKey, created_at: tx.now })
    // An operator may return to a retired key.
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ retired_at: null }))
    .execute();
