import { isDeepStrictEqual } from 'node:util';
import { explained } from '../../../platform/db/constraint.ts';
import type { Actor, Db, Tx } from '../../../platform/db/database.ts';
import {
  badData,
  type Fault,
  invalidOperation,
  nameExists,
  notFound,
} from '../../../platform/errors.ts';
import { grouped } from '../../../platform/grouped.ts';
import { record } from '../../events/index.ts';
import { builtInPermissions, type RolePermission } from '../gate/index.ts';
import { describePermission } from './catalogue.ts';
import type {
  CreateRole,
  PermissionWish,
  Role,
  RoleChange,
  RoleUsage,
  RoleWithPermissions,
} from './contract.ts';
import { type PermittingRole, roleCreated, roleDeleted, roleUpdated } from './events.ts';
import { describeHolders } from './in-use.ts';
import { type CustomType, ordered, permissionsWished, wishFaults } from './permission-input.ts';
import {
  copyPermissions,
  countRootHolders,
  deletePermissionsIn,
  deleteRole,
  findRole,
  findRootRole,
  insertRole,
  isNameTaken,
  listRoleUsage,
  listStoredPermissions,
  lockEnvironments,
  lockRole,
  lockRolesOf,
  replacePermissions,
  updateRole,
} from './queries.ts';

const what = 'role';
const taken = (name: string) => nameExists(`There already is a role named '${name}'`);

/** What each of these roles permits; the built-in ones permit what the code says. */
export async function permissionsOfRoles(
  db: Db,
  ids: readonly number[],
): Promise<Map<number, readonly RolePermission[]>> {
  const custom = ids.filter((id) => !builtInPermissions.has(id));
  const rows = custom.length > 0 ? await listStoredPermissions(db, custom) : [];
  const stored = grouped(rows, ({ role }) => role);
  const heldBy = (id: number): readonly RolePermission[] =>
    builtInPermissions.get(id) ??
    ordered((stored.get(id) ?? []).map(({ role, ...permission }) => permission));
  return new Map(ids.map((id) => [id, heldBy(id)]));
}

const permissionsOfRole = async (db: Db, id: number): Promise<readonly RolePermission[]> =>
  (await permissionsOfRoles(db, [id])).get(id) ?? [];

export async function getRole(db: Db, id: number): Promise<RoleWithPermissions> {
  const role = await findRole(db, id);
  if (!role) throw notFound(what, id);
  const held = await permissionsOfRole(db, id);
  return { ...role, permissions: held.flatMap(describePermission) };
}

/** A role that somebody can have for the installation as a whole. */
export async function getRootRole(db: Db, idOrName: number | string, path: string): Promise<Role> {
  const role = await findRootRole(db, idOrName);
  if (!role) throw badData([noRootRole(idOrName, path)]);
  return role;
}

export const noRootRole = (idOrName: number | string, path: string): Fault => ({
  path,
  message: `${path}: there is no role '${idOrName}' for the installation as a whole`,
});

/** Where somebody has a role, of the projects that the actor may see. */
export async function listRoleUsageFor(db: Db, actor: Actor, id: number): Promise<RoleUsage[]> {
  if (!(await findRole(db, id))) throw notFound(what, id);
  return listRoleUsage(db, id, actor.sees);
}

/** Throws what creating a role of this name would throw. */
export async function validateName(db: Db, name: string): Promise<void> {
  if (await isNameTaken(db, name)) throw taken(name);
}

/** What is wrong with permissions that a role of this type shall hold; their environments stay meanwhile. */
async function permissionFaults(
  tx: Tx,
  wishes: readonly PermissionWish[],
  type: CustomType,
): Promise<Fault[]> {
  const named = new Set(permissionsWished(wishes).flatMap(({ environment }) => environment ?? []));
  const known = new Set(await lockEnvironments(tx, [...named]));
  const unknown = wishes.flatMap(({ environment }, index): Fault[] => {
    if (environment == null || !named.has(environment) || known.has(environment)) return [];
    const path = `/body/permissions/${index}/environment`;
    return [{ path, message: `${path}: there is no environment '${environment}'` }];
  });
  return [...wishFaults(wishes, type), ...unknown];
}

export async function createRole(tx: Tx, wish: CreateRole): Promise<Role> {
  const faults = await permissionFaults(tx, wish.permissions, wish.type);
  if (faults.length > 0) throw badData(faults);
  const { name, type, description } = wish;
  const role = await explained(insertRole(tx, { name, type, description: description ?? '' }), {
    roles_name_key: () => taken(name),
  });
  const permissions = permissionsWished(wish.permissions);
  await replacePermissions(tx, role.id, permissions);
  record(tx, roleCreated({ data: { ...role, permissions } }));
  return role;
}

type CustomRole = Role & { readonly type: CustomType };

const isCustom = (role: Role): role is CustomRole => !builtInPermissions.has(role.id);

/** The role that was found, if it may be changed at all. */
function customised(role: Role | undefined, id: number): CustomRole {
  if (!role) throw notFound(what, id);
  if (!isCustom(role)) {
    throw invalidOperation(`The role '${role.name}' is built in, and stays as it is`);
  }
  return role;
}

const typeFaults = (before: CustomRole, type: CustomType): Fault[] =>
  type === before.type
    ? []
    : [
        {
          path: '/body/type',
          message: `/body/type: the role '${before.name}' is of the type '${before.type}', and cannot become one of the type '${type}'`,
        },
      ];

export async function changeRole(tx: Tx, id: number, wish: RoleChange): Promise<Role> {
  const found = customised(await findRole(tx.db, id), id);
  const wished = wish.permissions;
  const faults = [
    ...typeFaults(found, wish.type ?? found.type),
    ...(wished ? await permissionFaults(tx, wished, found.type) : []),
  ];
  if (faults.length > 0) throw badData(faults);
  // After the environments, which are locked before roles by everybody; its type never changes.
  const before = customised(await lockRole(tx, id, 'change'), id);
  const held = await permissionsOfRole(tx.db, id);
  const { name, description } = wish;
  const after = {
    ...before,
    name,
    description: description === undefined ? before.description : (description ?? ''),
  };
  const permissions = wished ? permissionsWished(wished) : held;
  if (!isDeepStrictEqual(before, after)) {
    await explained(updateRole(tx, after), { roles_name_key: () => taken(name) });
  }
  if (!isDeepStrictEqual(held, permissions)) await replacePermissions(tx, id, permissions);
  record(
    tx,
    roleUpdated({ data: { ...after, permissions }, preData: { ...before, permissions: held } }),
  );
  return after;
}

export async function removeRole(tx: Tx, id: number): Promise<void> {
  const role = customised(await lockRole(tx, id, 'delete'), id);
  const holders = await countRootHolders(tx.db, id);
  const usages = await listRoleUsage(tx.db, id, 'all');
  const held = describeHolders(holders, usages, tx.actor);
  if (held !== '') {
    throw invalidOperation(
      `The role '${role.name}' is still in use, by ${held}; take it from them first`,
    );
  }
  const permissions = await permissionsOfRole(tx.db, id);
  await deleteRole(tx, id);
  record(tx, roleDeleted({ preData: { ...role, permissions } }));
}

/** Changes what locked roles permit, and tells it of each. */
async function changePermissions(
  tx: Tx,
  roles: readonly Role[],
  change: (ids: readonly number[]) => Promise<unknown>,
): Promise<void> {
  if (roles.length === 0) return;
  const ids = roles.map(({ id }) => id);
  const before = await permissionsOfRoles(tx.db, ids);
  await change(ids);
  const after = await permissionsOfRoles(tx.db, ids);
  const holding = (role: Role, held: typeof before): PermittingRole => ({
    ...role,
    permissions: held.get(role.id) ?? [],
  });
  for (const role of roles) {
    record(tx, roleUpdated({ data: holding(role, after), preData: holding(role, before) }));
  }
}

/** Whoever may do something in one environment alone may do the same in the other from now on. */
export const copyEnvironmentPermissions = async (tx: Tx, from: string, to: string): Promise<void> =>
  changePermissions(tx, await lockRolesOf(tx, from), (roles) =>
    copyPermissions(tx, { roles, from, to }),
  );

/**
 * Takes from roles what they permit in an environment that is going. The caller has locked it: no role
 * comes to permit anything there meanwhile.
 */
export const removeEnvironmentPermissions = async (tx: Tx, environment: string): Promise<void> =>
  changePermissions(tx, await lockRolesOf(tx, environment), () =>
    deletePermissionsIn(tx, environment),
  );
