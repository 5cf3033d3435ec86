import { type Static, Type } from 'typebox';
import { endpoint } from '../../../../platform/contract/endpoint.ts';
import { maxInteger, named } from '../../../../platform/contract/schema.ts';
import {
  beyondOwn,
  lastOwner,
  mayReadAccess,
  mayWrite,
  ProjectRoleSchema,
  projectParams,
  scope,
  tag,
  UserWithRolesSchema,
} from '../access-schema.ts';

const path = '/api/admin/projects/:projectId';
const ofUser = `${path}/users/:userId/roles/:roleId` as const;
const ofGroup = `${path}/groups/:groupId/roles/:roleId` as const;

const userParams = Type.Object({
  projectId: Type.String(),
  userId: Type.String(),
  roleId: Type.String(),
});
const groupParams = Type.Object({
  projectId: Type.String(),
  groupId: Type.String(),
  roleId: Type.String(),
});

const shared = { tag, permission: mayWrite, scope, deprecated: true } as const;

const byId = Type.Array(Type.Object({ id: Type.Integer({ minimum: 1, maximum: maxInteger }) }), {
  maxItems: 1000,
});

const AddToRoleSchema = named(
  'projectAddRoleAccessSchema',
  Type.Object({ groups: byId, users: byId }),
);
export type AddToRole = Static<typeof AddToRoleSchema>;

/** Routes for one role at a time, from when no one could have two. */
export const oneRoleContract = {
  addUserRole: endpoint({
    ...shared,
    method: 'POST',
    path: ofUser,
    id: 'addRoleToUser',
    summary: 'Grant a user a role in a project',
    description: beyondOwn,
    params: userParams,
  }),

  changeUserRole: endpoint({
    ...shared,
    method: 'PUT',
    path: ofUser,
    id: 'changeRoleForUser',
    summary: "Make a role the user's only role in a project",
    description: `${beyondOwn} ${lastOwner}`,
    params: userParams,
  }),

  removeUserRole: endpoint({
    ...shared,
    method: 'DELETE',
    path: ofUser,
    id: 'removeRoleForUser',
    summary: 'Remove a role of a user in a project',
    description: lastOwner,
    params: userParams,
  }),

  addGroupRole: endpoint({
    ...shared,
    method: 'POST',
    path: ofGroup,
    id: 'addRoleToGroup',
    summary: 'Grant a group a role in a project',
    description: beyondOwn,
    params: groupParams,
  }),

  changeGroupRole: endpoint({
    ...shared,
    method: 'PUT',
    path: ofGroup,
    id: 'changeRoleForGroup',
    summary: "Make a role the group's only role in a project",
    description: `${beyondOwn} ${lastOwner}`,
    params: groupParams,
  }),

  removeGroupRole: endpoint({
    ...shared,
    method: 'DELETE',
    path: ofGroup,
    id: 'removeRoleForGroup',
    summary: 'Remove a role of a group in a project',
    description: lastOwner,
    params: groupParams,
  }),

  addToRole: endpoint({
    ...shared,
    method: 'POST',
    path: `${path}/role/:roleId/access`,
    id: 'addRoleAccessToProject',
    summary: 'Grant users and groups a role in a project',
    description: beyondOwn,
    params: Type.Object({ projectId: Type.String(), roleId: Type.String() }),
    body: AddToRoleSchema,
  }),

  listProjectUsers: endpoint({
    ...shared,
    method: 'GET',
    path: `${path}/users`,
    id: 'getProjectUsers',
    summary: 'List users with a direct role in a project',
    permission: mayReadAccess,
    params: projectParams,
    response: named(
      'projectUsersSchema',
      Type.Object({
        users: Type.Array(UserWithRolesSchema),
        roles: Type.Array(ProjectRoleSchema),
      }),
    ),
  }),
};
