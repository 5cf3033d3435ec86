import type { Tx } from '../../../platform/db/database.ts';
import { invalidOperation } from '../../../platform/errors.ts';
import { sees } from '../../../platform/permission.ts';
import { hasAdministrator, lockIndispensable } from '../queries/administrators.ts';
import { listOwnedAlone, lockOwnedProjects } from '../queries/owned-projects.ts';

/**
 * Called before anything is read that decides whether somebody may lose the Admin role, or a project an
 * owner: by deleting an account, giving it another role, changing a group or the access of a project. One
 * lock for all of these, because an owner can be lost in two of them together: one hands a project to a
 * group while the other deletes its only member. They are rare.
 */
export const holdTheIndispensable = (tx: Tx) => lockIndispensable(tx);

/**
 * Called after somebody lost the Admin role, in whatever way: throws when no person is left who has
 * it, by themselves or through a group.
 */
export async function keepAnAdministrator(tx: Tx): Promise<void> {
  await holdTheIndispensable(tx);
  if (await hasAdministrator(tx.db)) return;
  throw invalidOperation('There must be somebody with the Admin role: this was the last one');
}

/** At most so many are named: somebody may own everything. */
const maxNamed = 10;

/** Called before an account is removed: throws when a living project would be left without an owner. */
export async function keepOwners(tx: Tx, userId: number): Promise<void> {
  const owned = await lockOwnedProjects(tx, userId);
  if (owned.length === 0) return;
  const alone = await listOwnedAlone(tx.db, owned, userId);
  if (alone.length === 0) return;
  const named = alone.filter((project) => sees(tx.actor, project)).slice(0, maxNamed);
  const others = alone.length - named.length;
  const projects = others > 0 ? [...named, `${others} more`] : named;
  throw invalidOperation(
    `Nobody else owns the projects ${projects.join(', ')}: give them another owner first`,
  );
}
