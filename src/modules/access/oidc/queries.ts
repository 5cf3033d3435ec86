import type { Db } from '../../../platform/db/database.ts';

/** Undefined if the person has never signed in through the provider. */
export async function findExternalSubject(db: Db, userId: number): Promise<string | undefined> {
  const found = await db
    .selectFrom('users')
    .where('id', '=', userId)
    .select('external_subject as subject')
    .executeTakeFirst();
  return found?.subject ?? undefined;
}

/** Whether the person signed up by an invite link, so that no one has verified their address. */
export const hasSignedUpByInvite = async (db: Db, userId: number): Promise<boolean> =>
  (await db
    .selectFrom('invite_link_users')
    .where('user_id', '=', userId)
    .select('user_id')
    .executeTakeFirst()) !== undefined;
