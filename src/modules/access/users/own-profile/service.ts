import type { Actor } from '../../../../platform/actor.ts';
import type { Db } from '../../../../platform/db/database.ts';
import { authenticationRequired, notFound } from '../../../../platform/errors.ts';
import { sees } from '../../../../platform/permission.ts';
import { accessOf, findAccount, roleIds } from '../../gate/index.ts';
import { findRole, type Role } from '../../roles/index.ts';
import { findActiveAccount } from '../accounts/queries.ts';
import { requireAccount } from '../accounts/service.ts';
import { readPreferences } from '../preferences/service.ts';
import { imageUrlOf, toUser } from '../present.ts';
import type { Me, Profile } from './contract.ts';
import {
  listActiveProjects,
  listCreatedFeatures,
  listProjectRolesOf,
  listRootRolesOf,
} from './queries.ts';

/** Describes the actor. An API token is described as a user, too. */
export async function describeMe(db: Db, actor: Actor, baseUrl: string): Promise<Me> {
  if (actor.kind === 'token' || actor.kind === 'system') {
    const { id, name } = actor;
    const user = { id, name, username: name, imageUrl: imageUrlOf(id, baseUrl), isAPI: true };
    return { user, permissions: [{ permission: 'ADMIN' }], feedback: [], splash: {} };
  }
  const account = await findActiveAccount(db, actor.id);
  const roleAssignments = await findAccount(db, actor.id);
  if (!account || !roleAssignments) throw authenticationRequired();
  const { grants } = accessOf(roleAssignments);
  return {
    user: toUser(account, baseUrl),
    permissions: grants().map((grant) => ({ ...grant })),
    ...(await readPreferences(db, actor.id)),
  };
}

const maxFeatures = 100;

async function listOwnProjects(db: Db, userId: number): Promise<string[]> {
  const roles = await listProjectRolesOf(db, userId);
  return [...new Set(roles.map(({ project }) => project))];
}

export async function describeProfile(db: Db, actor: Actor): Promise<Profile> {
  const userId = requireAccount(actor);
  const account = await findActiveAccount(db, userId);
  if (!account) throw authenticationRequired();
  const rootRole = await findRole(db, account.rootRole);
  if (!rootRole) throw authenticationRequired();
  const features = await listCreatedFeatures(db, { userId, sees: actor.sees, limit: maxFeatures });
  return {
    rootRole,
    projects: actor.may('ADMIN') ? await listActiveProjects(db) : await listOwnProjects(db, userId),
    subscriptions: [],
    features: features.map(({ name, project, createdAt }) => ({
      name,
      project,
      createdAt: createdAt.toISOString(),
    })),
  };
}

/** The root roles of the actor, or the roles in a project. */
export async function listOwnRoles(
  db: Db,
  actor: Actor,
  project: string | undefined,
): Promise<(Role & { project?: string })[]> {
  const userId = requireAccount(actor);
  if (project === undefined) return listRootRolesOf(db, userId);
  if (!sees(actor, project)) throw notFound('project', project);
  const held = await listProjectRolesOf(db, userId, project);
  if (!actor.may('ADMIN')) return held;
  // An administrator's permissions in a project do not come from a project role.
  const root = await listRootRolesOf(db, userId);
  return [...root.filter(({ id }) => id === roleIds.admin), ...held];
}
