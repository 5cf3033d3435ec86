import type { Db } from '../../../platform/db/database.ts';

/** Whom a provider means by a person; undefined: none has been asked about them. */
export async function findExternalSubject(db: Db, userId: number): Promise<string | undefined> {
  const found = await db
    .selectFrom('users')
    .where('id', '=', userId)
    .select('external_subject as subject')
    .executeTakeFirst();
  return found?.subject ?? undefined;
}

/** Whether somebody came by an invite link, under an address that nobody has verified. */
export const signedUpThemselves = async (db: Db, userId: number): Promise<boolean> =>
  (await db
    .selectFrom('invite_link_users')
    .where('user_id', '=', userId)
    .select('user_id')
    .executeTakeFirst()) !== undefined;
