import type { Tx } from '../../../platform/db/database.ts';
import { roleIds } from '../gate/index.ts';
import { listOwnerless, refuseOwnerless, requireAdministrator } from '../users/index.ts';
import type { GroupData } from './events.ts';
import { listOwnedProjects } from './owned-project-queries.ts';

const nobody: Pick<GroupData, 'rootRole' | 'users'> = { rootRole: null, users: [] };

/**
 * Runs a change after which members of a group may lose its roles. Throws if no one has the Admin role afterwards.
 * Throws also if the group loses its members and leaves a project without an owner. Deleting an account or a whole
 * group leaves its projects to administrators.
 */
export async function changeKeepingAdminAndOwners(
  tx: Tx,
  before: GroupData,
  after: Pick<GroupData, 'rootRole' | 'users'> | undefined,
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
    await requireAdministrator(tx);
  }
  refuseOwnerless(tx, await listOwnerless(tx.db, owned), `Group '${before.name}'`);
}
