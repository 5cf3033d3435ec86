import type { Tx } from '../../../platform/db/database.ts';
import { grouped } from '../../../platform/grouped.ts';
import { createToken } from '../../access/api-tokens/index.ts';
import { createGroup } from '../../access/groups/index.ts';
import { addRoles } from '../../access/project-access/index.ts';
import {
  addEnvironment,
  changeProject,
  createProject,
  reviveProject,
} from '../../catalogue/projects/index.ts';
import type { AccessDocument, GroupDocument, ProjectDocument, TokenDocument } from '../document.ts';
import { findAccountId, listGroupIds, listProjectEnvironments, listRoleIds } from '../queries.ts';
import { asOf } from './as-of.ts';

/** The ids of accounts. One that has been left out is nobody. */
async function accountIds(tx: Tx, logins: readonly string[]): Promise<number[]> {
  const ids: number[] = [];
  for (const login of logins) {
    const id = await findAccountId(tx.db, login);
    if (id !== undefined) ids.push(id);
  }
  return ids;
}

export async function makeGroup(tx: Tx, group: GroupDocument): Promise<void> {
  const { name, description, mappingsSSO, rootRole, members } = group;
  const roles = await listRoleIds(tx.db);
  const role = rootRole === null ? undefined : roles.get(rootRole);
  await createGroup(await asOf(tx, group), {
    ...{ name, description, mappingsSSO: [...mappingsSSO] },
    ...(role !== undefined && { rootRole: role }),
    users: (await accountIds(tx, members)).map((id) => ({ user: { id } })),
  });
}

/** Without its naming pattern and its limit, which its features may break. */
export async function makeProject(
  tx: Tx,
  project: ProjectDocument,
  before: ProjectDocument | undefined,
): Promise<void> {
  const { id, name, description, mode, defaultStickiness, linkTemplates, environments } = project;
  const settings = {
    ...{ name, description, mode, defaultStickiness },
    linkTemplates: linkTemplates.map((each) => ({ ...each })),
  };
  const names = environments.map((each) => each.name);
  if (!before) {
    const input = { id, ...settings, environments: names };
    await createProject(await asOf(tx, project), input, { keepsHistory: true });
    return;
  }
  if (before.archived && !project.archived) await reviveProject(tx, id);
  await changeProject(tx, id, settings);
  const own = new Set(await listProjectEnvironments(tx.db, id));
  for (const environment of names) {
    if (!own.has(environment)) await addEnvironment(tx, id, environment);
  }
}

export async function grantAccess(
  tx: Tx,
  project: string,
  access: readonly AccessDocument[],
): Promise<void> {
  const [roles, groups] = [await listRoleIds(tx.db), await listGroupIds(tx.db)];
  for (const [name, own] of grouped(access, ({ role }) => role)) {
    const role = roles.get(name);
    if (role === undefined) continue;
    await addRoles(tx, project, {
      roles: [role],
      groups: own.flatMap(({ group }) => (group === undefined ? [] : (groups.get(group) ?? []))),
      users: await accountIds(
        tx,
        own.flatMap(({ account }) => account ?? []),
      ),
    });
  }
}

/** With its secret: applications need no change. */
export async function makeToken(
  tx: Tx,
  token: TokenDocument,
  keys: readonly Buffer[],
): Promise<void> {
  const { name, type, environment, projects, expiresAt, alias, secret } = token;
  if (secret === null) throw new Error(`The token '${name}' has no readable secret`);
  const scope = { project: projects.includes('*') ? ('*' as const) : [...projects], environment };
  await createToken(
    await asOf(tx, token),
    {
      ...{ name, type, secret, alias, origin: 'command line' },
      ...(type !== 'admin' && { scope }),
      expiresAt: expiresAt === null ? null : new Date(expiresAt),
    },
    keys,
  );
}
