import type { Response } from '../../api.ts';

export type Role = Response<'GET /api/admin/roles'>['roles'][number];
export type RoleWithPermissions = Response<'GET /api/admin/roles/:roleId'>;
export type Catalogue = Response<'GET /api/admin/permissions'>['permissions'];

/** A permission of a role as one text: `UPDATE_FEATURE`, or `UPDATE_FEATURE_STRATEGY in production`. */
const separator = ' in ';
export const keyOf = (name: string, environment?: string): string =>
  environment === undefined ? name : `${name}${separator}${environment}`;

/** What a request wants, by such a text. */
export const permissionOf = (key: string): { name: string; environment?: string } => {
  const at = key.indexOf(separator);
  return at < 0
    ? { name: key }
    : { name: key.slice(0, at), environment: key.slice(at + separator.length) };
};

export const keysOf = ({ permissions }: Pick<RoleWithPermissions, 'permissions'>): string[] =>
  permissions.map(({ name, environment }) => keyOf(name, environment)).sort();

export const isOfProject = ({ type }: Pick<Role, 'type'>): boolean =>
  type === 'project' || type === 'custom';

export const isBuiltIn = ({ type }: Pick<Role, 'type'>): boolean =>
  type === 'project' || type === 'root';

/** Adds or takes away one permission. One for every environment replaces those for some. */
export function toggled(keys: readonly string[], key: string, wanted: boolean): string[] {
  const { name, environment } = permissionOf(key);
  const rest = keys.filter(
    (each) =>
      each !== key && !(wanted && environment === undefined && permissionOf(each).name === name),
  );
  return (wanted ? [...rest, key] : rest).sort();
}

interface Difference {
  readonly key: string;
  readonly displayName: string;
  readonly environment: string | undefined;
  readonly inOne: boolean;
  readonly inOther: boolean;
}

const holds = (keys: ReadonlySet<string>, key: string): boolean =>
  keys.has(key) || keys.has(permissionOf(key).name) || keys.has('ADMIN');

/** Everything that one of two roles allows, and which of them. */
export function compared(one: RoleWithPermissions, other: RoleWithPermissions): Difference[] {
  const [inOne, inOther] = [new Set(keysOf(one)), new Set(keysOf(other))];
  const all = new Map(
    [...one.permissions, ...other.permissions].map((permission) => [
      keyOf(permission.name, permission.environment),
      permission,
    ]),
  );
  return [...all]
    .sort(([, a], [, b]) => a.id - b.id)
    .map(([key, { displayName, environment }]) => ({
      key,
      displayName,
      environment,
      inOne: holds(inOne, key),
      inOther: holds(inOther, key),
    }));
}
