import { type Kysely, sql } from 'kysely';
import type { Database, Db, Tx } from '../../../../platform/db/database.ts';
import { deleteInBatches } from '../../../../platform/db/in-batches.ts';

export type LinkPurpose = 'invitation' | 'reset';

interface NewLink {
  readonly secretHash: Buffer;
  readonly userId: number;
  readonly purpose: LinkPurpose;
  readonly expiresAt: Date;
}

export const insertPasswordLink = (tx: Tx, link: NewLink) =>
  tx.db
    .insertInto('password_links')
    .values({
      secret_hash: link.secretHash,
      user_id: link.userId,
      purpose: link.purpose,
      created_by_user_id: tx.actor.id > 0 ? tx.actor.id : null,
      created_by: tx.actor.id > 0 ? null : tx.actor.name,
      created_at: tx.now,
      expires_at: link.expiresAt,
    })
    .execute();

/** A link that has not expired, of a person who is not deleted. */
export const findValidLink = (db: Db, secretHash: Buffer, now: Date) =>
  db
    .selectFrom('password_links')
    .innerJoin('users', 'users.id', 'password_links.user_id')
    .where('secret_hash', '=', secretHash)
    .where('expires_at', '>', now)
    .where('users.deleted_at', 'is', null)
    .leftJoin('users as author', 'author.id', 'password_links.created_by_user_id')
    .select([
      'user_id as userId',
      'purpose',
      'expires_at as expiresAt',
      sql<string | null>`coalesce(author.email, author.username, password_links.created_by)`.as(
        'createdBy',
      ),
    ])
    .executeTakeFirst();

/** Of several concurrent requests with one link only one gets it. */
export const deletePasswordLink = (tx: Tx, secretHash: Buffer) =>
  tx.db
    .deleteFrom('password_links')
    .where('secret_hash', '=', secretHash)
    .returning(['user_id as userId', 'purpose', 'expires_at as expiresAt'])
    .executeTakeFirst();

export const deletePasswordLinksOf = (tx: Tx, userId: number) =>
  tx.db.deleteFrom('password_links').where('user_id', '=', userId).execute();

export const deleteOldPasswordLinks = (db: Kysely<Database>, now: Date) =>
  deleteInBatches(db, 'password_links', sql`expires_at <= ${now}`);
