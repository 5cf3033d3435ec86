import type { Db, Tx } from '../../../platform/db/database.ts';
import { type Fault, invalidOperation, noAccessToAll, notFound } from '../../../platform/errors.ts';
import { grouped } from '../../../platform/grouped.ts';
import { roleIds } from '../gate/index.ts';
import { permissionsOfRoles } from '../roles/index.ts';
import { listOwnerless, lockAdminAndOwnerRoles } from '../users/index.ts';
import {
  deleteAssignments,
  insertAssignments,
  listAssignments,
  lockActiveProject,
  upsertAccessChange,
} from './assignment-queries.ts';
import { type RoleAssignment, without } from './assignments.ts';
import { lockRoles } from './existing-queries.ts';

type AssignmentWithRoleName = Awaited<ReturnType<typeof listAssignments>>[number];

interface AccessChange {
  readonly before: readonly AssignmentWithRoleName[];
  readonly after: readonly RoleAssignment[];
  readonly added: readonly RoleAssignment[];
  readonly removed: readonly AssignmentWithRoleName[];
}

/** Call it first. It serialises changes of the access to one project. */
export async function lockAccess(tx: Tx, project: string): Promise<void> {
  await lockAdminAndOwnerRoles(tx);
  if (!(await lockActiveProject(tx, project))) throw notFound('project', project);
}

const isOwned = async (db: Db, project: string): Promise<boolean> =>
  (await listOwnerless(db, [project])).length === 0;

/**
 * No one can assign a role with permissions they do not have, because they could assign it to themselves. Nor can they
 * take it away, because they could remove everyone above them.
 */
async function requireOwnPermissions(
  tx: Tx,
  project: string,
  {
    assignments,
    verb,
  }: { readonly assignments: readonly RoleAssignment[]; readonly verb: 'grant' | 'remove' },
): Promise<void> {
  const roles = [...new Set(assignments.map(({ role }) => role))];
  const permitted = await permissionsOfRoles(tx.db, roles);
  const missing = [...permitted].flatMap(([role, permissions]) =>
    permissions
      .filter(({ name, environment }) => !tx.actor.may(name, project, environment))
      .map((permission) => ({ role, ...permission })),
  );
  if (missing.length === 0) return;
  const existing = await lockRoles(tx, roles);
  const nameOf = new Map(existing.map(({ id, name }) => [id, name]));
  const byRoleAndEnvironment = grouped(missing, ({ role, environment }) =>
    JSON.stringify([role, environment]),
  );
  const faults = [...byRoleAndEnvironment.values()].flatMap((missingHere): Fault[] => {
    const [first] = missingHere;
    if (!first) return [];
    const names = missingHere.map(({ name }) => name).join(', ');
    const where =
      first.environment === undefined ? '' : ` in the environment '${first.environment}'`;
    const permission = missingHere.length === 1 ? 'permission' : 'permissions';
    return [
      {
        message: `To ${verb} role '${nameOf.get(first.role)}', you need the ${names} ${permission}${where} yourself`,
      },
    ];
  });
  throw noAccessToAll(faults);
}

/**
 * Changes who has which roles in a project. The caller has called `lockAccess`, has checked that all ids exist, and
 * records the event.
 */
export async function changeAccess(
  tx: Tx,
  project: string,
  computeAfter: (before: readonly RoleAssignment[]) => readonly RoleAssignment[],
): Promise<AccessChange> {
  const before = await listAssignments(tx.db, project);
  const after = without(computeAfter(before), []);
  const added = without(after, before);
  const removed = without(before, after);
  const change = { before, after, added, removed };
  if (added.length === 0 && removed.length === 0) return change;
  await requireOwnPermissions(tx, project, { assignments: added, verb: 'grant' });
  await requireOwnPermissions(tx, project, { assignments: removed, verb: 'remove' });
  const mustStayOwned =
    removed.some(({ role }) => role === roleIds.owner) && (await isOwned(tx.db, project));
  await insertAssignments(tx, project, added);
  await deleteAssignments(tx, project, removed);
  if (mustStayOwned && !(await isOwned(tx.db, project))) {
    throw invalidOperation(
      `A project needs at least one owner. Add another owner to '${project}' first`,
    );
  }
  await upsertAccessChange(tx, project);
  return change;
}
