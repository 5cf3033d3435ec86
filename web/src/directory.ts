import { nameOfAccount, noteOfAccount } from './access/account-words.ts';

interface Account {
  readonly id: number;
  readonly name?: string | undefined;
  readonly username?: string | undefined;
  readonly email?: string | undefined;
}

interface Accounts {
  readonly users: readonly Account[];
  readonly groups: readonly { readonly id: number; readonly name: string }[];
}

interface NamedUser {
  readonly id: number;
  readonly name: string;
  /** The email address or username, if it is not the name. */
  readonly note: string;
}

/** The actor of background work in events. */
export const systemId = -1337;

export const system: NamedUser = { id: systemId, name: 'System', note: 'burgee-system' };

/** Resolves the ids and addresses in events to names. */
export interface Directory {
  readonly users: readonly NamedUser[];
  readonly user: (id: number | null | undefined) => NamedUser | undefined;
  /** By email address or username; also the system by the name it has in events. */
  readonly userBySignIn: (text: string) => NamedUser | undefined;
  readonly group: (id: number) => string | undefined;
}

export function directoryOf({ users, groups }: Accounts): Directory {
  const named = users.map((user) => ({
    id: user.id,
    name: nameOfAccount(user),
    note: noteOfAccount(user),
  }));
  const byId = new Map(named.map((user) => [user.id, user]));
  const bySignIn = new Map(
    users.flatMap(({ id, email, username }) =>
      [email, username].flatMap((text) =>
        text ? [[text.toLowerCase(), byId.get(id) as NamedUser] as const] : [],
      ),
    ),
  );
  const groupNames = new Map(groups.map(({ id, name }) => [id, name]));
  return {
    users: named,
    user: (id) =>
      id === systemId ? system : id === null || id === undefined ? undefined : byId.get(id),
    userBySignIn: (text) => (text === system.note ? system : bySignIn.get(text.toLowerCase())),
    group: (id) => groupNames.get(id),
  };
}

export const emptyDirectory = directoryOf({ users: [], groups: [] });

interface Recorded {
  readonly createdBy: string;
  readonly createdByUserId?: number | null;
}

/** The name of the user who did something; tokens, deleted users and the system as they were recorded. */
export const actorName = (
  { createdBy, createdByUserId }: Recorded,
  { user }: Directory,
): { readonly name: string; readonly note: string } =>
  user(createdByUserId) ?? { name: createdBy, note: '' };

/** Keys of event data whose values are ids, and what they identify. */
const idKeys: Readonly<Record<string, 'user' | 'group'>> = {
  userId: 'user',
  users: 'user',
  userIds: 'user',
  groupId: 'group',
  groups: 'group',
  groupIds: 'group',
};

/** Event data with names instead of the ids of users and groups. */
export function withNames(value: unknown, directory: Directory, key = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => withNames(item, directory, key));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([inner, each]) => [inner, withNames(each, directory, inner)]),
    );
  }
  if (typeof value !== 'number') return value;
  if (idKeys[key] === 'user') return directory.user(value)?.name ?? value;
  if (idKeys[key] === 'group') return directory.group(value) ?? value;
  return value;
}
