import type { Db, Tx } from '../../../platform/db/database.ts';

export async function findPasswordHash(db: Db, userId: number): Promise<string | null> {
  const found = await db
    .selectFrom('users')
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .select('password_hash as passwordHash')
    .executeTakeFirst();
  return found?.passwordHash ?? null;
}

/** The password hash of a person who is not deleted, locked until the end of the transaction. */
export const lockPasswordHash = (tx: Tx, userId: number) =>
  tx.db
    .selectFrom('users')
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .select('password_hash as passwordHash')
    // The same lock as for a change, so that two transactions that go on to change it do not deadlock.
    .forNoKeyUpdate()
    .executeTakeFirst();

export const findRoleOf = (db: Db, userId: number) =>
  db
    .selectFrom('users')
    .innerJoin('roles', 'roles.id', 'users.root_role')
    .where('users.id', '=', userId)
    .select(['roles.id', 'roles.name', 'roles.type', 'roles.description'])
    .executeTakeFirstOrThrow();

/** Whether an account was ever used, also one that is deleted now. */
export async function hasAnyoneSignedIn(db: Db): Promise<boolean> {
  const found = await db
    .selectFrom('last_seen')
    .where('kind', '=', 'account')
    .select('id')
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}
