import { sql } from 'kysely';
import type { Db, Tx } from '../../../../platform/db/database.ts';

export type AccountKind = 'person' | 'service account';

/** An account that is not deleted, without its password. */
export interface StoredAccount {
  readonly id: number;
  readonly kind: AccountKind;
  readonly name: string;
  readonly username: string | null;
  readonly email: string | null;
  readonly rootRole: number;
  readonly externalSubject: string | null;
  readonly passwordChangedAt: Date | null;
  readonly createdAt: Date;
}

const columns = [
  'users.id',
  'users.kind',
  'users.name',
  'users.username',
  'users.email',
  'users.root_role as rootRole',
  'users.external_subject as externalSubject',
  'users.password_changed_at as passwordChangedAt',
  'users.created_at as createdAt',
] as const;

export type AccountWithLastSeen = StoredAccount & { readonly seenAt: Date | null };

/** Accounts that are not deleted. */
export const selectAccounts = (db: Db) =>
  db
    .selectFrom('users')
    .leftJoin('last_seen', (join) =>
      join.onRef('last_seen.id', '=', 'users.id').on('last_seen.kind', '=', 'account'),
    )
    .where('users.deleted_at', 'is', null)
    .select([...columns, 'last_seen.seen_at as seenAt']);

export const findActiveAccount = (db: Db, id: number): Promise<AccountWithLastSeen | undefined> =>
  selectAccounts(db).where('users.id', '=', id).executeTakeFirst();

/** Locks the account until the end of the transaction. */
export const lockAccount = (tx: Tx, id: number): Promise<StoredAccount | undefined> =>
  tx.db
    .selectFrom('users')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .select(columns)
    .forNoKeyUpdate()
    .executeTakeFirst();

export interface NewAccount {
  /** An id that was reserved before; otherwise the next one. */
  readonly id?: number;
  readonly kind: AccountKind;
  readonly name: string;
  readonly username: string | null;
  readonly email: string | null;
  readonly rootRole: number;
  readonly passwordHash: string | null;
  readonly externalSubject: string | null;
}

export async function insertAccount(tx: Tx, account: NewAccount): Promise<number> {
  const { id } = await tx.db
    .insertInto('users')
    .values({
      ...(account.id !== undefined && { id: account.id }),
      kind: account.kind,
      name: account.name,
      username: account.username,
      email: account.email,
      password_hash: account.passwordHash,
      password_changed_at: account.passwordHash === null ? null : tx.now,
      external_subject: account.externalSubject,
      root_role: account.rootRole,
      created_at: tx.now,
      deleted_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export const updateAccount = (
  tx: Tx,
  id: number,
  account: Pick<StoredAccount, 'name' | 'username' | 'email' | 'rootRole'>,
) =>
  tx.db
    .updateTable('users')
    .set({
      name: account.name,
      username: account.username,
      email: account.email,
      root_role: account.rootRole,
    })
    .where('id', '=', id)
    .execute();

export const updatePassword = (tx: Tx, id: number, hash: string | null) =>
  tx.db
    .updateTable('users')
    .set({ password_hash: hash, password_changed_at: tx.now })
    .where('id', '=', id)
    .execute();

export const updateExternalSubject = (tx: Tx, id: number, subject: string | null) =>
  tx.db.updateTable('users').set({ external_subject: subject }).where('id', '=', id).execute();

/** The row stays, because others refer to its id. Everything personal is removed. */
export const updateErased = (tx: Tx, id: number) =>
  tx.db
    .updateTable('users')
    .set({
      name: '',
      username: null,
      email: null,
      password_hash: null,
      password_changed_at: null,
      external_subject: null,
      deleted_at: sql`coalesce(deleted_at, ${tx.now})`,
    })
    .where('id', '=', id)
    .execute();

export const insertLoginNames = (tx: Tx, userId: number, names: readonly string[]) =>
  tx.db
    .insertInto('login_names')
    .values(names.map((name) => ({ name, user_id: userId })))
    .execute();

export const deleteLoginNames = (tx: Tx, userId: number) =>
  tx.db.deleteFrom('login_names').where('user_id', '=', userId).execute();

const signInColumns = [
  'users.id',
  'users.name',
  'users.username',
  'users.email',
  'users.root_role as rootRole',
  'users.password_hash as passwordHash',
] as const;

const selectPeople = (db: Db) =>
  db
    .selectFrom('users')
    .where('users.kind', '=', 'person')
    .where('users.deleted_at', 'is', null)
    .select(signInColumns);

export const findPersonByLogin = (db: Db, name: string) =>
  selectPeople(db)
    .innerJoin('login_names', 'login_names.user_id', 'users.id')
    .where('login_names.name', '=', name)
    .executeTakeFirst();

/** The person with this account at the OpenID Connect provider. */
export const findPersonByExternalSubject = (db: Db, subject: string) =>
  selectPeople(db).where('users.external_subject', '=', subject).executeTakeFirst();
