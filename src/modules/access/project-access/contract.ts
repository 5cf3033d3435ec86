import { type Static, Type } from 'typebox';
import { endpoint } from '../../../platform/contract/endpoint.ts';
import {
  descriptionOrNull,
  instant,
  maxInteger,
  named,
} from '../../../platform/contract/schema.ts';

export const tag = 'Project access';
export const scope = 'projectId';
export const mayRead = ['UPDATE_PROJECT', 'PROJECT_USER_ACCESS_READ'];
export const mayWrite = ['UPDATE_PROJECT', 'PROJECT_USER_ACCESS_WRITE'];

export const beyondOwn =
  'Nobody can give a role that permits more than they may do in the project.';
export const lastOwner = 'The last owner of a project cannot be removed.';

const path = '/api/admin/projects/:projectId';

/** Text, so that an id that is no number is one of nobody, and not malformed. */
const userParams = Type.Object({ projectId: Type.String(), userId: Type.String() });
const groupParams = Type.Object({ projectId: Type.String(), groupId: Type.String() });
export const projectParams = Type.Object({ projectId: Type.String() });

export const ProjectRoleSchema = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  type: Type.String({ description: 'project: built in; custom: made here' }),
  description: Type.String(),
});

const held = {
  addedAt: Type.Unsafe<string>({ ...instant, description: 'Since when it has a role here' }),
  roleId: Type.Integer({ description: 'The first of its roles' }),
  roles: Type.Array(Type.Integer(), { description: 'The ids of its roles in the project' }),
};

const account = {
  id: Type.Integer(),
  name: Type.String(),
  username: Type.Optional(Type.String()),
  email: Type.Optional(Type.String()),
  imageUrl: Type.String(),
};

export const UserWithRolesSchema = named(
  'userWithProjectRoleSchema',
  Type.Object({
    ...account,
    accountType: Type.String({ description: 'User or Service Account' }),
    ...held,
  }),
);

const GroupWithRolesSchema = named(
  'groupWithProjectRoleSchema',
  Type.Object({
    id: Type.Integer(),
    name: Type.String(),
    description: descriptionOrNull,
    mappingsSSO: Type.Array(Type.String()),
    rootRole: Type.Optional(Type.Integer()),
    createdAt: instant,
    createdBy: Type.String(),
    users: Type.Array(
      Type.Object({ user: Type.Object(account), joinedAt: instant, createdBy: Type.String() }),
    ),
    ...held,
  }),
);

const ProjectAccessSchema = named(
  'projectAccessSchema',
  Type.Object({
    users: Type.Array(UserWithRolesSchema),
    groups: Type.Array(GroupWithRolesSchema),
    roles: Type.Array(ProjectRoleSchema, { description: 'The roles that can be given' }),
  }),
);
export type ProjectAccess = Static<typeof ProjectAccessSchema>;

const id = Type.Integer({ minimum: 1, maximum: maxInteger });
const roleIds = Type.Array(id, { maxItems: 100, description: 'Ids of project roles' });
const userIds = Type.Array(id, {
  maxItems: 1000,
  description: 'Ids of people and service accounts',
});
const groupIds = Type.Array(id, { maxItems: 1000, description: 'Ids of groups' });

const AddAccessSchema = named(
  'projectAddAccessSchema',
  Type.Object({ roles: roleIds, groups: groupIds, users: userIds }),
);
export type AddAccess = Static<typeof AddAccessSchema>;

const SetAccessSchema = named(
  'projectAccessConfigurationSchema',
  Type.Object({
    roles: Type.Array(
      Type.Object({ id, groups: Type.Optional(groupIds), users: Type.Optional(userIds) }),
      { maxItems: 100, description: 'Each role with all who have it; who is not named has none' },
    ),
  }),
);
export type SetAccess = Static<typeof SetAccessSchema>;

const SetRolesSchema = Type.Object({ roles: roleIds });

export const accessContract = {
  getProjectAccess: endpoint({
    method: 'GET',
    path: `${path}/access`,
    id: 'getProjectAccess',
    tag,
    summary: 'Who has which roles in a project, and the roles that can be given',
    permission: mayRead,
    scope,
    params: projectParams,
    response: ProjectAccessSchema,
  }),

  addProjectAccess: endpoint({
    method: 'POST',
    path: `${path}/access`,
    id: 'addAccessToProject',
    tag,
    summary: 'Give each of these roles to all of these users and groups',
    description: `What they have already stays as it is. ${beyondOwn}`,
    permission: mayWrite,
    scope,
    params: projectParams,
    body: AddAccessSchema,
  }),

  setProjectAccess: endpoint({
    method: 'PUT',
    path: `${path}/access`,
    id: 'setProjectAccess',
    tag,
    summary: 'Replace all roles that users and groups have in a project',
    description: `${beyondOwn} ${lastOwner}`,
    permission: mayWrite,
    scope,
    params: projectParams,
    body: SetAccessSchema,
  }),

  setUserRoles: endpoint({
    method: 'PUT',
    path: `${path}/users/:userId/roles`,
    id: 'setRolesForUser',
    tag,
    summary: 'Replace the roles of a user in a project',
    description: `${beyondOwn} ${lastOwner}`,
    permission: mayWrite,
    scope,
    params: userParams,
    body: SetRolesSchema,
  }),

  removeUserRoles: endpoint({
    method: 'DELETE',
    path: `${path}/users/:userId/roles`,
    id: 'removeUserAccess',
    tag,
    summary: 'Take all roles in a project away from a user',
    description: lastOwner,
    permission: mayWrite,
    scope,
    params: userParams,
  }),

  setGroupRoles: endpoint({
    method: 'PUT',
    path: `${path}/groups/:groupId/roles`,
    id: 'setRolesForGroup',
    tag,
    summary: 'Replace the roles of a group in a project',
    description: `${beyondOwn} ${lastOwner}`,
    permission: mayWrite,
    scope,
    params: groupParams,
    body: SetRolesSchema,
  }),

  removeGroupRoles: endpoint({
    method: 'DELETE',
    path: `${path}/groups/:groupId/roles`,
    id: 'removeGroupAccess',
    tag,
    summary: 'Take all roles in a project away from a group',
    description: lastOwner,
    permission: mayWrite,
    scope,
    params: groupParams,
  }),
};
