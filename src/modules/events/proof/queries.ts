import { sql } from 'kysely';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { retentionSetting, signingKeyChanged, signingKeySetting } from '../events.ts';

/** The newest event; of an empty log, the anchor. */
export async function getHead(db: Db): Promise<{ lastId: number; hash: string }> {
  const { rows } = await sql<{ lastId: number; hash: string }>`
    select coalesce(head.id, log.anchor_id) as "lastId",
           encode(coalesce(head.hash, log.anchor_hash), 'hex') as hash
    from event_log log
    left join lateral (select id, hash from events order by id desc limit 1) head on true`.execute(
    db,
  );
  return rows[0] as { lastId: number; hash: string };
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
 * The keys that the log names, by the newest event that does: each change of key and each removal names all of
 * them. Undefined where none does, as in older versions.
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

/** Any number will do that nothing else locks. */
const signingKeysLock = 4_242_003;

/** One change of key at a time. A lock of its own: erasure holds the row of event_log for minutes. */
export const lockSigningKeys = (tx: Tx) =>
  sql`select pg_advisory_xact_lock(${signingKeysLock})`.execute(tx.db);

/** The old key's public half stays, for the signatures that it made; its private half goes. */
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
    // An operator may go back to a key that was retired.
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ retired_at: null }))
    .execute();
