import { type AccountDocument, type Installation, loginOf } from './document.ts';

interface Renamed {
  readonly there: string;
  readonly here: string;
}

/** Accounts that an import made or found, and that have another login here than there now. */
export function listRenamed(
  theirs: Installation,
  own: Installation,
  /** Our ids by theirs. */
  ids: ReadonlyMap<number, number>,
): Renamed[] {
  const mine = new Map(own.accounts.map((account) => [account.id, loginOf(account)]));
  const taken = new Set(mine.values());
  return theirs.accounts.flatMap((account) => {
    const there = loginOf(account);
    const here = mine.get(ids.get(account.id) ?? Number.NaN);
    return here === undefined || here === there || taken.has(there) ? [] : [{ there, here }];
  });
}

/** The same installation with the logins that these accounts have here: access and groups name accounts by them. */
export function withLoginsOf(theirs: Installation, renamed: readonly Renamed[]): Installation {
  if (renamed.length === 0) return theirs;
  const logins = new Map(renamed.map(({ there, here }) => [there, here]));
  const own = (login: string) => logins.get(login) ?? login;
  return {
    ...theirs,
    accounts: theirs.accounts.map((account) => {
      const here = logins.get(loginOf(account));
      return here === undefined ? account : { ...account, email: null, username: here };
    }),
    features: theirs.features.map((feature) => {
      const account = feature.createdBy?.account;
      const { owner } = feature;
      return {
        ...feature,
        ...(account !== undefined &&
          logins.has(account) && { createdBy: { name: own(account), account: own(account) } }),
        ...(owner?.type === 'user' && { owner: { type: owner.type, name: own(owner.name) } }),
      };
    }),
    groups: theirs.groups.map((group) => ({ ...group, members: group.members.map(own).sort() })),
    projects: theirs.projects.map((project) => ({
      ...project,
      access: project.access.map((each) =>
        each.account === undefined ? each : { ...each, account: own(each.account) },
      ),
    })),
  };
}

/** Accounts here that an import made or found, and that no one has there any more. */
export function listGone(
  theirs: Installation,
  own: Installation,
  ids: ReadonlyMap<number, number>,
): AccountDocument[] {
  const used = new Set(theirs.accounts.map(({ id }) => ids.get(id)));
  const known = new Set(ids.values());
  const logins = new Set(theirs.accounts.map(loginOf));
  return own.accounts.filter(
    (account) => known.has(account.id) && !used.has(account.id) && !logins.has(loginOf(account)),
  );
}
