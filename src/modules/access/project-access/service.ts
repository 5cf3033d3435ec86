import type { Tx } from '../../../platform/db/database.ts';
import { record } from '../../events/index.ts';
import { roleIds } from '../gate/index.ts';
import { insertAssignments, upsertAccessChange } from './assignment-queries.ts';
import {
  belongsTo,
  groupByRole,
  type RoleAssignment,
  type RoleHolder,
  rolesOf,
} from './assignments.ts';
import { changeAccess, lockAccess } from './change.ts';
import type { AddAccess, SetAccess } from './contract.ts';
import {
  type AddedRole,
  groupRolesDeleted,
  groupRolesUpdated,
  projectAccessAdded,
  projectAccessUpdated,
  userRolesDeleted,
  userRolesUpdated,
} from './events.ts';
import { lockGroups, lockRoles } from './existing-queries.ts';
import type { AddToRole } from './one-role/contract.ts';
import { getHolder, getRole, requireExisting, withPaths } from './role-input.ts';

const assignmentsOf = (
  role: number,
  { groups = [], users = [] }: { groups?: readonly number[]; users?: readonly number[] },
): RoleAssignment[] => [
  ...groups.map((id) => ({ kind: 'group' as const, id, role })),
  ...users.map((id) => ({ kind: 'user' as const, id, role })),
];

const nameOf = (
  named: readonly { readonly id: number; readonly name: string }[],
  id: number,
): string => named.find((each) => each.id === id)?.name ?? String(id);

/** The new roles with the names that the sentence needs. */
async function namedAccess(tx: Tx, added: readonly RoleAssignment[]) {
  const byRole = groupByRole(added);
  const roles = await lockRoles(
    tx,
    byRole.map(({ role }) => role),
  );
  const groups = await lockGroups(
    tx,
    byRole.flatMap(({ groups: ids }) => ids),
  );
  const users = [...new Set(byRole.flatMap(({ users: ids }) => ids))];
  const [userId] = users;
  return {
    roles: byRole.map(
      ({ role, groups: groupIds, users: userIds }): AddedRole => ({
        roleId: role,
        roleName: nameOf(roles, role),
        groupIds,
        groupNames: groupIds.map((id) => nameOf(groups, id)),
        userIds,
      }),
    ),
    ...(users.length === 1 && userId !== undefined
      ? { userId, userName: (await getHolder(tx, 'user', userId)).name }
      : {}),
  };
}

/** Assigns each role to all users and groups. Records what is new. */
export async function addRoles(
  tx: Tx,
  project: string,
  { roles, groups, users }: AddAccess,
): Promise<void> {
  await lockAccess(tx, project);
  await requireExisting(tx, {
    roles: withPaths(roles, '/body/roles'),
    groups: withPaths(groups, '/body/groups'),
    users: withPaths(users, '/body/users'),
  });
  const requested = roles.flatMap((role) => assignmentsOf(role, { groups, users }));
  const { added } = await changeAccess(tx, project, (before) => [...before, ...requested]);
  if (added.length === 0) return;
  record(tx, projectAccessAdded({ project, data: await namedAccess(tx, added) }));
}

export async function addToRole(
  tx: Tx,
  project: string,
  roleId: number,
  { groups, users }: AddToRole,
): Promise<void> {
  await lockAccess(tx, project);
  const role = await getRole(tx, roleId);
  const withIdPaths = (list: AddToRole['users'], path: string) =>
    list.map(({ id }, index) => ({ id, path: `${path}/${index}/id` }));
  await requireExisting(tx, {
    roles: [],
    groups: withIdPaths(groups, '/body/groups'),
    users: withIdPaths(users, '/body/users'),
  });
  const requested = assignmentsOf(role.id, {
    groups: groups.map(({ id }) => id),
    users: users.map(({ id }) => id),
  });
  const { added } = await changeAccess(tx, project, (before) => [...before, ...requested]);
  const {
    roles: [roles],
    ...user
  } = await namedAccess(tx, added);
  if (roles) record(tx, projectAccessAdded({ project, data: { roles, ...user } }));
}

/** The creator of a project is its first owner, whatever else they may do. */
export async function makeOwner(tx: Tx, project: string, userId: number): Promise<void> {
  const owner: RoleAssignment = { kind: 'user', id: userId, role: roleIds.owner };
  await insertAssignments(tx, project, [owner]);
  await upsertAccessChange(tx, project);
  record(tx, projectAccessAdded({ project, data: await namedAccess(tx, [owner]) }));
}

export async function setAccess(tx: Tx, project: string, { roles }: SetAccess): Promise<void> {
  await lockAccess(tx, project);
  const path = '/body/roles';
  await requireExisting(tx, {
    roles: roles.map(({ id }, index) => ({ id, path: `${path}/${index}/id` })),
    groups: roles.flatMap(({ groups = [] }, index) => withPaths(groups, `${path}/${index}/groups`)),
    users: roles.flatMap(({ users = [] }, index) => withPaths(users, `${path}/${index}/users`)),
  });
  const requested = roles.flatMap(({ id, ...holders }) => assignmentsOf(id, holders));
  const { before, after } = await changeAccess(tx, project, () => requested);
  const toEventData = (assignments: readonly RoleAssignment[]) => ({
    roles: groupByRole(assignments).map(({ role, groups, users }) => ({ id: role, groups, users })),
  });
  record(
    tx,
    projectAccessUpdated({ project, data: toEventData(after), preData: toEventData(before) }),
  );
}

interface HolderInProject {
  readonly project: string;
  readonly kind: RoleHolder['kind'];
  /** The id of the user or group. */
  readonly holder: number;
}

/** Lists roles by id and by name. */
async function roleNamer(tx: Tx, ids: readonly number[]) {
  const roles = await lockRoles(tx, [...new Set(ids)]);
  return (held: readonly number[]) => ({
    roles: held,
    roleNames: held.map((id) => nameOf(roles, id)),
  });
}

export async function setRoles(
  tx: Tx,
  { project, kind, holder: id }: HolderInProject,
  roles: readonly number[],
): Promise<void> {
  await lockAccess(tx, project);
  const holder = await getHolder(tx, kind, id);
  await requireExisting(tx, { roles: withPaths(roles, '/body/roles'), groups: [], users: [] });
  const { before, after } = await changeAccess(tx, project, (held) => [
    ...held.filter((each) => !belongsTo(holder)(each)),
    ...roles.map((role) => ({ kind, id, role })),
  ]);
  const [rolesBefore, rolesAfter] = [rolesOf(before, holder), rolesOf(after, holder)];
  const rolesFact = await roleNamer(tx, [...rolesBefore, ...rolesAfter]);
  const user = { userId: id, userName: holder.name };
  const group = { groupId: id, groupName: holder.name };
  record(
    tx,
    kind === 'user'
      ? userRolesUpdated({
          project,
          data: { ...rolesFact(rolesAfter), ...user },
          preData: { ...rolesFact(rolesBefore), ...user },
        })
      : groupRolesUpdated({
          project,
          data: { ...rolesFact(rolesAfter), ...group },
          preData: { ...rolesFact(rolesBefore), ...group },
        }),
  );
}

export async function removeRoles(
  tx: Tx,
  { project, kind, holder: id }: HolderInProject,
): Promise<void> {
  await lockAccess(tx, project);
  const holder = await getHolder(tx, kind, id);
  const { before, removed } = await changeAccess(tx, project, (held) =>
    held.filter((each) => !belongsTo(holder)(each)),
  );
  if (removed.length === 0) return;
  const ids = rolesOf(before, holder);
  const roles = (await roleNamer(tx, ids))(ids);
  record(
    tx,
    kind === 'user'
      ? userRolesDeleted({ project, preData: { ...roles, userId: id, userName: holder.name } })
      : groupRolesDeleted({ project, preData: { ...roles, groupId: id, groupName: holder.name } }),
  );
}
