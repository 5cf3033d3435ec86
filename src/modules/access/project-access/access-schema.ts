import { Type } from 'typebox';
import { instant, named } from '../../../platform/contract/schema.ts';

export const tag = 'Project access';
export const scope = 'projectId';
export const mayReadAccess = ['UPDATE_PROJECT', 'PROJECT_USER_ACCESS_READ'];
export const mayWrite = ['UPDATE_PROJECT', 'PROJECT_USER_ACCESS_WRITE'];

export const beyondOwn = "You can't grant a role with more permissions than you have.";
export const lastOwner = "The last owner of a project can't be removed.";

export const projectParams = Type.Object({ projectId: Type.String() });

export const ProjectRoleSchema = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  type: Type.String({ description: 'project: built-in; custom: user-defined' }),
  description: Type.String(),
});

export const held = {
  addedAt: Type.Unsafe<string>({
    ...instant,
    description: 'When it got its first role in the project',
  }),
  roleId: Type.Integer({ description: 'ID of its first role' }),
  roles: Type.Array(Type.Integer(), { description: 'IDs of its roles in the project' }),
};

export const account = {
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
