import type { Tx } from '../../../../platform/db/database.ts';

/** The session with this current or former secret, locked, so that it ends only once. */
export const lockSession = (tx: Tx, hash: Buffer) =>
  tx.db
    .selectFrom('sessions')
    .where(({ eb, or }) => or([eb('secret_hash', '=', hash), eb('former_hash', '=', hash)]))
    .select(['id', 'user_id as userId'])
    .forUpdate()
    .executeTakeFirst();
