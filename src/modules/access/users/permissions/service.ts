import type { Db } from '../../../../platform/db/database.ts';
import { notFound } from '../../../../platform/errors.ts';
import { accessOf, findAccount, type Permission, permissions } from '../../gate/index.ts';
import { findRole } from '../../roles/index.ts';
import type { AccountKind } from '../accounts/queries.ts';
import { getAccount } from '../accounts/service.ts';
import { userAnswer } from '../answer.ts';
import { hasEnvironment, hasProject, listProjectRolesOf } from '../own-profile/queries.ts';
import type { AccessOverview, HeldPermission } from './contract.ts';

export interface Place {
  readonly project?: string | undefined;
  readonly environment?: string | undefined;
}

async function requirePlace(db: Db, { project, environment }: Place): Promise<void> {
  if (project !== undefined && !(await hasProject(db, project))) throw notFound('project', project);
  if (environment !== undefined && !(await hasEnvironment(db, environment))) {
    throw notFound('environment', environment);
  }
}

/** What an account may do in a place, permission by permission; whatever gives it to them. */
export async function describeAccess(
  db: Db,
  { id, kind }: { readonly id: number; readonly kind: AccountKind },
  { project, environment }: Place,
  baseUrl: string,
): Promise<AccessOverview> {
  const account = await getAccount(db, id, kind);
  await requirePlace(db, { project, environment });
  const assigned = await findAccount(db, id);
  const rootRole = await findRole(db, account.rootRole);
  if (!assigned || !rootRole) throw notFound('user', id);
  const { may, grants } = accessOf(assigned);
  const everywhere = new Set(
    grants()
      .filter((grant) => grant.project === undefined)
      .map(({ permission }) => permission),
  );
  // What a root role permits, it permits wherever one asks. Without a project `may` says whether
  // something is held in any of them.
  const holds = ({ name, type }: Permission) =>
    project === undefined || type === 'root'
      ? everywhere.has('ADMIN') || everywhere.has(name)
      : may(name, project, environment);
  const ofType = (type: Permission['type']): HeldPermission[] =>
    permissions
      .filter((permission) => permission.type === type)
      .map((permission) => ({ ...permission, hasPermission: holds(permission) }));
  return {
    overview: {
      root: ofType('root'),
      project: ofType('project'),
      environment: ofType('environment'),
    },
    user: userAnswer(account, baseUrl),
    rootRole,
    projectRoles: await listProjectRolesOf(db, id, project),
  };
}
