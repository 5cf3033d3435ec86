import type { Tx } from '../../../platform/db/database.ts';
import { AppError } from '../../../platform/errors.ts';
import { record } from '../../events/index.ts';
import { lockIndispensable } from '../users/index.ts';
import { groupUserAdded, groupUserRemoved } from './events.ts';
import { keepingTheIndispensable } from './indispensable.ts';
import { deleteMember, insertMembers, listMembers, newMember } from './member-queries.ts';
import { listMappedGroups, lockGroups } from './queries.ts';

type LockedGroup = Awaited<ReturnType<typeof lockGroups>>[number];

const membershipOf = ({ id, name }: LockedGroup, userId: number) => ({
  groupId: id,
  groupName: name,
  userId,
});

async function join(tx: Tx, group: LockedGroup, userId: number): Promise<void> {
  const added = await insertMembers(tx, group.id, [newMember(tx, userId)]);
  if (added.length > 0) record(tx, groupUserAdded({ data: membershipOf(group, userId) }));
}

/** Takes somebody out of a group; says false, and lets them stay, when nobody could replace them. */
async function leave(tx: Tx, group: LockedGroup, userId: number): Promise<boolean> {
  const users = await listMembers(tx.db, group.id);
  const after = { rootRole: group.rootRole, users: users.filter((user) => user !== userId) };
  const { createdBy, createdAt, ...facts } = group;
  const membership = await deleteMember(tx, group.id, userId);
  if (!membership) return true;
  try {
    await keepingTheIndispensable(tx, { ...facts, users }, after, async () => undefined);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    await insertMembers(tx, group.id, [membership]);
    return false;
  }
  record(tx, groupUserRemoved({ preData: membershipOf(group, userId) }));
  return true;
}

/**
 * Makes somebody a member of the groups that are mapped to one of these names, and of no other group
 * that has mappings. The last administrator and the last owner stay nevertheless: a provider that
 * forgets to send names must not close the installation for everybody. Tells in which groups.
 */
export async function syncExternalGroups(
  tx: Tx,
  userId: number,
  externalNames: readonly string[],
): Promise<{ kept: string[] }> {
  const names = new Set(externalNames);
  const shallBeIn = ({ mappingsSSO }: Pick<LockedGroup, 'mappingsSSO'>) =>
    mappingsSSO.some((name) => names.has(name));
  const mapped = await listMappedGroups(tx.db, userId);
  const changing = mapped.filter((group) => group.isMember !== shallBeIn(group));
  const kept: string[] = [];
  if (changing.length === 0) return { kept };
  await lockIndispensable(tx);
  const groups = await lockGroups(
    tx,
    changing.map(({ id }) => id),
    'change',
  );
  for (const group of groups) {
    if (shallBeIn(group)) await join(tx, group, userId);
    else if (group.mappingsSSO.length > 0 && !(await leave(tx, group, userId))) {
      kept.push(group.name);
    }
  }
  return { kept };
}
