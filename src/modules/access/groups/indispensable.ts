import type { Tx } from '../../../platform/db/database.ts';
import { roleIds } from '../gate/index.ts';
import { keepAnAdministrator, listOwnerless, refuseOwnerless } from '../users/index.ts';
import type { GroupFacts } from './events.ts';
import { listOwnedProjects } from './owned-project-queries.ts';

const nobody: Pick<GroupFacts, 'rootRole' | 'users'> = { rootRole: null, users: [] };

/**
 * Makes a change by which members of a group may lose what they have through it, and throws when
 * nobody is left with the Admin role. A group that stays, but without its members, throws too when it leaves a
 * living project without an owner; what is deleted, an account or a whole group, leaves its projects to administrators.
 */
export async function keepingTheIndispensable(
  tx: Tx,
  before: GroupFacts,
  after: Pick<GroupFacts, 'rootRole' | 'users'> | undefined,
  change: () => Promise<unknown>,
): Promise<void> {
  const { rootRole, users } = after ?? nobody;
  const staying = new Set(users);
  const left = before.users.filter((user) => !staying.has(user));
  const losesOwnership = after !== undefined && left.length > 0 && users.length === 0;
  const owned = losesOwnership ? await listOwnedProjects(tx.db, before.id) : [];
  await change();
  const wereAdministrators = before.rootRole === roleIds.admin && before.users.length > 0;
  if (wereAdministrators && (rootRole !== roleIds.admin || left.length > 0)) {
    await keepAnAdministrator(tx);
  }
  refuseOwnerless(tx, await listOwnerless(tx.db, owned), `the group '${before.name}'`);
}
