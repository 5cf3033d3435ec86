import type { Db } from '../../../../platform/db/database.ts';
import type { AccountWithLastSeen } from '../accounts/queries.ts';
import { loginNameOf } from '../accounts/service.ts';
import { accountTypes, toUserBasics } from '../present.ts';
import { listAccounts, listGroupBasics, searchPeople } from './queries.ts';

/** More than anyone reads. */
const maxFound = 100;

/** No one for an empty text. */
export const findPeople = async (db: Db, text = ''): Promise<AccountWithLastSeen[]> =>
  text === '' ? [] : searchPeople(db, text, loginNameOf(text), maxFound);

/** Everyone who can have a role: people and service accounts, with public fields only. */
export async function listAccountBasics(db: Db, baseUrl: string) {
  const accounts = await listAccounts(db);
  return accounts.map((account) => ({
    ...toUserBasics(account, baseUrl),
    accountType: accountTypes[account.kind],
  }));
}

export async function listGroups(db: Db) {
  const groups = await listGroupBasics(db);
  return groups.map(({ rootRole, userCount, ...group }) => ({
    ...group,
    userCount: userCount ?? 0,
    ...(rootRole !== null && { rootRole }),
  }));
}
