import { joinAnd } from '../../../platform/joined.ts';
import { defineEvent, type Json, personName, type Words } from '../../events/index.ts';

/** Erased with the person. */
const personal = ['userName', 'email'];

export interface AddedRole {
  roleId: number;
  roleName: string;
  groupIds: readonly number[];
  /** The names of `groupIds`, in their order. */
  groupNames: readonly string[];
  userIds: readonly number[];
}

interface AddedAccess {
  /** The deprecated route, which takes one role, records it without a list. */
  roles: readonly AddedRole[] | AddedRole;
  /** Only of a single user: the names of several could not be erased one by one. */
  userId?: number;
  userName?: string;
}

/** A sentence has at most this many names for each role. */
const namesPerRole = 5;

/** "Bo and group Web", then where, then "as Owner"; only the first role says where. */
const accessAddedSummary = ({ user, project, data, bold, text }: Words): string => {
  const roles = [data.roles].flat() as unknown as readonly AddedRole[];
  const userName = (id: number) => (data.userName ? bold(data.userName) : `user ${bold(id)}`);
  const phrases = roles.map(({ roleName, groupNames, userIds }, index) => {
    const names = [...userIds.map(userName), ...groupNames.map((name) => `group ${bold(name)}`)];
    return `${joinAnd(names, namesPerRole)}${index === 0 ? ` to ${project}` : ''} as ${text(roleName)}`;
  });
  return `${user} added ${phrases.join('; ')}`;
};

export const projectAccessAdded = defineEvent<AddedAccess>({
  type: 'project-access-added',
  summary: accessAddedSummary,
  personal,
});

interface HeldRoles {
  roles: readonly number[];
  /** The names of `roles`, in their order. */
  roleNames: readonly string[];
}

interface UserRoles extends HeldRoles {
  userId: number;
  userName: string;
}

interface GroupRoles extends HeldRoles {
  groupId: number;
  groupName: string;
}

/** "from Member to Owner", as far as the event has the names. */
const rolesChange = ({ data, preData, text }: Words): string => {
  if (!Array.isArray(data.roleNames) || !Array.isArray(preData.roleNames)) return '';
  const listed = (names: readonly Json[]) =>
    names.length === 0 ? 'none' : joinAnd(names.map(text));
  return ` from ${listed(preData.roleNames)} to ${listed(data.roleNames)}`;
};

export const userRolesUpdated = defineEvent<UserRoles>({
  type: 'project-access-user-roles-updated',
  summary: (words) =>
    `${words.user} changed the roles of ${words.bold(words.data.userName ?? words.data.userId)} in ${words.project}${rolesChange(words)}`,
  personal,
});

export const groupRolesUpdated = defineEvent<GroupRoles>({
  type: 'project-access-group-roles-updated',
  summary: (words) =>
    `${words.user} changed the roles of group ${words.bold(words.data.groupName ?? words.data.groupId)} in ${words.project}${rolesChange(words)}`,
});

export const userRolesDeleted = defineEvent<UserRoles>({
  type: 'project-access-user-roles-deleted',
  summary: ({ user, project, preData, bold }) =>
    `${user} removed ${bold(preData.userName ?? preData.userId)} from ${project}`,
  personal,
});

export const groupRolesDeleted = defineEvent<GroupRoles>({
  type: 'project-access-group-roles-deleted',
  summary: ({ user, project, preData, bold }) =>
    `${user} removed group ${bold(preData.groupName ?? preData.groupId)} from ${project}`,
});

interface RoleWithHolders {
  id: number;
  groups: readonly number[];
  users: readonly number[];
}

export const projectAccessUpdated = defineEvent<{ roles: readonly RoleWithHolders[] }>({
  type: 'project-access-updated',
  summary: ({ user, project }) => `${user} replaced all members of ${project}`,
});

interface UserRole {
  userId: number;
  roleId: number;
  roleName: string;
  userName: string;
  email: string | null;
}

const userOf = ({ userName, email, userId }: Words['data']) =>
  personName({ name: userName, email, id: userId });

export const projectUserAdded = defineEvent<UserRole>({
  type: 'project-user-added',
  summary: ({ user, project, data, bold, text }) =>
    `${user} added ${bold(userOf(data))} to ${project} as ${text(data.roleName)}`,
  personal,
});

export const projectUserRemoved = defineEvent<UserRole>({
  type: 'project-user-removed',
  summary: ({ user, project, preData, bold, text }) =>
    `${user} removed role ${text(preData.roleName)} from ${bold(userOf(preData))} in ${project}`,
  personal,
});

export const projectUserRoleChanged = defineEvent<UserRole>({
  type: 'project-user-role-changed',
  summary: ({ user, project, data, preData, bold, text }) =>
    `${user} changed the role of ${bold(userOf(data))} in ${project} from ${text(preData.roleName)} to ${text(data.roleName)}`,
  personal,
});

interface GroupRole {
  groupId: number;
  groupName: string;
  roleId: number;
  roleName: string;
}

export const projectGroupRoleChanged = defineEvent<GroupRole>({
  type: 'project-group-role-changed',
  summary: ({ user, project, data, preData, bold, text }) =>
    `${user} changed the role of group ${bold(data.groupName ?? data.groupId)} in ${project} from ${text(preData.roleName)} to ${text(data.roleName)}`,
});

interface GroupOfProject {
  groupId: number;
  groupName: string;
  projectId: string;
  roleId: number;
  roleName: string;
}

export const projectGroupAdded = defineEvent<GroupOfProject>({
  type: 'project-group-added',
  summary: ({ user, project, data, bold, text }) =>
    `${user} added group ${bold(data.groupName ?? data.groupId)} to ${project} as ${text(data.roleName)}`,
});

export const projectGroupRemoved = defineEvent<GroupOfProject>({
  type: 'project-group-removed',
  summary: ({ user, project, preData, bold, text }) =>
    `${user} removed role ${text(preData.roleName)} from group ${bold(preData.groupName ?? preData.groupId)} in ${project}`,
});
