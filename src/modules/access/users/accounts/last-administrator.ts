import { blockerNames } from '../../../../platform/blockers.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import { invalidOperation } from '../../../../platform/errors.ts';
import { hasAdministrator } from './administrator-queries.ts';

/**
 * Throws if no one has the Admin role any more, directly or through a group. Call it after `lockAdminAndOwnerRoles` and
 * after the change.
 */
export async function requireAdministrator(tx: Tx): Promise<void> {
  if (await hasAdministrator(tx.db)) return;
  throw invalidOperation("The last account with the Admin role can't be removed");
}

/** Throws if a change leaves any projects without an owner. */
export function refuseOwnerless(tx: Tx, projects: readonly string[], owner: string): void {
  if (projects.length === 0) return;
  const named = blockerNames(projects, tx.actor, {
    scopeOf: (project) => project,
    nameOf: (project) => `'${project}'`,
    unseen: "projects that you can't see",
  });
  throw invalidOperation(
    `${owner} is the only owner of ${named.join(', ')}. Add another owner to each of these projects first`,
  );
}
