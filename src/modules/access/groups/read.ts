import type { Db } from '../../../platform/db/database.ts';
import { notFound } from '../../../platform/errors.ts';
import { accountTypes, toUser } from '../users/index.ts';
import { listAccess } from './access-overview-queries.ts';
import type { AccountAccess, Group, GroupUser } from './contract.ts';
import { findGroupWithMembers, type GroupWithMembers, listGroupsWithMembers } from './queries.ts';

const memberOf =
  (baseUrl: string) =>
  ({
    joinedAt,
    addedBy,
    seenAt,
    createdAt,
    ...account
  }: GroupWithMembers['members'][number]): GroupUser => ({
    joinedAt: new Date(joinedAt).toISOString(),
    createdBy: addedBy,
    user: toUser(
      {
        ...account,
        createdAt: new Date(createdAt),
        seenAt: seenAt === null ? null : new Date(seenAt),
      },
      baseUrl,
    ),
  });

const answerOf =
  (baseUrl: string) =>
  ({ members, rootRole, createdAt, ...group }: GroupWithMembers): Group => ({
    ...group,
    ...(rootRole !== null && { rootRole }),
    createdAt: createdAt.toISOString(),
    users: members.map(memberOf(baseUrl)),
    userCount: members.length,
  });

export const listGroups = async (db: Db, baseUrl: string): Promise<Group[]> =>
  (await listGroupsWithMembers(db)).map(answerOf(baseUrl));

export async function getGroup(db: Db, id: number, baseUrl: string): Promise<Group> {
  const group = await findGroupWithMembers(db, id);
  if (!group) throw notFound('group', id);
  return answerOf(baseUrl)(group);
}

/** The roles and groups of each account. */
export async function listAccessOverview(db: Db): Promise<AccountAccess[]> {
  const rows = await listAccess(db);
  return rows.map(({ kind, lastSeen, createdAt, ...row }) => ({
    ...row,
    accountType: accountTypes[kind],
    lastSeen: lastSeen?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
  }));
}
