import type { Fault } from '../../../platform/errors.ts';
import { type Permission, permissions, type RolePermission } from '../gate/index.ts';

/** A permission in a request, by name or by id. */
interface PermissionInput {
  readonly name?: string | undefined;
  readonly id?: number | undefined;
  readonly environment?: string | null | undefined;
}

const byName = new Map(permissions.map((permission) => [permission.name, permission]));

export const findPermission = (name: string): Permission | undefined => byName.get(name);

const resolvePermission = ({ name, id }: PermissionInput): Permission | undefined =>
  name === undefined ? permissions.find((permission) => permission.id === id) : byName.get(name);

export type CustomType = 'root-custom' | 'custom';

const allowedTypes: Readonly<Record<CustomType, ReadonlySet<string>>> = {
  'root-custom': new Set(['root', 'project', 'environment']),
  custom: new Set(['project', 'environment']),
};

function faultOf(
  input: PermissionInput,
  type: CustomType | undefined,
  path: string,
): Fault | undefined {
  const { name, id, environment } = input;
  if (name === undefined && id === undefined) {
    return { path, message: `${path} must have the name of a permission` };
  }
  const permission = resolvePermission(input);
  const field = `${path}/${name === undefined ? 'id' : 'name'}`;
  if (!permission) {
    return { path: field, message: `${field}: permission '${name ?? id}' not found` };
  }
  if (permission.name === 'ADMIN') {
    return {
      path: field,
      message: `${field}: a custom role cannot contain this permission. Use the Admin role instead`,
    };
  }
  if (type && !allowedTypes[type].has(permission.type)) {
    return {
      path: field,
      message: `${field}: a role of type '${type}' cannot contain '${permission.name}', which is of type '${permission.type}'`,
    };
  }
  if (environment && permission.type !== 'environment') {
    return {
      path: `${path}/environment`,
      message: `${path}/environment: '${permission.name}' cannot be limited to an environment`,
    };
  }
  return undefined;
}

/** The faults that can be found without the database. */
export const permissionInputFaults = (
  inputs: readonly PermissionInput[],
  type: CustomType | undefined,
): Fault[] =>
  inputs.flatMap((input, index) => faultOf(input, type, `/body/permissions/${index}`) ?? []);

/** A fixed order, so that equal permissions give equal lists. */
const comparePermissions = (a: RolePermission, b: RolePermission): number =>
  (byName.get(a.name)?.id ?? 0) - (byName.get(b.name)?.id ?? 0) ||
  (a.environment ?? '').localeCompare(b.environment ?? '');

export const sortPermissions = (held: readonly RolePermission[]): RolePermission[] =>
  [...held].sort(comparePermissions);

/** The requested permissions, each once. Ignores the environment of permissions that do not apply to environments. */
export function toPermissions(inputs: readonly PermissionInput[]): RolePermission[] {
  const requested = new Map<string, RolePermission>();
  for (const input of inputs) {
    const permission = resolvePermission(input);
    if (!permission) continue;
    const environment =
      permission.type === 'environment' ? (input.environment ?? undefined) : undefined;
    requested.set(`${permission.name} ${environment ?? ''}`, {
      name: permission.name,
      ...(environment !== undefined && { environment }),
    });
  }
  return sortPermissions([...requested.values()]);
}
