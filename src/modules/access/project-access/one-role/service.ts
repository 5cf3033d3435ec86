import type { Tx } from '../../../../platform/db/database.ts';
import { record } from '../../../events/index.ts';
import { belongsTo, type RoleHolder } from '../assignments.ts';
import { changeAccess, lockAccess } from '../change.ts';
import {
  projectGroupAdded,
  projectGroupRemoved,
  projectGroupRoleChanged,
  projectUserAdded,
  projectUserRemoved,
  projectUserRoleChanged,
} from '../events.ts';
import { getHolder, getRole, type NamedHolder } from '../role-input.ts';

/** A role of a user or a group, by their ids. */
interface HolderRole {
  readonly project: string;
  readonly kind: RoleHolder['kind'];
  readonly holder: number;
  readonly role: number;
}

async function getHolderAndRole(tx: Tx, { project, kind, holder, role }: HolderRole) {
  await lockAccess(tx, project);
  return { holder: await getHolder(tx, kind, holder), role: await getRole(tx, role) };
}

type RoleName = { readonly id: number; readonly name: string };

const userRole = ({ id, name, email }: NamedHolder, role: RoleName) => ({
  userId: id,
  roleId: role.id,
  roleName: role.name,
  userName: name,
  email,
});

const groupRole = ({ id, name }: NamedHolder, role: RoleName) => ({
  groupId: id,
  groupName: name,
  roleId: role.id,
  roleName: role.name,
});

const groupOfProject = ({ id, name }: NamedHolder, projectId: string, role: RoleName) => ({
  groupId: id,
  groupName: name,
  projectId,
  roleId: role.id,
  roleName: role.name,
});

const recordAdded = (tx: Tx, project: string, holder: NamedHolder, role: RoleName) =>
  record(
    tx,
    holder.kind === 'user'
      ? projectUserAdded({ project, data: userRole(holder, role) })
      : projectGroupAdded({ project, data: groupOfProject(holder, project, role) }),
  );

const recordRemoved = (tx: Tx, project: string, holder: NamedHolder, role: RoleName) =>
  record(
    tx,
    holder.kind === 'user'
      ? projectUserRemoved({ project, preData: userRole(holder, role) })
      : projectGroupRemoved({ project, preData: groupOfProject(holder, project, role) }),
  );

const recordChanged = (
  tx: Tx,
  project: string,
  holder: NamedHolder,
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

export async function addRole(tx: Tx, holderRole: HolderRole): Promise<void> {
  const { project, kind } = holderRole;
  const { holder, role } = await getHolderAndRole(tx, holderRole);
  const { added } = await changeAccess(tx, project, (before) => [
    ...before,
    { kind, id: holder.id, role: role.id },
  ]);
  if (added.length > 0) recordAdded(tx, project, holder, role);
}

/** Afterwards it is the only role. Records an event for each role that it replaces. */
export async function changeRole(tx: Tx, holderRole: HolderRole): Promise<void> {
  const { project, kind } = holderRole;
  const { holder, role } = await getHolderAndRole(tx, holderRole);
  const { added, removed } = await changeAccess(tx, project, (before) => [
    ...before.filter((each) => !belongsTo(holder)(each)),
    { kind, id: holder.id, role: role.id },
  ]);
  for (const { role: id, roleName: name } of removed) {
    recordChanged(tx, project, holder, { from: { id, name }, to: role });
  }
  if (removed.length === 0 && added.length > 0) recordAdded(tx, project, holder, role);
}

export async function removeRole(tx: Tx, holderRole: HolderRole): Promise<void> {
  const { project } = holderRole;
  const { holder, role } = await getHolderAndRole(tx, holderRole);
  const { removed } = await changeAccess(tx, project, (before) =>
    before.filter((each) => !(belongsTo(holder)(each) && each.role === role.id)),
  );
  if (removed.length > 0) recordRemoved(tx, project, holder, role);
}
