import type { Db } from '../../../../platform/db/database.ts';
import { notFound } from '../../../../platform/errors.ts';
import { grouped } from '../../../../platform/grouped.ts';
import {
  builtInPermissions,
  commonProject,
  findAccount,
  ofEditorsInCommonProject,
  permissions,
  type RolePermission,
  roleIds,
} from '../../gate/index.ts';
import { findActiveAccount } from '../accounts/queries.ts';
import { toUser } from '../answer.ts';
import type { ExplainedAccess, ExplainedGrant, Source } from './contract.ts';
import { listSources } from './queries.ts';

interface Grant extends RolePermission {
  readonly project: string | null;
}

/** What one role gives, and where: the rules of `accessOf`, told role by role. */
function givenBy(
  { role, project }: Source,
  permissionsOf: (role: number) => readonly RolePermission[],
  isCommonProjectOpen: boolean,
): Grant[] {
  const own = permissionsOf(role.id).map((each) => ({ ...each, project }));
  if (role.id !== roleIds.editor || project !== null) return own;
  return [
    ...own,
    ...permissionsOf(roleIds.member).map((each) => ({ ...each, project: null })),
    ...(isCommonProjectOpen
      ? ofEditorsInCommonProject.map((each) => ({ ...each, project: commonProject }))
      : []),
  ];
}

const described = new Map(permissions.map((permission) => [permission.name, permission]));
const places = new Map(permissions.map(({ name }, index) => [name, index]));

const inOrder = (one: ExplainedGrant, other: ExplainedGrant): number =>
  (one.project ?? '').localeCompare(other.project ?? '') ||
  (places.get(one.permission) ?? 0) - (places.get(other.permission) ?? 0) ||
  (one.environment ?? '').localeCompare(other.environment ?? '');

/** Lists what an account may do, each permission with the roles that give it. */
export async function explainAccess(db: Db, id: number, baseUrl: string): Promise<ExplainedAccess> {
  const account = await findActiveAccount(db, id);
  const assignments = await findAccount(db, id);
  if (!account || !assignments) throw notFound('account', id);
  const sources = await listSources(db, id);
  const custom = grouped(assignments.permissions, ({ role }) => role);
  const permissionsOf = (role: number) => builtInPermissions.get(role) ?? custom.get(role) ?? [];
  const isCommonProjectOpen = assignments.projects.some(
    ({ id: project, mode }) => project === commonProject && mode === 'open',
  );

  const grants = new Map<string, ExplainedGrant & { sources: number[] }>();
  for (const [index, source] of sources.entries()) {
    for (const given of givenBy(source, permissionsOf, isCommonProjectOpen)) {
      const { name, environment = null, project } = given;
      const permission = described.get(name);
      if (!permission) continue;
      const key = JSON.stringify([name, project, environment]);
      const known = grants.get(key);
      if (known) {
        if (!known.sources.includes(index)) known.sources.push(index);
        continue;
      }
      const { displayName, type } = permission;
      grants.set(key, {
        permission: name,
        displayName,
        type,
        project,
        environment,
        sources: [index],
      });
    }
  }
  return {
    user: toUser(account, baseUrl),
    isAdministrator: grants.has(JSON.stringify(['ADMIN', null, null])),
    sources,
    permissions: [...grants.values()].sort(inOrder),
  };
}
