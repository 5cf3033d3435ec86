import { type SqlBool, sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { Db, Tx } from '../../../../platform/db/database.ts';
import { erasedName } from '../../../events/index.ts';

/** Administrators refer to a link by id, new users by its secret. */
export type LinkName = { readonly id: number } | { readonly hash: Buffer };

const named = (name: LinkName) =>
  'id' in name
    ? sql<SqlBool>`invite_links.id = ${name.id}`
    : sql<SqlBool>`invite_links.secret_hash = ${name.hash}`;

const columns = [
  'invite_links.id',
  'invite_links.name',
  'invite_links.enabled',
  'invite_links.expires_at as expiresAt',
  'invite_links.created_at as createdAt',
  'invite_links.created_by as createdBy',
  'invite_links.created_by_user_id as createdByUserId',
  'roles.id as roleId',
  'roles.name as roleName',
  'roles.type as roleType',
  'roles.description as roleDescription',
] as const;

const selectLinks = (db: Db) =>
  db
    .selectFrom('invite_links')
    .innerJoin('roles', 'roles.id', 'invite_links.role_id')
    .select(columns)
    .select(({ selectFrom }) =>
      jsonArrayFrom(
        selectFrom('invite_link_users')
          .innerJoin('users', 'users.id', 'invite_link_users.user_id')
          .whereRef('invite_link_users.link_id', '=', 'invite_links.id')
          .where('users.deleted_at', 'is', null)
          .select(['users.id', 'users.name', 'users.username', 'users.email'])
          .orderBy('users.id'),
      ).as('users'),
    );

export type StoredLink = Awaited<ReturnType<typeof listLinks>>[number];

export const listLinks = (db: Db) => selectLinks(db).orderBy('invite_links.id', 'desc').execute();

export const findLink = (db: Db, name: LinkName) =>
  selectLinks(db).where(named(name)).executeTakeFirst();

export const lockLink = (tx: Tx, name: LinkName) =>
  tx.db.selectFrom('invite_links').where(named(name)).select('id').forUpdate().executeTakeFirst();

/** A link that can be used now. Locked until the end of the transaction. */
export const lockUsableLink = (tx: Tx, hash: Buffer) =>
  tx.db
    .selectFrom('invite_links')
    .where('secret_hash', '=', hash)
    .where('enabled', '=', true)
    .where('expires_at', '>', tx.now)
    .select(['id', 'name', 'role_id as roleId'])
    .forShare()
    .executeTakeFirst();

export async function isUsable(db: Db, hash: Buffer, now: Date): Promise<boolean> {
  const found = await db
    .selectFrom('invite_links')
    .where('secret_hash', '=', hash)
    .where('enabled', '=', true)
    .where('expires_at', '>', now)
    .select('id')
    .executeTakeFirst();
  return found !== undefined;
}

interface NewLink {
  readonly secretHash: Buffer;
  readonly name: string;
  readonly roleId: number;
  readonly expiresAt: Date;
}

export async function insertLink(tx: Tx, link: NewLink): Promise<number> {
  const { id } = await tx.db
    .insertInto('invite_links')
    .values({
      secret_hash: link.secretHash,
      name: link.name,
      role_id: link.roleId,
      enabled: true,
      created_at: tx.now,
      created_by: tx.actor.name,
      created_by_user_id: tx.actor.id,
      expires_at: link.expiresAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export const updateLink = (
  tx: Tx,
  { id, enabled, expiresAt }: Pick<StoredLink, 'id' | 'enabled' | 'expiresAt'>,
) =>
  tx.db
    .updateTable('invite_links')
    .set({ enabled, expires_at: expiresAt })
    .where('id', '=', id)
    .execute();

export const insertLinkUser = (tx: Tx, linkId: number, userId: number) =>
  tx.db
    .insertInto('invite_link_users')
    .values({ link_id: linkId, user_id: userId, joined_at: tx.now })
    .execute();

/** Erases the name of the creator. The id stays. */
export const updateForgottenCreator = (tx: Tx, userId: number) =>
  tx.db
    .updateTable('invite_links')
    .set({ created_by: erasedName })
    .where('created_by_user_id', '=', userId)
    .execute();
