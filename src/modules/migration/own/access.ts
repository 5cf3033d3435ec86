import type { Db } from '../../../platform/db/database.ts';
import { grouped } from '../../../platform/grouped.ts';
import { roleIds } from '../../access/gate/index.ts';
import type { ChangeRequestRules } from '../../catalogue/projects/index.ts';
import {
  type AccessDocument,
  type AccountDocument,
  type GroupDocument,
  loginOf,
  type RoleDocument,
  type RulesDocument,
} from '../document.ts';
import { creatorOf, dated } from './creation.ts';

interface OwnAccess {
  readonly accounts: readonly AccountDocument[];
  readonly groups: readonly GroupDocument[];
  readonly roles: readonly RoleDocument[];
  readonly access: ReadonlyMap<string, readonly AccessDocument[]>;
  readonly logins: ReadonlyMap<number, string>;
  readonly rulesOf: (rules: ChangeRequestRules) => RulesDocument;
}

const namedIn = (names: ReadonlyMap<number, string>, ids: readonly number[]): string[] =>
  ids.flatMap((id) => names.get(id) ?? []).sort();

/** Approvers by name. If all of them were deleted, admins: an empty list would let everyone approve. */
function rulesNamedBy(
  {
    users,
    groups,
    roles,
  }: Readonly<Record<'users' | 'groups' | 'roles', ReadonlyMap<number, string>>>,
  { approvers, ...rules }: ChangeRequestRules,
): RulesDocument {
  const named = {
    users: namedIn(users, approvers.users),
    groups: namedIn(groups, approvers.groups),
    roles: namedIn(roles, approvers.roles),
  };
  const isEmpty = (lists: Readonly<Record<string, readonly unknown[]>>) =>
    Object.values(lists).every(({ length }) => length === 0);
  const isLost = isEmpty(named) && !isEmpty(approvers);
  return {
    ...rules,
    approvers: isLost ? { ...named, roles: [roles.get(roleIds.admin) ?? ''] } : named,
  };
}

export async function readAccess(db: Db): Promise<OwnAccess> {
  const roles = await db
    .selectFrom('roles')
    .select(['id', 'name', 'type', 'description'])
    .execute();
  const roleNames = new Map(roles.map(({ id, name }) => [id, name]));
  const permissions = grouped(
    await db
      .selectFrom('role_permissions')
      .select(['role_id', 'permission', 'environment'])
      .orderBy('permission')
      .execute(),
    ({ role_id }) => role_id,
  );
  const users = await db
    .selectFrom('users')
    .where('deleted_at', 'is', null)
    .select(['id', 'kind', 'name', 'username', 'email', 'root_role', 'created_at'])
    .orderBy('id')
    .execute();
  const logins = new Map(users.map((user) => [user.id, loginOf(user)]));
  const groups = await db.selectFrom('groups').selectAll().orderBy('name').execute();
  const groupNames = new Map(groups.map(({ id, name }) => [id, name]));
  const members = grouped(
    await db.selectFrom('group_users').select(['group_id', 'user_id']).execute(),
    ({ group_id }) => group_id,
  );
  const ofUsers = await db
    .selectFrom('project_user_roles')
    .select(['project', 'user_id', 'role_id'])
    .execute();
  const ofGroups = await db
    .selectFrom('project_group_roles')
    .select(['project', 'group_id', 'role_id'])
    .execute();
  const access = [
    ...ofUsers.flatMap(({ project, user_id, role_id }) => {
      const account = logins.get(user_id);
      return account === undefined
        ? []
        : [{ project, role: roleNames.get(role_id) ?? '', account }];
    }),
    ...ofGroups.map(({ project, group_id, role_id }) => ({
      project,
      role: roleNames.get(role_id) ?? '',
      group: groupNames.get(group_id) ?? '',
    })),
  ];
  return {
    roles: roles
      .filter(({ type }) => type === 'custom' || type === 'root-custom')
      .map(({ id, ...role }) => ({
        ...role,
        permissions: (permissions.get(id) ?? []).map(({ permission, environment }) => ({
          name: permission,
          ...(environment !== null && { environment }),
        })),
      })),
    accounts: users.map(({ root_role, ...user }) => ({
      ...dated(user),
      rootRole: roleNames.get(root_role) ?? 'Viewer',
    })),
    groups: groups.map((group) => ({
      name: group.name,
      description: group.description ?? '',
      mappingsSSO: group.mappings_sso,
      rootRole: group.root_role === null ? null : (roleNames.get(group.root_role) ?? null),
      members: (members.get(group.id) ?? [])
        .flatMap(({ user_id }) => logins.get(user_id) ?? [])
        .sort(),
      createdAt: group.created_at.toISOString(),
      createdBy: creatorOf(group.created_by, group.created_by_user_id, logins),
    })),
    logins,
    rulesOf: (rules) =>
      rulesNamedBy({ users: logins, groups: groupNames, roles: roleNames }, rules),
    access: new Map(
      [...grouped(access, ({ project }) => project)].map(([project, own]) => [
        project,
        own.map(({ project: _, ...each }) => each),
      ]),
    ),
  };
}
