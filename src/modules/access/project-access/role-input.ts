import type { Tx } from '../../../platform/db/database.ts';
import { badData, type Fault, notFound } from '../../../platform/errors.ts';
import { type LockedRole, lockGroups, lockRoles, lockUsers } from './existing-queries.ts';
import type { Holder } from './holding.ts';

/** An id in a request, with its place there. */
export interface Named {
  readonly id: number;
  readonly path: string;
}

export const named = (ids: readonly number[], path: string): Named[] =>
  ids.map((id, index) => ({ id, path: `${path}/${index}` }));

const distinct = (wished: readonly Named[]) => [...new Set(wished.map(({ id }) => id))];

const unknown = (wished: readonly Named[], found: readonly { id: number }[], what: string) => {
  const known = new Set(found.map(({ id }) => id));
  return wished.flatMap(({ id, path }): Fault[] =>
    known.has(id) ? [] : [{ path, message: `${path}: there is no ${what} '${id}'` }],
  );
};

const ofProjects = (role: LockedRole) => role.type === 'project' || role.type === 'custom';

const notOfProjects = ({ id, name }: LockedRole) =>
  `The role '${name}' (${id}) is for the whole installation, and cannot be given in a project`;

/** Tells every id that leads to nothing; what the others lead to stays until the transaction ends. */
export async function refuseUnknown(
  tx: Tx,
  wish: {
    readonly users: readonly Named[];
    readonly groups: readonly Named[];
    readonly roles: readonly Named[];
  },
): Promise<void> {
  const users = await lockUsers(tx, distinct(wish.users));
  const groups = await lockGroups(tx, distinct(wish.groups));
  const roles = await lockRoles(tx, distinct(wish.roles));
  const byId = new Map(roles.map((role) => [role.id, role]));
  const unfit = wish.roles.flatMap(({ id, path }): Fault[] => {
    const role = byId.get(id);
    return role && !ofProjects(role) ? [{ path, message: notOfProjects(role) }] : [];
  });
  const faults = [
    ...unknown(wish.roles, roles, 'role'),
    ...unfit,
    ...unknown(wish.groups, groups, 'group'),
    ...unknown(wish.users, users, 'user'),
  ];
  if (faults.length > 0) throw badData(faults);
}

/** The user or group that an address names. */
export async function getHolder(
  tx: Tx,
  kind: Holder['kind'],
  id: number,
): Promise<Holder & { readonly email: string | null }> {
  if (kind === 'user') {
    const [user] = await lockUsers(tx, [id]);
    if (!user) throw notFound(kind, id);
    return { kind, id, email: user.email };
  }
  if ((await lockGroups(tx, [id])).length === 0) throw notFound(kind, id);
  return { kind, id, email: null };
}

/** The project role that an address names. */
export async function getRole(tx: Tx, id: number): Promise<LockedRole> {
  const [role] = await lockRoles(tx, [id]);
  if (!role) throw notFound('role', id);
  if (!ofProjects(role)) {
    throw badData([{ path: '/params/roleId', message: notOfProjects(role) }]);
  }
  return role;
}
