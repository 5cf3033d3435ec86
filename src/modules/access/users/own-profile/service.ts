import type { Actor, Db } from '../../../../platform/db/database.ts';
import { authenticationRequired, notFound } from '../../../../platform/errors.ts';
import { sees } from '../../../../platform/permission.ts';
import { accessOf, findAccount, roleIds } from '../../gate/index.ts';
import { findRole, type Role } from '../../roles/index.ts';
import { findLivingAccount } from '../accounts/queries.ts';
import { requireAccount } from '../accounts/service.ts';
import { imageUrlOf, userAnswer } from '../answer.ts';
import { readPreferences } from '../preferences/service.ts';
import type { Me, Profile } from './contract.ts';
import {
  listCreatedFeatures,
  listLivingProjects,
  listProjectRolesOf,
  listRootRolesOf,
} from './queries.ts';

/** The one who asks; an API token is a user of its kind. */
export async function describeMe(db: Db, actor: Actor, baseUrl: string): Promise<Me> {
  if (actor.kind === 'token' || actor.kind === 'system') {
    const { id, name } = actor;
    const user = { id, name, username: name, imageUrl: imageUrlOf(id, baseUrl), isAPI: true };
    return { user, permissions: [{ permission: 'ADMIN' }], feedback: [], splash: {} };
  }
  const account = await findLivingAccount(db, actor.id);
  const assigned = await findAccount(db, actor.id);
  if (!account || !assigned) throw authenticationRequired();
  const { grants } = accessOf(assigned);
  return {
    user: userAnswer(account, baseUrl),
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
  const account = await findLivingAccount(db, userId);
  if (!account) throw authenticationRequired();
  const rootRole = await findRole(db, account.rootRole);
  if (!rootRole) throw authenticationRequired();
  const features = await listCreatedFeatures(db, { userId, sees: actor.sees, limit: maxFeatures });
  return {
    rootRole,
    projects: actor.may('ADMIN') ? await listLivingProjects(db) : await listOwnProjects(db, userId),
    subscriptions: [],
    features: features.map(({ name, project, createdAt }) => ({
      name,
      project,
      createdAt: createdAt.toISOString(),
    })),
  };
}

/** The root roles of the one who asks, or the roles in a project. */
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
  // What an administrator may do in a project comes from no role there.
  const root = await listRootRolesOf(db, userId);
  return [...root.filter(({ id }) => id === roleIds.admin), ...held];
}
