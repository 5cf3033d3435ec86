import type { Db } from '../../../../platform/db/database.ts';
import type { SeenAccount } from '../accounts/queries.ts';
import { loginNameOf } from '../accounts/service.ts';
import { accountTypes, basicsAnswer } from '../answer.ts';
import { listAccounts, listGroupBasics, searchPeople } from './queries.ts';

/** More than anybody looks through. */
const maxFound = 100;

/** Whoever has not typed anything yet is shown nobody. */
export const findPeople = async (db: Db, text = ''): Promise<SeenAccount[]> =>
  text === '' ? [] : searchPeople(db, text, loginNameOf(text), maxFound);

/** Who can be given a role: people and service accounts, as everybody may know them. */
export async function listEverybody(db: Db, baseUrl: string) {
  const accounts = await listAccounts(db);
  return accounts.map((account) => ({
    ...basicsAnswer(account, baseUrl),
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
