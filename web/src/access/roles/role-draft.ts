import type { Response } from '../../api.ts';
import { fieldChange } from '../../ui/format.ts';

export type Role = Response<'GET /api/admin/roles'>['roles'][number];
export type RoleWithPermissions = Response<'GET /api/admin/roles/:roleId'>;
export type Catalogue = Response<'GET /api/admin/permissions'>['permissions'];

/** A permission of a role as one string: `UPDATE_FEATURE`, or `UPDATE_FEATURE_STRATEGY in production`. */
const separator = ' in ';
export const keyOf = (name: string, environment?: string): string =>
  environment === undefined ? name : `${name}${separator}${environment}`;

/** The permission of such a string, for a request. */
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

/** What a role without permissions allows. */
export const withoutPermissions = (role: Pick<Role, 'type'>): string =>
  isOfProject(role)
    ? 'Read-only access to the project.'
    : 'Read-only access to everything except private projects.';

/** Adds or removes one permission. One for all environments replaces those for single ones. */
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

/** The permissions of two roles, and which of the roles has them. */
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

/** What an edit does to a text: "name “Tester” → “Auditor”". */
export const textChange = (field: string, before: string, after: string): string =>
  fieldChange(field, before ? `“${before}”` : 'none', after.trim() ? `“${after.trim()}”` : 'none');
