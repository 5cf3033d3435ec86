import type { Db } from '../../../platform/db/database.ts';
import { type Permission, permissions, type RolePermission } from '../gate/index.ts';
import type { DescribedPermission } from './contract.ts';
import { permissionNamed } from './permission-input.ts';
import { listEnvironmentNames } from './queries.ts';

const described = (permission: Permission, environment?: string): DescribedPermission => ({
  ...permission,
  ...(environment !== undefined && { environment }),
});

/** A permission that a role holds, as the catalogue describes it; one of an older version has no words. */
export const describePermission = ({
  name,
  environment,
}: RolePermission): DescribedPermission[] => {
  const permission = permissionNamed(name);
  return permission ? [described(permission, environment)] : [];
};

/** Every permission that there is: for the installation, in projects, and in each environment. */
export async function listPermissions(db: Db) {
  const environments = await listEnvironmentNames(db);
  const ofType = (type: Permission['type'], environment?: string) =>
    permissions
      .filter((permission) => permission.type === type)
      .map((permission) => described(permission, environment));
  return {
    root: ofType('root'),
    project: ofType('project'),
    environments: environments.map((name) => ({ name, permissions: ofType('environment', name) })),
  };
}
