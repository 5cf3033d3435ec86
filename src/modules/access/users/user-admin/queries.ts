import { sql } from 'kysely';
import type { Db } from '../../../../platform/db/database.ts';
import { type AccountWithLastSeen, selectAccounts } from '../accounts/queries.ts';

export const listPeople = (db: Db): Promise<AccountWithLastSeen[]> =>
  selectAccounts(db).where('users.kind', '=', 'person').orderBy('users.id').execute();

export const listPeopleOf = (db: Db, ids: readonly number[]): Promise<AccountWithLastSeen[]> =>
  selectAccounts(db)
    .where('users.kind', '=', 'person')
    .where(sql<boolean>`users.id = any(${ids}::int[])`)
    .execute();

export const listAccounts = (db: Db): Promise<AccountWithLastSeen[]> =>
  selectAccounts(db).orderBy('users.id').execute();

const literal = (text: string) => text.replace(/[\\%_]/g, (sign) => `\\${sign}`);

/** People whose name, user name or e-mail address contains the text. Exact login names come first. */
export const searchPeople = (
  db: Db,
  text: string,
  loginName: string,
  limit: number,
): Promise<AccountWithLastSeen[]> => {
  const pattern = `%${literal(text)}%`;
  return selectAccounts(db)
    .where('users.kind', '=', 'person')
    .where(({ eb, or }) =>
      or([
        eb('users.name', 'ilike', pattern),
        eb('users.username', 'ilike', pattern),
        eb('users.email', 'ilike', pattern),
      ]),
    )
    .orderBy(
      ({ exists, selectFrom }) =>
        exists(
          selectFrom('login_names')
            .whereRef('login_names.user_id', '=', 'users.id')
            .where('login_names.name', '=', loginName)
            .select('login_names.user_id'),
        ),
      'desc',
    )
    .orderBy('users.id')
    .limit(limit)
    .execute();
};

const selectInactive = (db: Db, before: Date) =>
  selectAccounts(db)
    .where('users.kind', '=', 'person')
    .where(sql<Date>`greatest(users.created_at, last_seen.seen_at)`, '<', before);

/** Neither created nor seen since. */
export const listNotSeenSince = (db: Db, before: Date): Promise<AccountWithLastSeen[]> =>
  selectInactive(db, before).orderBy('users.id').execute();

/** All groups with the number of their members who are not deleted. */
export const listGroupBasics = (db: Db) =>
  db
    .selectFrom('groups')
    .select((select) => [
      'groups.id',
      'groups.name',
      'groups.description',
      'groups.root_role as rootRole',
      select
        .selectFrom('group_users')
        .innerJoin('users', 'users.id', 'group_users.user_id')
        .whereRef('group_users.group_id', '=', 'groups.id')
        .where('users.deleted_at', 'is', null)
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .as('userCount'),
    ])
    .orderBy('groups.name')
    .execute();
