import type { Tx } from '../../platform/db/database.ts';
import { invalidOperation } from '../../platform/errors.ts';
import { roleIds } from '../access/index.ts';
import { keepAnAdministrator, listOwnerless } from '../users/index.ts';
import type { GroupFacts } from './events.ts';
import { lockOwnedProjects } from './queries/owners.ts';

/** At most so many are named: a group may own everything. */
const maxNamed = 10;

const nobody: Pick<GroupFacts, 'rootRole' | 'users'> = { rootRole: null, users: [] };

/**
 * Makes a change by which members of a group may lose what they have through it, and throws when
 * nobody is left with the Admin role, or as owner of a living project.
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
  const losesOwnership = left.length > 0 && users.length === 0;
  const owned = losesOwnership ? await lockOwnedProjects(tx, before.id) : [];
  await change();
  const wereAdministrators = before.rootRole === roleIds.admin && before.users.length > 0;
  if (wereAdministrators && (rootRole !== roleIds.admin || left.length > 0)) {
    await keepAnAdministrator(tx);
  }
  const ownerless = await listOwnerless(tx.db, owned);
  if (ownerless.length === 0) return;
  const others = ownerless.length - maxNamed;
  const named = ownerless.slice(0, maxNamed).map((project) => `'${project}'`);
  throw invalidOperation(
    `Nobody but the group '${before.name}' owns ${[...named, ...(others > 0 ? [`${others} more`] : [])].join(', ')}: give each of these projects another owner first`,
  );
}
