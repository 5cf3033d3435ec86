import type { Db } from '../../../../platform/db/database.ts';
import { notFound } from '../../../../platform/errors.ts';
import { grouped } from '../../../../platform/grouped.ts';
import { inSlices } from '../../../../platform/slices.ts';
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
import { toUser } from '../present.ts';
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

/** Of one project. */
const inOrder = (one: ExplainedGrant, other: ExplainedGrant): number =>
  (places.get(one.permission) ?? 0) - (places.get(other.permission) ?? 0) ||
  (one.environment ?? '').localeCompare(other.environment ?? '');

interface Roles {
  readonly sources: readonly Source[];
  readonly permissionsOf: (role: number) => readonly RolePermission[];
  readonly isCommonProjectOpen: boolean;
}

type GrantWithSources = ExplainedGrant & { readonly sources: number[] };

/**
 * Lists each permission with its sources, by project. In steps, because someone may have roles in thousands of
 * projects: others waited a second for the 90,000 permissions of 2,000 projects.
 */
export function* explainGrants({
  sources,
  permissionsOf,
  isCommonProjectOpen,
}: Roles): Generator<undefined, ExplainedGrant[]> {
  const byProject = new Map<string | null, Map<string, GrantWithSources>>();
  for (const [index, source] of sources.entries()) {
    for (const given of givenBy(source, permissionsOf, isCommonProjectOpen)) {
      const { name, environment = null, project } = given;
      const permission = described.get(name);
      if (!permission) continue;
      const grants = byProject.get(project) ?? new Map<string, GrantWithSources>();
      byProject.set(project, grants);
      const key = JSON.stringify([name, environment]);
      const known = grants.get(key);
      if (known) {
        if (!known.sources.includes(index)) known.sources.push(index);
        continue;
      }
      const { displayName, type } = permission;
      const about = { permission: name, displayName, type, project, environment };
      grants.set(key, { ...about, sources: [index] });
    }
    yield;
  }
  const projects = [...byProject].sort(([one], [other]) => (one ?? '').localeCompare(other ?? ''));
  const all: ExplainedGrant[] = [];
  for (const [, grants] of projects) {
    all.push(...[...grants.values()].sort(inOrder));
    yield;
  }
  return all;
}

/** Lists what an account may do, each permission with the roles that give it. */
export async function explainAccess(db: Db, id: number, baseUrl: string): Promise<ExplainedAccess> {
  const account = await findActiveAccount(db, id);
  const assignments = await findAccount(db, id);
  if (!account || !assignments) throw notFound('user', id);
  const sources = await listSources(db, id);
  const custom = grouped(assignments.permissions, ({ role }) => role);
  const grants = await inSlices(
    explainGrants({
      sources,
      permissionsOf: (role) => builtInPermissions.get(role) ?? custom.get(role) ?? [],
      isCommonProjectOpen: assignments.projects.some(
        ({ id: project, mode }) => project === commonProject && mode === 'open',
      ),
    }),
  );
  return {
    user: toUser(account, baseUrl),
    isAdministrator: grants.some(
      ({ permission, project, environment }) =>
        permission === 'ADMIN' && project === null && environment === null,
    ),
    sources,
    permissions: grants,
  };
}
