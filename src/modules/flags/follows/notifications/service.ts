import type { Actor } from '../../../../platform/actor.ts';
import type { Db, Tx } from '../../../../platform/db/database.ts';
import { requireAccount } from '../../../access/users/index.ts';
import { countUnread } from '../changes/queries.ts';
import { maxUnread, type ReadState } from './contract.ts';
import { findReadUpTo, upsertReadUpTo } from './queries.ts';

export const countUnreadNotifications = (db: Db, actor: Actor): Promise<number> =>
  countUnread(db, { userId: requireAccount(actor), sees: actor.sees, limit: maxUnread });

export const getReadState = async (db: Db, actor: Actor): Promise<ReadState> => ({
  unread: await countUnreadNotifications(db, actor),
  readUpTo: await findReadUpTo(db, requireAccount(actor)),
});

/** What a person has read is nobody else's concern, so nothing is recorded. */
export async function markRead(tx: Tx, upTo: number = Number.MAX_SAFE_INTEGER): Promise<ReadState> {
  await upsertReadUpTo(tx, requireAccount(tx.actor), upTo);
  return getReadState(tx.db, tx.actor);
}
