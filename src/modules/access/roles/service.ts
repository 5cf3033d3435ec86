import { isDeepStrictEqual } from 'node:util';
import type { Actor } from '../../../platform/actor.ts';
import { explained } from '../../../platform/db/constraint.ts';
import type { Db, Tx } from '../../../platform/db/database.ts';
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
  PermissionBody,
  Role,
  RoleChange,
  RoleUsage,
  RoleWithPermissions,
} from './contract.ts';
import { type RoleEventData, roleCreated, roleDeleted, roleUpdated } from './events.ts';
import { describeHolders } from './in-use.ts';
import {
  type CustomType,
  permissionInputFaults,
  sortPermissions,
  toPermissions,
} from './permission-input.ts';
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
  lockRolesInEnvironment,
  replacePermissions,
  updateRole,
} from './queries.ts';

const resource = 'role';
const nameTaken = (name: string) => nameExists(`A role named '${name}' already exists`);

/** The permissions of each role. Those of built-in roles are in the code. */
export async function permissionsOfRoles(
  db: Db,
  ids: readonly number[],
): Promise<Map<number, readonly RolePermission[]>> {
  const custom = ids.filter((id) => !builtInPermissions.has(id));
  const rows = custom.length > 0 ? await listStoredPermissions(db, custom) : [];
  const stored = grouped(rows, ({ role }) => role);
  const heldBy = (id: number): readonly RolePermission[] =>
    builtInPermissions.get(id) ??
    sortPermissions((stored.get(id) ?? []).map(({ role, ...permission }) => permission));
  return new Map(ids.map((id) => [id, heldBy(id)]));
}

const permissionsOfRole = async (db: Db, id: number): Promise<readonly RolePermission[]> =>
  (await permissionsOfRoles(db, [id])).get(id) ?? [];

export async function getRole(db: Db, id: number): Promise<RoleWithPermissions> {
  const role = await findRole(db, id);
  if (!role) throw notFound(resource, id);
  const held = await permissionsOfRole(db, id);
  return { ...role, permissions: held.flatMap(describePermission) };
}

/** A role for the installation. */
export async function getRootRole(db: Db, idOrName: number | string, path: string): Promise<Role> {
  const role = await findRootRole(db, idOrName);
  if (!role) throw badData([noRootRole(idOrName, path)]);
  return role;
}

export const noRootRole = (idOrName: number | string, path: string): Fault => ({
  path,
  message: `${path}: root role '${idOrName}' not found`,
});

/** Where the role is assigned, in the projects that the actor sees. */
export async function listVisibleRoleUsage(db: Db, actor: Actor, id: number): Promise<RoleUsage[]> {
  if (!(await findRole(db, id))) throw notFound(resource, id);
  return listRoleUsage(db, id, actor.sees);
}

/** Throws the same error as creating a role with this name. */
export async function validateName(db: Db, name: string): Promise<void> {
  if (await isNameTaken(db, name)) throw nameTaken(name);
}

/** The faults of permissions for a role of this type. Locks their environments. */
async function permissionFaults(
  tx: Tx,
  inputs: readonly PermissionBody[],
  type: CustomType,
): Promise<Fault[]> {
  const environments = new Set(
    toPermissions(inputs).flatMap(({ environment }) => environment ?? []),
  );
  const existing = new Set(await lockEnvironments(tx, [...environments]));
  const unknown = inputs.flatMap(({ environment }, index): Fault[] => {
    if (environment == null || !environments.has(environment) || existing.has(environment))
      return [];
    const path = `/body/permissions/${index}/environment`;
    return [{ path, message: `${path}: environment '${environment}' not found` }];
  });
  return [...permissionInputFaults(inputs, type), ...unknown];
}

/** `id`: that of a role that comes back. */
export async function createRole(tx: Tx, input: CreateRole, id?: number): Promise<Role> {
  const faults = await permissionFaults(tx, input.permissions, input.type);
  if (faults.length > 0) throw badData(faults);
  const { name, type, description } = input;
  const role = await explained(insertRole(tx, { name, type, description: description ?? '' }, id), {
    roles_name_key: () => nameTaken(name),
  });
  const permissions = toPermissions(input.permissions);
  await replacePermissions(tx, role.id, permissions);
  record(tx, roleCreated({ data: { ...role, permissions } }));
  return role;
}

type CustomRole = Role & { readonly type: CustomType };

const isCustom = (role: Role): role is CustomRole => !builtInPermissions.has(role.id);

/** Throws if the role does not exist or is built in. */
function requireCustom(role: Role | undefined, id: number): CustomRole {
  if (!role) throw notFound(resource, id);
  if (!isCustom(role)) {
    throw invalidOperation(`Role '${role.name}' is built in and can't be changed`);
  }
  return role;
}

const typeFaults = (before: CustomRole, type: CustomType): Fault[] =>
  type === before.type
    ? []
    : [
        {
          path: '/body/type',
          message: `/body/type: role '${before.name}' is of type '${before.type}', which can't be changed to '${type}'`,
        },
      ];

export async function changeRole(tx: Tx, id: number, input: RoleChange): Promise<Role> {
  const found = requireCustom(await findRole(tx.db, id), id);
  const requested = input.permissions;
  const faults = [
    ...typeFaults(found, input.type ?? found.type),
    ...(requested ? await permissionFaults(tx, requested, found.type) : []),
  ];
  if (faults.length > 0) throw badData(faults);
  // Environments are always locked before roles. The type of a role never changes.
  const before = requireCustom(await lockRole(tx, id, 'change'), id);
  const held = await permissionsOfRole(tx.db, id);
  const { name, description } = input;
  const after = {
    ...before,
    name,
    description: description === undefined ? before.description : (description ?? ''),
  };
  const permissions = requested ? toPermissions(requested) : held;
  if (!isDeepStrictEqual(before, after)) {
    await explained(updateRole(tx, after), { roles_name_key: () => nameTaken(name) });
  }
  if (!isDeepStrictEqual(held, permissions)) await replacePermissions(tx, id, permissions);
  record(
    tx,
    roleUpdated({ data: { ...after, permissions }, preData: { ...before, permissions: held } }),
  );
  return after;
}

export async function removeRole(tx: Tx, id: number): Promise<void> {
  const role = requireCustom(await lockRole(tx, id, 'delete'), id);
  const holders = await countRootHolders(tx.db, id);
  const usages = await listRoleUsage(tx.db, id, 'all');
  const held = describeHolders(holders, usages, tx.actor);
  if (held !== '') {
    throw invalidOperation(`Role '${role.name}' is in use by ${held}. Remove it from them first`);
  }
  const permissions = await permissionsOfRole(tx.db, id);
  await deleteRole(tx, id);
  record(tx, roleDeleted({ preData: { ...role, permissions } }));
}

/** Changes the permissions of locked roles, and records an event for each. */
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
  const withPermissions = (role: Role, held: typeof before): RoleEventData => ({
    ...role,
    permissions: held.get(role.id) ?? [],
  });
  for (const role of roles) {
    record(
      tx,
      roleUpdated({ data: withPermissions(role, after), preData: withPermissions(role, before) }),
    );
  }
}

/** Roles with permissions in one environment get the same permissions in the other. */
export const copyEnvironmentPermissions = async (tx: Tx, from: string, to: string): Promise<void> =>
  changePermissions(tx, await lockRolesInEnvironment(tx, from), (roles) =>
    copyPermissions(tx, { roles, from, to }),
  );

/**
 * Deletes all permissions in an environment that is being deleted. The caller has locked it, so that no role gets new
 * ones.
 */
export const removeEnvironmentPermissions = async (tx: Tx, environment: string): Promise<void> =>
  changePermissions(tx, await lockRolesInEnvironment(tx, environment), () =>
    deletePermissionsIn(tx, environment),
  );
