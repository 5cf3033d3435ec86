import type { Actor, Db } from '../../platform/db/database.ts';

/** Where instances hear that somebody may do more or less. `access` has the same name and stands above this module. */
export const accessChannel = 'burgee_access';

/**
 * Whether a follower may go on after such news. A token that nobody revoked sees what it saw. An account
 * comes again: only then is it known what it sees by now, and whether its credential still holds.
 */
export async function mayGoOn(db: Db, { kind, id }: Actor, now: Date): Promise<boolean> {
  if (kind !== 'token') return false;
  const token = await db
    .selectFrom('api_tokens')
    .where('id', '=', -id)
    .where('revoked_at', 'is', null)
    .select('expires_at as expiresAt')
    .executeTakeFirst();
  return token !== undefined && !(token.expiresAt && token.expiresAt <= now);
}
