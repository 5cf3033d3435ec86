import type { Tx } from '../../../platform/db/database.ts';
import { record } from '../../events/index.ts';
import { roleIds } from '../gate/index.ts';
import { changeAccess, closeAccess } from './change.ts';
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
import { byRole, type Holder, type Holding, isOf, rolesOf } from './holding.ts';
import { insertHoldings, upsertChange } from './holding-queries.ts';
import type { AddToRole } from './one-role/contract.ts';
import { getHolder, getRole, named, refuseUnknown } from './role-input.ts';

const holdingsOf = (
  role: number,
  { groups = [], users = [] }: { groups?: readonly number[]; users?: readonly number[] },
): Holding[] => [
  ...groups.map((id) => ({ kind: 'group' as const, id, role })),
  ...users.map((id) => ({ kind: 'user' as const, id, role })),
];

const addedRoles = (added: readonly Holding[]): AddedRole[] =>
  byRole(added).map(({ role, groups, users }) => ({
    roleId: role,
    groupIds: groups,
    userIds: users,
  }));

/** Gives each of the roles to all of the users and groups; tells the log what is new of it. */
export async function addRoles(
  tx: Tx,
  project: string,
  { roles, groups, users }: AddAccess,
): Promise<void> {
  await closeAccess(tx, project);
  await refuseUnknown(tx, {
    roles: named(roles, '/body/roles'),
    groups: named(groups, '/body/groups'),
    users: named(users, '/body/users'),
  });
  const wished = roles.flatMap((role) => holdingsOf(role, { groups, users }));
  const { added } = await changeAccess(tx, project, (before) => [...before, ...wished]);
  if (added.length === 0) return;
  record(tx, projectAccessAdded({ project, data: { roles: addedRoles(added) } }));
}

export async function addToRole(
  tx: Tx,
  project: string,
  roleId: number,
  { groups, users }: AddToRole,
): Promise<void> {
  await closeAccess(tx, project);
  const role = await getRole(tx, roleId);
  const place = (list: AddToRole['users'], path: string) =>
    list.map(({ id }, index) => ({ id, path: `${path}/${index}/id` }));
  await refuseUnknown(tx, {
    roles: [],
    groups: place(groups, '/body/groups'),
    users: place(users, '/body/users'),
  });
  const wished = holdingsOf(role.id, {
    groups: groups.map(({ id }) => id),
    users: users.map(({ id }) => id),
  });
  const { added } = await changeAccess(tx, project, (before) => [...before, ...wished]);
  const [roles] = addedRoles(added);
  if (roles) record(tx, projectAccessAdded({ project, data: { roles } }));
}

/** Whoever makes a project is its first owner, whatever else they may do. */
export async function makeOwner(tx: Tx, project: string, userId: number): Promise<void> {
  const owner: Holding = { kind: 'user', id: userId, role: roleIds.owner };
  await insertHoldings(tx, project, [owner]);
  await upsertChange(tx, project);
  record(tx, projectAccessAdded({ project, data: { roles: addedRoles([owner]) } }));
}

export async function setAccess(tx: Tx, project: string, { roles }: SetAccess): Promise<void> {
  await closeAccess(tx, project);
  const path = '/body/roles';
  await refuseUnknown(tx, {
    roles: roles.map(({ id }, index) => ({ id, path: `${path}/${index}/id` })),
    groups: roles.flatMap(({ groups = [] }, index) => named(groups, `${path}/${index}/groups`)),
    users: roles.flatMap(({ users = [] }, index) => named(users, `${path}/${index}/users`)),
  });
  const wished = roles.flatMap(({ id, ...holders }) => holdingsOf(id, holders));
  const { before, after } = await changeAccess(tx, project, () => wished);
  const map = (holdings: readonly Holding[]) => ({
    roles: byRole(holdings).map(({ role, groups, users }) => ({ id: role, groups, users })),
  });
  record(tx, projectAccessUpdated({ project, data: map(after), preData: map(before) }));
}

interface Place {
  readonly project: string;
  readonly kind: Holder['kind'];
  /** The id of the user or group. */
  readonly holder: number;
}

export async function setRoles(
  tx: Tx,
  { project, kind, holder: id }: Place,
  roles: readonly number[],
): Promise<void> {
  await closeAccess(tx, project);
  const holder = await getHolder(tx, kind, id);
  await refuseUnknown(tx, { roles: named(roles, '/body/roles'), groups: [], users: [] });
  const { before, after } = await changeAccess(tx, project, (held) => [
    ...held.filter((each) => !isOf(holder)(each)),
    ...roles.map((role) => ({ kind, id, role })),
  ]);
  const [had, has] = [rolesOf(before, holder), rolesOf(after, holder)];
  record(
    tx,
    kind === 'user'
      ? userRolesUpdated({
          project,
          data: { roles: has, userId: id },
          preData: { roles: had, userId: id },
        })
      : groupRolesUpdated({
          project,
          data: { roles: has, groupId: id },
          preData: { roles: had, groupId: id },
        }),
  );
}

export async function removeRoles(tx: Tx, { project, kind, holder: id }: Place): Promise<void> {
  await closeAccess(tx, project);
  const holder = await getHolder(tx, kind, id);
  const { before, removed } = await changeAccess(tx, project, (held) =>
    held.filter((each) => !isOf(holder)(each)),
  );
  if (removed.length === 0) return;
  const roles = rolesOf(before, holder);
  record(
    tx,
    kind === 'user'
      ? userRolesDeleted({ project, preData: { roles, userId: id } })
      : groupRolesDeleted({ project, preData: { roles, groupId: id } }),
  );
}
