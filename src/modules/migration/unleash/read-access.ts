import {
  type AccountDocument,
  type GroupDocument,
  loginOf,
  type RoleDocument,
} from '../document.ts';
import type { ReadingClient } from './client.ts';
import {
  creatorNamed,
  type Json,
  listIn,
  listOf,
  numberOf,
  objectOf,
  textOf,
  textOrNull,
  textsOf,
} from './plain.ts';

export interface Access {
  readonly roles: readonly RoleDocument[];
  readonly accounts: readonly AccountDocument[];
  readonly groups: readonly GroupDocument[];
  readonly roleNames: ReadonlyMap<number, string>;
  readonly logins: ReadonlyMap<number, string>;
  readonly groupNames: ReadonlyMap<number, string>;
}

/** Groups, custom roles and service accounts exist in the enterprise edition only. */
export async function readAccess(client: ReadingClient): Promise<Access> {
  const [people, roleList, groupList, machines] = await Promise.all([
    client.get('/api/admin/user-admin'),
    client.find('/api/admin/roles'),
    client.find('/api/admin/groups'),
    client.find('/api/admin/service-account'),
  ]);
  const listed = [...listOf(objectOf(people).rootRoles), ...listOf(objectOf(roleList).roles)];
  const roleNames = new Map(listed.map(({ id, name }) => [Number(id), textOf(name)]));
  const roles: RoleDocument[] = [];
  for (const { id, name, type, description } of listOf(objectOf(roleList).roles)) {
    if (type !== 'custom' && type !== 'root-custom') continue;
    const { permissions } = objectOf(await client.get(`/api/admin/roles/${Number(id)}`));
    roles.push({
      name: textOf(name),
      type,
      description: textOf(description),
      permissions: listOf(permissions).map((permission) => ({
        name: textOf(permission.name),
        ...(textOrNull(permission.environment) !== null && {
          environment: textOf(permission.environment),
        }),
      })),
    });
  }
  const accountOf =
    (kind: AccountDocument['kind']) =>
    ({ id, name, username, email, rootRole, createdAt }: Json): AccountDocument => ({
      id: numberOf(id, 0),
      kind,
      name: textOf(name),
      username: textOrNull(username),
      email: textOrNull(email),
      rootRole: roleNames.get(Number(rootRole)) ?? 'Viewer',
      createdAt: textOrNull(createdAt),
    });
  const humans = listIn(people, 'users');
  const serviceAccounts = listOf(objectOf(machines).serviceAccounts);
  const accounts = [
    ...humans.map(accountOf('person')),
    ...serviceAccounts.map(accountOf('service account')),
  ];
  const logins = new Map(accounts.map((account) => [account.id, loginOf(account)]));
  const rawGroups = listOf(objectOf(groupList).groups);
  const groups = rawGroups.map(
    ({ name, description, mappingsSSO, rootRole, users, createdAt, createdBy }): GroupDocument => ({
      name: textOf(name),
      description: textOf(description),
      mappingsSSO: textsOf(mappingsSSO),
      rootRole: roleNames.get(Number(rootRole)) ?? null,
      members: listOf(users)
        .flatMap(({ user }) => logins.get(Number(objectOf(user).id)) ?? [])
        .sort(),
      createdAt: textOrNull(createdAt),
      ...creatorNamed(createdBy),
    }),
  );
  const groupNames = new Map(rawGroups.map(({ id, name }) => [Number(id), textOf(name)]));
  return { roles, accounts, groups, roleNames, logins, groupNames };
}
