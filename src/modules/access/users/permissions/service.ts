import type { Db } from '../../../../platform/db/database.ts';
import { notFound } from '../../../../platform/errors.ts';
import { accessOf, findAccount, type Permission, permissions } from '../../gate/index.ts';
import { findRole } from '../../roles/index.ts';
import type { AccountKind } from '../accounts/queries.ts';
import { getAccount } from '../accounts/service.ts';
import { hasEnvironment, hasProject, listProjectRolesOf } from '../own-profile/queries.ts';
import { toUser } from '../present.ts';
import type { AccessOverview, HeldPermission } from './contract.ts';

export interface PermissionScope {
  readonly project?: string | undefined;
  readonly environment?: string | undefined;
}

async function requireScope(db: Db, { project, environment }: PermissionScope): Promise<void> {
  if (project !== undefined && !(await hasProject(db, project))) throw notFound('project', project);
  if (environment !== undefined && !(await hasEnvironment(db, environment))) {
    throw notFound('environment', environment);
  }
}

/** Lists for each permission whether an account has it in this scope. */
export async function describeAccess(
  db: Db,
  { id, kind }: { readonly id: number; readonly kind: AccountKind },
  { project, environment }: PermissionScope,
  baseUrl: string,
): Promise<AccessOverview> {
  const account = await getAccount(db, id, kind);
  await requireScope(db, { project, environment });
  const roleAssignments = await findAccount(db, id);
  const rootRole = await findRole(db, account.rootRole);
  if (!roleAssignments || !rootRole) throw notFound('user', id);
  const { may, grants } = accessOf(roleAssignments);
  const everywhere = new Set(
    grants()
      .filter((grant) => grant.project === undefined)
      .map(({ permission }) => permission),
  );
  // Permissions of root roles do not depend on the scope. Without a project `may` returns whether the account has the
  // permission in any project.
  const isHeld = ({ name, type }: Permission) =>
    project === undefined || type === 'root'
      ? everywhere.has('ADMIN') || everywhere.has(name)
      : may(name, project, environment);
  const ofType = (type: Permission['type']): HeldPermission[] =>
    permissions
      .filter((permission) => permission.type === type)
      .map((permission) => ({ ...permission, hasPermission: isHeld(permission) }));
  return {
    overview: {
      root: ofType('root'),
      project: ofType('project'),
      environment: ofType('environment'),
    },
    user: toUser(account, baseUrl),
    rootRole,
    projectRoles: await listProjectRolesOf(db, id, project),
  };
}
