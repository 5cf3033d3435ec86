import type { Fault } from '../../../platform/errors.ts';
import { type Permission, permissions, type RolePermission } from '../gate/index.ts';

/** A permission as a request names it. */
interface Wish {
  readonly name?: string | undefined;
  readonly id?: number | undefined;
  readonly environment?: string | null | undefined;
}

const byName = new Map(permissions.map((permission) => [permission.name, permission]));

export const permissionNamed = (name: string): Permission | undefined => byName.get(name);

const permissionOf = ({ name, id }: Wish): Permission | undefined =>
  name === undefined ? permissions.find((known) => known.id === id) : byName.get(name);

export type CustomType = 'root-custom' | 'custom';

const holders: Readonly<Record<CustomType, ReadonlySet<string>>> = {
  'root-custom': new Set(['root', 'project', 'environment']),
  custom: new Set(['project', 'environment']),
};

function faultOf(wish: Wish, type: CustomType | undefined, path: string): Fault | undefined {
  const { name, id, environment } = wish;
  if (name === undefined && id === undefined) {
    return { path, message: `${path} needs a name: that of the permission` };
  }
  const permission = permissionOf(wish);
  const named = `${path}/${name === undefined ? 'id' : 'name'}`;
  if (!permission) {
    return { path: named, message: `${named}: there is no permission '${name ?? id}'` };
  }
  if (permission.name === 'ADMIN') {
    return {
      path: named,
      message: `${named}: no role of your own can permit everything; give the role Admin instead`,
    };
  }
  if (type && !holders[type].has(permission.type)) {
    return {
      path: named,
      message: `${named}: a role of the type '${type}' cannot hold '${permission.name}', which is of the type '${permission.type}'`,
    };
  }
  if (environment && permission.type !== 'environment') {
    return {
      path: `${path}/environment`,
      message: `${path}/environment: '${permission.name}' is not held in single environments`,
    };
  }
  return undefined;
}

/** What is wrong with permissions, as far as nobody has to look anything up. */
export const wishFaults = (wishes: readonly Wish[], type: CustomType | undefined): Fault[] =>
  wishes.flatMap((wish, index) => faultOf(wish, type, `/body/permissions/${index}`) ?? []);

/** In one order, so that the same permissions make the same list. */
const inOrder = (a: RolePermission, b: RolePermission): number =>
  (byName.get(a.name)?.id ?? 0) - (byName.get(b.name)?.id ?? 0) ||
  (a.environment ?? '').localeCompare(b.environment ?? '');

export const ordered = (held: readonly RolePermission[]): RolePermission[] =>
  [...held].sort(inOrder);

/** The permissions that were wished for, each once. An empty environment is none where none belongs. */
export function permissionsWished(wishes: readonly Wish[]): RolePermission[] {
  const wished = new Map<string, RolePermission>();
  for (const wish of wishes) {
    const permission = permissionOf(wish);
    if (!permission) continue;
    const environment =
      permission.type === 'environment' ? (wish.environment ?? undefined) : undefined;
    wished.set(`${permission.name} ${environment ?? ''}`, {
      name: permission.name,
      ...(environment !== undefined && { environment }),
    });
  }
  return ordered([...wished.values()]);
}
