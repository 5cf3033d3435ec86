import { sql } from 'kysely';
import type { Db, Tx } from '../../../../platform/db/database.ts';
import { roleIds } from '../../gate/index.ts';

/** Accounts with the Admin role, directly or through a group. */
const selectAdministrators = (db: Db) =>
  db
    .selectFrom('users')
    .where('users.deleted_at', 'is', null)
    .where(({ eb, or, exists, selectFrom }) =>
      or([
        eb('users.root_role', '=', roleIds.admin),
        exists(
          selectFrom('group_users')
            .innerJoin('groups', 'groups.id', 'group_users.group_id')
            .whereRef('group_users.user_id', '=', 'users.id')
            .where('groups.root_role', '=', roleIds.admin)
            .select('groups.id'),
        ),
      ]),
    );

export async function isAdministrator(db: Db, id: number): Promise<boolean> {
  const found = await selectAdministrators(db)
    .where('users.id', '=', id)
    .select('users.id')
    .executeTakeFirst();
  return found !== undefined;
}

export async function hasAdministrator(db: Db): Promise<boolean> {
  const found = await selectAdministrators(db)
    .where('users.kind', '=', 'person')
    .select('users.id')
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** People with the Admin role, ordered by id. */
export const listAdministrators = (db: Db, limit: number) =>
  selectAdministrators(db)
    .where('users.kind', '=', 'person')
    .select(['users.id', 'users.name', 'users.username'])
    .orderBy('users.id')
    .limit(limit)
    .execute();

export const hasPerson = async (db: Db): Promise<boolean> =>
  (await db
    .selectFrom('users')
    .where('kind', '=', 'person')
    .where('deleted_at', 'is', null)
    .select('id')
    .limit(1)
    .executeTakeFirst()) !== undefined;

/**
 * Serialises all changes that can take away the Admin role or the owner of a project: deleting an account, changing its
 * role, changing a group, changing the access to a project. Take this lock before reading anything that decides such a
 * change. There is one lock for all of them, because two changes together can lose an owner: one hands a project to a
 * group while the other deletes its only member. Such changes are rare, and assigning a role does not wait.
 */
export const lockAdminAndOwnerRoles = (tx: Tx) =>
  tx.db
    .selectFrom('roles')
    .where('id', 'in', [roleIds.admin, roleIds.owner])
    .select('id')
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();

export interface AdminCount {
  readonly password: number;
  readonly noPassword: number;
  readonly service: number;
}

export const countAdministrators = (db: Db): Promise<AdminCount> =>
  selectAdministrators(db)
    .select([
      sql<number>`count(*) filter (where kind = 'person' and password_hash is not null)`.as(
        'password',
      ),
      sql<number>`count(*) filter (where kind = 'person' and password_hash is null)`.as(
        'noPassword',
      ),
      sql<number>`count(*) filter (where kind = 'service account')`.as('service'),
    ])
    .executeTakeFirstOrThrow();
