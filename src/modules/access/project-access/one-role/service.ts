import type { Tx } from '../../../../platform/db/database.ts';
import { record } from '../../../events/index.ts';
import { changeAccess, closeAccess } from '../change.ts';
import {
  projectGroupAdded,
  projectGroupRemoved,
  projectGroupRoleChanged,
  projectUserAdded,
  projectUserRemoved,
  projectUserRoleChanged,
} from '../events.ts';
import { type Holder, isOf } from '../holding.ts';
import { getHolder, getRole } from '../role-input.ts';

/** A role of a user or a group, by their ids. */
interface Place {
  readonly project: string;
  readonly kind: Holder['kind'];
  readonly holder: number;
  readonly role: number;
}

async function getPlace(tx: Tx, { project, kind, holder, role }: Place) {
  await closeAccess(tx, project);
  return { holder: await getHolder(tx, kind, holder), role: await getRole(tx, role) };
}

type Somebody = Awaited<ReturnType<typeof getPlace>>['holder'];
type RoleName = { readonly id: number; readonly name: string };

const userRole = ({ id, email }: Somebody, role: RoleName) => ({
  userId: id,
  roleId: role.id,
  roleName: role.name,
  email,
});

const groupRole = ({ id }: Somebody, role: RoleName) => ({
  groupId: id,
  roleId: role.id,
  roleName: role.name,
});

const groupOfProject = ({ id }: Somebody, projectId: string, { name }: RoleName) => ({
  groupId: id,
  projectId,
  roleName: name,
});

const recordAdded = (tx: Tx, project: string, holder: Somebody, role: RoleName) =>
  record(
    tx,
    holder.kind === 'user'
      ? projectUserAdded({ project, data: userRole(holder, role) })
      : projectGroupAdded({ project, data: groupOfProject(holder, project, role) }),
  );

const recordRemoved = (tx: Tx, project: string, holder: Somebody, role: RoleName) =>
  record(
    tx,
    holder.kind === 'user'
      ? projectUserRemoved({ project, preData: userRole(holder, role) })
      : projectGroupRemoved({ project, preData: groupOfProject(holder, project, role) }),
  );

const recordChanged = (
  tx: Tx,
  project: string,
  holder: Somebody,
  { from, to }: { readonly from: RoleName; readonly to: RoleName },
) =>
  record(
    tx,
    holder.kind === 'user'
      ? projectUserRoleChanged({
          project,
          data: userRole(holder, to),
          preData: userRole(holder, from),
        })
      : projectGroupRoleChanged({
          project,
          data: groupRole(holder, to),
          preData: groupRole(holder, from),
        }),
  );

export async function addRole(tx: Tx, place: Place): Promise<void> {
  const { project, kind } = place;
  const { holder, role } = await getPlace(tx, place);
  const { added } = await changeAccess(tx, project, (before) => [
    ...before,
    { kind, id: holder.id, role: role.id },
  ]);
  if (added.length > 0) recordAdded(tx, project, holder, role);
}

/** Afterwards it is the only one; of several that it replaces, each is told. */
export async function changeRole(tx: Tx, place: Place): Promise<void> {
  const { project, kind } = place;
  const { holder, role } = await getPlace(tx, place);
  const { added, removed } = await changeAccess(tx, project, (before) => [
    ...before.filter((each) => !isOf(holder)(each)),
    { kind, id: holder.id, role: role.id },
  ]);
  for (const { role: id, roleName: name } of removed) {
    recordChanged(tx, project, holder, { from: { id, name }, to: role });
  }
  if (removed.length === 0 && added.length > 0) recordAdded(tx, project, holder, role);
}

export async function removeRole(tx: Tx, place: Place): Promise<void> {
  const { project } = place;
  const { holder, role } = await getPlace(tx, place);
  const { removed } = await changeAccess(tx, project, (before) =>
    before.filter((each) => !(isOf(holder)(each) && each.role === role.id)),
  );
  if (removed.length > 0) recordRemoved(tx, project, holder, role);
}
