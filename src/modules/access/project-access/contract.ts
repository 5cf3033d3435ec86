import { type Static, Type } from 'typebox';
import { endpoint } from '../../../platform/contract/endpoint.ts';
import {
  atMoment,
  descriptionOrNull,
  instant,
  maxInteger,
  named,
} from '../../../platform/contract/schema.ts';
import {
  account,
  beyondOwn,
  held,
  lastOwner,
  mayReadAccess,
  mayWrite,
  ProjectRoleSchema,
  projectParams,
  scope,
  tag,
  UserWithRolesSchema,
} from './access-schema.ts';
import { oneRoleContract } from './one-role/contract.ts';

const path = '/api/admin/projects/:projectId';

/** A string, so that an id which is no number gives 404 and not 400. */
const userParams = Type.Object({ projectId: Type.String(), userId: Type.String() });
const groupParams = Type.Object({ projectId: Type.String(), groupId: Type.String() });

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
    roles: Type.Array(ProjectRoleSchema, { description: 'Roles that can be granted' }),
  }),
);
export type ProjectAccess = Static<typeof ProjectAccessSchema>;

const id = Type.Integer({ minimum: 1, maximum: maxInteger });
const roleIds = Type.Array(id, { maxItems: 100, description: 'IDs of project roles' });
const userIds = Type.Array(id, {
  maxItems: 1000,
  description: 'IDs of users and service accounts',
});
const groupIds = Type.Array(id, { maxItems: 1000, description: 'IDs of groups' });

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
      {
        maxItems: 100,
        description:
          'Each role with all users and groups that have it. Everyone else loses their roles',
      },
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
    summary: 'Get the roles of users and groups in a project',
    permission: mayReadAccess,
    scope,
    params: projectParams,
    query: atMoment,
    response: ProjectAccessSchema,
  }),

  addProjectAccess: endpoint({
    method: 'POST',
    path: `${path}/access`,
    id: 'addAccessToProject',
    tag,
    summary: 'Grant project roles to users and groups',
    description: `Grants each role to all of them. Existing roles stay. ${beyondOwn}`,
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
    summary: 'Replace the roles of all users and groups in a project',
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
    summary: "Replace a user's roles in a project",
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
    summary: "Remove all of a user's roles in a project",
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
    summary: "Replace a group's roles in a project",
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
    summary: "Remove all of a group's roles in a project",
    description: lastOwner,
    permission: mayWrite,
    scope,
    params: groupParams,
  }),
};

export const projectAccessContract = { ...accessContract, ...oneRoleContract };
