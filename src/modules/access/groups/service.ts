import { isDeepStrictEqual } from 'node:util';
import { explained } from '../../../platform/db/constraint.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { badData, type Fault, nameExists, notFound } from '../../../platform/errors.ts';
import { defineHook, type RunHook } from '../../../platform/hooks.ts';
import { record } from '../../events/index.ts';
import { findRootRole, noRootRole } from '../roles/index.ts';
import { lockAdminAndOwnerRoles } from '../users/index.ts';
import type { GroupInput } from './contract.ts';
import { type GroupData, groupCreated, groupDeleted, groupUpdated } from './events.ts';
import { changeKeepingAdminAndOwners } from './last-administrator.ts';
import {
  deleteMembersExcept,
  insertMembers,
  listActiveAccounts,
  listMembers,
  newMember,
} from './member-queries.ts';
import { deleteGroup, insertGroup, listProjectRoles, lockGroups, updateGroup } from './queries.ts';

type Draft = Omit<GroupData, 'id'>;

const byNumber = (a: number, b: number) => a - b;

/** Keeps the members if the input has none. */
const draftOf = (input: GroupInput, users: readonly number[] = []): Draft => ({
  name: input.name,
  description: input.description ?? null,
  mappingsSSO: [...new Set(input.mappingsSSO)],
  rootRole: input.rootRole ?? null,
  users: input.users ? [...new Set(input.users.map(({ user }) => user.id))].sort(byNumber) : users,
});

/** Faults for users and roles that do not exist. */
async function faultsOf(tx: Tx, { rootRole, users = [] }: GroupInput): Promise<Fault[]> {
  const noRole =
    rootRole != null && !(await findRootRole(tx.db, rootRole))
      ? [noRootRole(rootRole, '/body/rootRole')]
      : [];
  const ids = users.map(({ user }) => user.id);
  const existing = new Set(await listActiveAccounts(tx.db, ids));
  const unknown = ids.flatMap((id, index): Fault[] => {
    const path = `/body/users/${index}/user/id`;
    return existing.has(id) ? [] : [{ path, message: `${path}: user '${id}' not found` }];
  });
  return [...noRole, ...unknown];
}

/** Errors for constraints that a concurrent change can violate. */
const refusalsOf = ({ name, rootRole }: Draft) => ({
  groups_name_key: () => nameExists(`A group named '${name}' already exists`),
  groups_root_role_fkey: () => badData([noRootRole(rootRole ?? 0, '/body/rootRole')]),
});

const addMembers = (tx: Tx, group: number, users: readonly number[]) =>
  insertMembers(
    tx,
    group,
    users.map((user) => newMember(tx, user)),
  );

/** Returns the id of the group. `own`: that of a group that comes back. */
export async function createGroup(tx: Tx, input: GroupInput, own?: number): Promise<number> {
  const faults = await faultsOf(tx, input);
  if (faults.length > 0) throw badData(faults);
  const draft = draftOf(input);
  const id = await explained(insertGroup(tx, draft, own), refusalsOf(draft));
  await addMembers(tx, id, draft.users);
  record(tx, groupCreated({ data: { id, ...draft } }));
  return id;
}

/** Locks the group, so that its members do not change. */
async function getGroupForUpdate(
  tx: Tx,
  id: number,
  purpose: 'change' | 'delete',
): Promise<GroupData> {
  const [group] = await lockGroups(tx, [id], purpose);
  if (!group) throw notFound('group', id);
  const { createdBy, createdAt, ...facts } = group;
  return { ...facts, users: await listMembers(tx.db, group.id) };
}

export async function changeGroup(tx: Tx, id: number, input: GroupInput): Promise<void> {
  await lockAdminAndOwnerRoles(tx);
  const before = await getGroupForUpdate(tx, id, 'change');
  const faults = await faultsOf(tx, input);
  if (faults.length > 0) throw badData(faults);
  const draft = draftOf(input, before.users);
  const after: GroupData = { id: before.id, ...draft };
  if (isDeepStrictEqual(before, after)) return;
  await changeKeepingAdminAndOwners(tx, before, after, async () => {
    await explained(updateGroup(tx, after), refusalsOf(draft));
    await deleteMembersExcept(tx, after.id, after.users);
    await addMembers(tx, after.id, after.users);
  });
  record(tx, groupUpdated({ data: after, preData: before }));
}

/** A group is deleted. Higher modules release what the group owns. */
export const deletingGroup = defineHook<{ readonly id: number; readonly name: string }>(
  'deletingGroup',
  'highest first',
);

export async function removeGroup(tx: Tx, id: number, runHook: RunHook): Promise<void> {
  await lockAdminAndOwnerRoles(tx);
  const group = await getGroupForUpdate(tx, id, 'delete');
  const projects = await listProjectRoles(tx.db, group.id);
  await runHook(deletingGroup, tx, group);
  await changeKeepingAdminAndOwners(tx, group, undefined, () => deleteGroup(tx, group.id));
  record(tx, groupDeleted({ preData: { ...group, projects } }));
}
