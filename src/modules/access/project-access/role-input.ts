import type { Tx } from '../../../platform/db/database.ts';
import { badData, type Fault, notFound } from '../../../platform/errors.ts';
import { personName } from '../../events/index.ts';
import type { RoleHolder } from './assignments.ts';
import { type LockedRole, lockGroups, lockRoles, lockUsers } from './existing-queries.ts';

/** An id in a request, with its path. */
export interface IdAtPath {
  readonly id: number;
  readonly path: string;
}

export const withPaths = (ids: readonly number[], path: string): IdAtPath[] =>
  ids.map((id, index) => ({ id, path: `${path}/${index}` }));

const distinct = (requested: readonly IdAtPath[]) => [...new Set(requested.map(({ id }) => id))];

const unknownFaults = (
  requested: readonly IdAtPath[],
  found: readonly { id: number }[],
  resource: string,
) => {
  const existing = new Set(found.map(({ id }) => id));
  return requested.flatMap(({ id, path }): Fault[] =>
    existing.has(id) ? [] : [{ path, message: `${path}: ${resource} '${id}' not found` }],
  );
};

const isProjectRole = (role: LockedRole) => role.type === 'project' || role.type === 'custom';

const notProjectRoleMessage = ({ id, name }: LockedRole) =>
  `Role '${name}' (${id}) is a root role and can't be granted in a project`;

/** Throws with a fault for each unknown id. Locks what the other ids refer to. */
export async function requireExisting(
  tx: Tx,
  input: {
    readonly users: readonly IdAtPath[];
    readonly groups: readonly IdAtPath[];
    readonly roles: readonly IdAtPath[];
  },
): Promise<void> {
  const users = await lockUsers(tx, distinct(input.users));
  const groups = await lockGroups(tx, distinct(input.groups));
  const roles = await lockRoles(tx, distinct(input.roles));
  const byId = new Map(roles.map((role) => [role.id, role]));
  const wrongTypeFaults = input.roles.flatMap(({ id, path }): Fault[] => {
    const role = byId.get(id);
    return role && !isProjectRole(role) ? [{ path, message: notProjectRoleMessage(role) }] : [];
  });
  const faults = [
    ...unknownFaults(input.roles, roles, 'role'),
    ...wrongTypeFaults,
    ...unknownFaults(input.groups, groups, 'group'),
    ...unknownFaults(input.users, users, 'user'),
  ];
  if (faults.length > 0) throw badData(faults);
}

export interface NamedHolder extends RoleHolder {
  /** As events call the user or group. */
  readonly name: string;
  /** Of a user who has one. */
  readonly email: string | null;
}

/** The user or group in the path. */
export async function getHolder(
  tx: Tx,
  kind: RoleHolder['kind'],
  id: number,
): Promise<NamedHolder> {
  if (kind === 'user') {
    const [user] = await lockUsers(tx, [id]);
    if (!user) throw notFound(kind, id);
    return { kind, id, name: personName(user), email: user.email };
  }
  const [group] = await lockGroups(tx, [id]);
  if (!group) throw notFound(kind, id);
  return { kind, id, name: group.name, email: null };
}

/** The project role in the path. */
export async function getRole(tx: Tx, id: number): Promise<LockedRole> {
  const [role] = await lockRoles(tx, [id]);
  if (!role) throw notFound('role', id);
  if (!isProjectRole(role)) {
    throw badData([{ path: '/params/roleId', message: notProjectRoleMessage(role) }]);
  }
  return role;
}
