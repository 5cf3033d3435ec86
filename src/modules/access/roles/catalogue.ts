import type { Db } from '../../../platform/db/database.ts';
import { type Permission, permissions, type RolePermission } from '../gate/index.ts';
import type { DescribedPermission } from './contract.ts';
import { findPermission } from './permission-input.ts';
import { listEnvironmentNames } from './queries.ts';

const withEnvironment = (permission: Permission, environment?: string): DescribedPermission => ({
  ...permission,
  ...(environment !== undefined && { environment }),
});

/** Permissions of older versions have no description and are left out. */
export const describePermission = ({
  name,
  environment,
}: RolePermission): DescribedPermission[] => {
  const permission = findPermission(name);
  return permission ? [withEnvironment(permission, environment)] : [];
};

/** All permissions: for the installation, in projects, and in each environment. */
export async function listPermissions(db: Db) {
  const environments = await listEnvironmentNames(db);
  const ofType = (type: Permission['type'], environment?: string) =>
    permissions
      .filter((permission) => permission.type === type)
      .map((permission) => withEnvironment(permission, environment));
  return {
    root: ofType('root'),
    project: ofType('project'),
    environments: environments.map((name) => ({ name, permissions: ofType('environment', name) })),
  };
}
