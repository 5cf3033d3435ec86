import { nameOfAccount, noteOfAccount } from './access/account-words.ts';

interface Account {
  readonly id: number;
  readonly name?: string | undefined;
  readonly username?: string | undefined;
  readonly email?: string | undefined;
}

interface NameEntry<Id> {
  readonly id: Id;
  readonly name: string;
}

interface Names {
  readonly users?: readonly Account[] | undefined;
  readonly groups?: readonly NameEntry<number>[] | undefined;
  readonly roles?: readonly NameEntry<number>[] | undefined;
  readonly projects?: readonly NameEntry<string>[] | undefined;
}

/** The same in every installation, so they need no request. */
const builtInRoles: readonly NameEntry<number>[] = [
  'Admin',
  'Editor',
  'Viewer',
  'Owner',
  'Member',
].map((name, index) => ({ id: index + 1, name }));

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
  readonly role: (id: number) => string | undefined;
  readonly project: (id: string) => string | undefined;
}

const namesOf = <Id>(things: readonly NameEntry<Id>[]) => {
  const names = new Map(things.map(({ id, name }) => [id, name]));
  return (id: Id) => names.get(id);
};

export function directoryOf({
  users = [],
  groups = [],
  roles = [],
  projects = [],
}: Names): Directory {
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
  return {
    users: named,
    user: (id) =>
      id === systemId ? system : id === null || id === undefined ? undefined : byId.get(id),
    userBySignIn: (text) => (text === system.note ? system : bySignIn.get(text.toLowerCase())),
    group: namesOf(groups),
    role: namesOf([...builtInRoles, ...roles]),
    project: namesOf(projects),
  };
}

export const emptyDirectory = directoryOf({});

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

type Kind = 'user' | 'group' | 'role' | 'project';

/** Keys of event data whose values are ids: what they identify, and the key to show. */
const idKeys: Readonly<Record<string, readonly [kind: Kind, shown: string]>> = {
  userId: ['user', 'user'],
  users: ['user', 'users'],
  userIds: ['user', 'users'],
  reviewers: ['user', 'reviewers'],
  approvedBy: ['user', 'approvedBy'],
  groupId: ['group', 'group'],
  groups: ['group', 'groups'],
  groupIds: ['group', 'groups'],
  roleId: ['role', 'role'],
  roles: ['role', 'roles'],
  rootRole: ['role', 'rootRole'],
  project: ['project', 'project'],
  projectId: ['project', 'project'],
  projects: ['project', 'projects'],
  oldProject: ['project', 'oldProject'],
  newProject: ['project', 'newProject'],
};

/** Keys of event data that have the names of other keys, as they were when the event was recorded. */
const nameKeys: Readonly<Record<string, string>> = {
  userName: 'userId',
  groupName: 'groupId',
  groupNames: 'groupIds',
  roleName: 'roleId',
  roleNames: 'roles',
  segmentNames: 'segments',
};

function nameOf(id: unknown, kind: Kind, directory: Directory): string | undefined {
  if (kind === 'project') return typeof id === 'string' ? directory.project(id) : undefined;
  if (typeof id !== 'number') return undefined;
  return kind === 'user' ? directory.user(id)?.name : directory[kind](id);
}

/** The parameter `groupId` of a strategy, for example, is a text. */
const isId = (value: unknown, kind: Kind): boolean =>
  Array.isArray(value)
    ? value.every((each) => isId(each, kind))
    : typeof value === (kind === 'project' ? 'string' : 'number');

/** Event data for people: names instead of ids, and only once where the event has both. */
export function withNames(value: unknown, directory: Directory, key = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => withNames(item, directory, key));
  if (typeof value !== 'object' || value === null) {
    const [kind] = idKeys[key] ?? [];
    return (kind && nameOf(value, kind, directory)) ?? value;
  }
  const fields = value as Readonly<Record<string, unknown>>;
  if (key === 'owner' && (fields.type === 'user' || fields.type === 'group')) {
    return nameOf(fields.id, fields.type, directory) ?? fields.name ?? value;
  }
  const recorded = new Map(
    Object.entries(nameKeys).flatMap(([nameKey, idKey]) =>
      fields[nameKey] && idKey in fields ? [[idKey, fields[nameKey]]] : [],
    ),
  );
  return Object.fromEntries(
    Object.entries(fields).flatMap(([inner, each]) => {
      if (recorded.has(nameKeys[inner] ?? '')) return [];
      // The roles of a project, with who has them.
      const idKey = key === 'roles' && inner === 'id' ? 'roleId' : inner;
      const [kind, shown] = idKeys[inner] ?? [];
      return [
        [
          kind && shown && isId(each, kind) ? shown : inner,
          recorded.get(inner) ?? withNames(each, directory, idKey),
        ],
      ];
    }),
  );
}
