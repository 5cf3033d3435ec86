import { sql } from 'kysely';
import type { Db } from '../../../../platform/db/database.ts';
import { type SeenAccount, selectAccounts } from '../accounts/queries.ts';

export const listPeople = (db: Db): Promise<SeenAccount[]> =>
  selectAccounts(db).where('users.kind', '=', 'person').orderBy('users.id').execute();

export const listPeopleOf = (db: Db, ids: readonly number[]): Promise<SeenAccount[]> =>
  selectAccounts(db)
    .where('users.kind', '=', 'person')
    .where(sql<boolean>`users.id = any(${ids}::int[])`)
    .execute();

export const listAccounts = (db: Db): Promise<SeenAccount[]> =>
  selectAccounts(db).orderBy('users.id').execute();

const literal = (text: string) => text.replace(/[\\%_]/g, (sign) => `\\${sign}`);

/** People whose name, user name or address contains the text; who is called exactly so comes first. */
export const searchPeople = (
  db: Db,
  text: string,
  loginName: string,
  limit: number,
): Promise<SeenAccount[]> => {
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

/** Whoever was neither created nor seen since. */
export const listNotSeenSince = (db: Db, before: Date): Promise<SeenAccount[]> =>
  selectInactive(db, before).orderBy('users.id').execute();

/** Every group, with how many living accounts are in it. */
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
