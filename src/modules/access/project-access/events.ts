import { defineEvent } from '../../events/index.ts';

export interface AddedRole {
  roleId: number;
  groupIds: readonly number[];
  userIds: readonly number[];
}

/** The deprecated route, which takes one role, records it without a list. */
export const projectAccessAdded = defineEvent<{ roles: readonly AddedRole[] | AddedRole }>({
  type: 'project-access-added',
  summary: ({ user, project }) => `${user} granted roles in the project ${project}`,
});

interface UserRoles {
  roles: readonly number[];
  userId: number;
}

export const userRolesUpdated = defineEvent<UserRoles>({
  type: 'project-access-user-roles-updated',
  summary: ({ user, project, data, bold }) =>
    `${user} changed the roles of the user ${bold(data.userId)} in the project ${project}`,
});

interface GroupRoles {
  roles: readonly number[];
  groupId: number;
}

export const groupRolesUpdated = defineEvent<GroupRoles>({
  type: 'project-access-group-roles-updated',
  summary: ({ user, project, data, bold }) =>
    `${user} changed the roles of the group ${bold(data.groupId)} in the project ${project}`,
});

export const userRolesDeleted = defineEvent<UserRoles>({
  type: 'project-access-user-roles-deleted',
  summary: ({ user, project, preData, bold }) =>
    `${user} removed all roles of the user ${bold(preData.userId)} in the project ${project}`,
});

export const groupRolesDeleted = defineEvent<GroupRoles>({
  type: 'project-access-group-roles-deleted',
  summary: ({ user, project, preData, bold }) =>
    `${user} removed all roles of the group ${bold(preData.groupId)} in the project ${project}`,
});

interface RoleWithHolders {
  id: number;
  groups: readonly number[];
  users: readonly number[];
}

export const projectAccessUpdated = defineEvent<{ roles: readonly RoleWithHolders[] }>({
  type: 'project-access-updated',
  summary: ({ user, project }) => `${user} replaced all roles in the project ${project}`,
});

interface UserRole {
  userId: number;
  roleId: number;
  roleName: string;
  email: string | null;
}

/** Erased with the person. */
const personal = ['email'];

export const projectUserAdded = defineEvent<UserRole>({
  type: 'project-user-added',
  summary: ({ user, project, data, bold }) =>
    `${user} granted the user ${bold(data.email ?? data.userId)} the role ${bold(data.roleName)} in the project ${project}`,
  personal,
});

export const projectUserRemoved = defineEvent<UserRole>({
  type: 'project-user-removed',
  summary: ({ user, project, preData, bold }) =>
    `${user} removed the role ${bold(preData.roleName)} in the project ${project} from the user ${bold(preData.email ?? preData.userId)}`,
  personal,
});

export const projectUserRoleChanged = defineEvent<UserRole>({
  type: 'project-user-role-changed',
  summary: ({ user, project, data, preData, bold }) =>
    `${user} changed the role of the user ${bold(data.email ?? data.userId)} in the project ${project} from ${bold(preData.roleName)} to ${bold(data.roleName)}`,
  personal,
});

interface GroupRole {
  groupId: number;
  roleId: number;
  roleName: string;
}

export const projectGroupRoleChanged = defineEvent<GroupRole>({
  type: 'project-group-role-changed',
  summary: ({ user, project, data, preData, bold }) =>
    `${user} changed the role of the group ${bold(data.groupId)} in the project ${project} from ${bold(preData.roleName)} to ${bold(data.roleName)}`,
});

interface GroupOfProject {
  groupId: number;
  projectId: string;
  roleName: string;
}

export const projectGroupAdded = defineEvent<GroupOfProject>({
  type: 'project-group-added',
  summary: ({ user, project, data, bold }) =>
    `${user} granted the group ${bold(data.groupId)} the role ${bold(data.roleName)} in the project ${project}`,
});

export const projectGroupRemoved = defineEvent<GroupOfProject>({
  type: 'project-group-removed',
  summary: ({ user, project, preData, bold }) =>
    `${user} removed the role ${bold(preData.roleName)} in the project ${project} from the group ${bold(preData.groupId)}`,
});
