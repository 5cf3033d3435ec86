import { isDeepStrictEqual } from 'node:util';
import { explained } from '../../../platform/db/constraint.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { badData, type Fault, nameExists, notFound } from '../../../platform/errors.ts';
import { record } from '../../events/index.ts';
import { findRootRole, noRootRole } from '../roles/index.ts';
import { lockIndispensable } from '../users/index.ts';
import type { GroupWish } from './contract.ts';
import { type GroupFacts, groupCreated, groupDeleted, groupUpdated } from './events.ts';
import { keepingTheIndispensable } from './indispensable.ts';
import {
  deleteMembersExcept,
  insertMembers,
  listLivingAccounts,
  listMembers,
  newMember,
} from './member-queries.ts';
import { deleteGroup, insertGroup, listProjectRoles, lockGroups, updateGroup } from './queries.ts';

type Draft = Omit<GroupFacts, 'id'>;

const byNumber = (a: number, b: number) => a - b;

/** What a wish makes of a group; its users stay when it names none. */
const draftOf = (wish: GroupWish, users: readonly number[] = []): Draft => ({
  name: wish.name,
  description: wish.description ?? null,
  mappingsSSO: [...new Set(wish.mappingsSSO)],
  rootRole: wish.rootRole ?? null,
  users: wish.users ? [...new Set(wish.users.map(({ user }) => user.id))].sort(byNumber) : users,
});

/** The users and the role of a wish that do not exist. */
async function faultsOf(tx: Tx, { rootRole, users = [] }: GroupWish): Promise<Fault[]> {
  const noRole =
    rootRole != null && !(await findRootRole(tx.db, rootRole))
      ? [noRootRole(rootRole, '/body/rootRole')]
      : [];
  const ids = users.map(({ user }) => user.id);
  const known = new Set(await listLivingAccounts(tx.db, ids));
  const unknown = ids.flatMap((id, index): Fault[] => {
    const path = `/body/users/${index}/user/id`;
    return known.has(id) ? [] : [{ path, message: `${path}: there is no user '${id}'` }];
  });
  return [...noRole, ...unknown];
}

/** In a race the database decides. */
const refusalsOf = ({ name, rootRole }: Draft) => ({
  groups_name_key: () => nameExists(`There already is a group named '${name}'`),
  groups_root_role_fkey: () => badData([noRootRole(rootRole ?? 0, '/body/rootRole')]),
});

const addMembers = (tx: Tx, group: number, users: readonly number[]) =>
  insertMembers(
    tx,
    group,
    users.map((user) => newMember(tx, user)),
  );

/** Creates a group, and gives back its id. */
export async function createGroup(tx: Tx, wish: GroupWish): Promise<number> {
  const faults = await faultsOf(tx, wish);
  if (faults.length > 0) throw badData(faults);
  const draft = draftOf(wish);
  const id = await explained(insertGroup(tx, draft), refusalsOf(draft));
  await addMembers(tx, id, draft.users);
  record(tx, groupCreated({ data: { id, ...draft } }));
  return id;
}

/** The group with its users, locked: nobody joins or leaves it meanwhile. */
async function getFacts(tx: Tx, id: number, purpose: 'change' | 'delete'): Promise<GroupFacts> {
  const [group] = await lockGroups(tx, [id], purpose);
  if (!group) throw notFound('group', id);
  const { createdBy, createdAt, ...facts } = group;
  return { ...facts, users: await listMembers(tx.db, group.id) };
}

export async function changeGroup(tx: Tx, id: number, wish: GroupWish): Promise<void> {
  await lockIndispensable(tx);
  const before = await getFacts(tx, id, 'change');
  const faults = await faultsOf(tx, wish);
  if (faults.length > 0) throw badData(faults);
  const draft = draftOf(wish, before.users);
  const after: GroupFacts = { id: before.id, ...draft };
  if (isDeepStrictEqual(before, after)) return;
  await keepingTheIndispensable(tx, before, after, async () => {
    await explained(updateGroup(tx, after), refusalsOf(draft));
    await deleteMembersExcept(tx, after.id, after.users);
    await addMembers(tx, after.id, after.users);
  });
  record(tx, groupUpdated({ data: after, preData: before }));
}

export async function removeGroup(tx: Tx, id: number): Promise<void> {
  await lockIndispensable(tx);
  const group = await getFacts(tx, id, 'delete');
  const projects = await listProjectRoles(tx.db, group.id);
  await keepingTheIndispensable(tx, group, undefined, () => deleteGroup(tx, group.id));
  record(tx, groupDeleted({ preData: { ...group, projects } }));
}
