import type { Tx } from '../../../platform/db/database.ts';
import { AppError } from '../../../platform/errors.ts';
import { personName, record } from '../../events/index.ts';
import { getAccount, lockAdminAndOwnerRoles, type StoredAccount } from '../users/index.ts';
import { groupUserAdded, groupUserRemoved } from './events.ts';
import { changeKeepingAdminAndOwners } from './last-administrator.ts';
import { deleteMember, insertMembers, listMembers, newMember } from './member-queries.ts';
import { listMappedGroups, lockGroups } from './queries.ts';

type LockedGroup = Awaited<ReturnType<typeof lockGroups>>[number];

const membershipOf = ({ id, name }: LockedGroup, user: StoredAccount) => ({
  groupId: id,
  groupName: name,
  userId: user.id,
  userName: personName(user),
});

async function addToGroup(tx: Tx, group: LockedGroup, user: StoredAccount): Promise<void> {
  const added = await insertMembers(tx, group.id, [newMember(tx, user.id)]);
  if (added.length > 0) record(tx, groupUserAdded({ data: membershipOf(group, user) }));
}

/** Returns false and leaves the member in the group if no one could replace them. */
async function removeFromGroup(tx: Tx, group: LockedGroup, user: StoredAccount): Promise<boolean> {
  const users = await listMembers(tx.db, group.id);
  const after = { rootRole: group.rootRole, users: users.filter((id) => id !== user.id) };
  const { createdBy, createdAt, ...facts } = group;
  const membership = await deleteMember(tx, group.id, user.id);
  if (!membership) return true;
  try {
    await changeKeepingAdminAndOwners(tx, { ...facts, users }, after, async () => undefined);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    await insertMembers(tx, group.id, [membership]);
    return false;
  }
  record(tx, groupUserRemoved({ preData: membershipOf(group, user) }));
  return true;
}

/**
 * Adds a user to the groups that are mapped to one of these names, and removes them from all other mapped groups. The
 * last administrator and the last owner stay: a provider that omits names must not lock everyone out. Returns the
 * groups in which the user stays.
 */
export async function syncExternalGroups(
  tx: Tx,
  userId: number,
  externalNames: readonly string[],
): Promise<{ stillIn: string[] }> {
  const names = new Set(externalNames);
  const shouldBeMember = ({ mappingsSSO }: Pick<LockedGroup, 'mappingsSSO'>) =>
    mappingsSSO.some((name) => names.has(name));
  const mapped = await listMappedGroups(tx.db, userId);
  const changing = mapped.filter((group) => group.isMember !== shouldBeMember(group));
  const stillIn: string[] = [];
  if (changing.length === 0) return { stillIn };
  await lockAdminAndOwnerRoles(tx);
  const groups = await lockGroups(
    tx,
    changing.map(({ id }) => id),
    'change',
  );
  const user = await getAccount(tx.db, userId, 'person');
  for (const group of groups) {
    if (shouldBeMember(group)) await addToGroup(tx, group, user);
    else if (group.mappingsSSO.length > 0 && !(await removeFromGroup(tx, group, user))) {
      stillIn.push(group.name);
    }
  }
  return { stillIn };
}
