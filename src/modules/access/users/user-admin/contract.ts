import { Type } from 'typebox';
import { endpoint } from '../../../../platform/contract/endpoint.ts';
import { descriptionOrNull, named } from '../../../../platform/contract/schema.ts';
import { RoleSchema } from '../../roles/contract.ts';
import {
  EmailSchema,
  PasswordSchema,
  PersonNameSchema,
  RoleIdOrNameSchema,
  UserBasicsSchema,
  UsernameSchema,
  UserSchema,
} from '../user-schema.ts';

const tag = 'Users';
const path = '/api/admin/user-admin';
const params = Type.Object({ id: Type.String() });
const permission = 'ADMIN';
const conflict = 'the username or email address is taken';

const CreateUserSchema = named(
  'createUserSchema',
  Type.Object({
    username: Type.Optional(UsernameSchema),
    email: Type.Optional(EmailSchema),
    name: Type.Optional(PersonNameSchema),
    password: Type.Optional(PasswordSchema),
    rootRole: RoleIdOrNameSchema,
    sendEmail: Type.Optional(
      Type.Boolean({ description: 'Whether to send the invitation by email; default true' }),
    ),
  }),
);

const UserChangeSchema = named(
  'updateUserSchema',
  Type.Object({
    name: Type.Optional(PersonNameSchema),
    email: Type.Optional(EmailSchema),
    rootRole: Type.Optional(RoleIdOrNameSchema),
  }),
);

const CreatedUserSchema = named(
  'createUserResponseSchema',
  Type.Object({
    ...UserSchema.properties,
    inviteLink: Type.Optional(
      Type.String({
        description: 'Link to set a password, once, within 7 days. Returned only here',
      }),
    ),
    emailSent: Type.Boolean({ description: 'Whether the link was sent to the user' }),
  }),
);

const GroupBasicsSchema = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  description: descriptionOrNull,
  userCount: Type.Integer({ minimum: 0 }),
  rootRole: Type.Optional(Type.Integer()),
});

export const userAdminContract = {
  listUsers: endpoint({
    method: 'GET',
    path,
    id: 'getUsers',
    tag,
    summary: 'List users and the available root roles',
    permission,
    response: named(
      'usersSchema',
      Type.Object({
        users: Type.Array(UserSchema),
        rootRoles: Type.Array(RoleSchema),
      }),
    ),
  }),

  createUser: endpoint({
    method: 'POST',
    path,
    id: 'createUser',
    secretInResponse: true,
    conflict,
    tag,
    summary: 'Create a user',
    description: 'Without a password, the user sets one through the invitation link.',
    permission,
    body: CreateUserSchema,
    response: CreatedUserSchema,
    status: 201,
    locatedBy: 'id',
  }),

  searchUsers: endpoint({
    method: 'GET',
    path: `${path}/search`,
    id: 'searchUsers',
    tag,
    summary: 'Search users by name, username, or email address',
    description:
      'Returns at most 100 users. An exact match of the username or email address comes first.',
    permission: 'none',
    query: Type.Object({
      q: Type.Optional(
        Type.String({
          maxLength: 255,
          description: 'Case-insensitive. An empty text finds no one',
        }),
      ),
    }),
    response: Type.Array(UserBasicsSchema),
  }),

  listUsersAndGroups: endpoint({
    method: 'GET',
    path: `${path}/access`,
    id: 'getBaseUsersAndGroups',
    tag,
    summary: 'List all accounts and groups that can have project roles',
    permission: 'none',
    response: named(
      'usersGroupsBaseSchema',
      Type.Object({
        groups: Type.Array(GroupBasicsSchema),
        users: Type.Array(
          Type.Object({ ...UserBasicsSchema.properties, accountType: Type.String() }),
        ),
      }),
    ),
  }),

  countAdministrators: endpoint({
    method: 'GET',
    path: `${path}/admin-count`,
    id: 'getAdminCount',
    tag,
    summary: 'Count the accounts with the Admin role',
    permission,
    response: named(
      'adminCountSchema',
      Type.Object({
        password: Type.Integer({ description: 'Users with a password' }),
        noPassword: Type.Integer({ description: 'Users without a password' }),
        service: Type.Integer({ description: 'Service accounts' }),
      }),
    ),
  }),

  getUser: endpoint({
    method: 'GET',
    path: `${path}/:id`,
    id: 'getUser',
    tag,
    summary: 'Get a user',
    permission,
    params,
    response: UserSchema,
  }),

  updateUser: endpoint({
    method: 'PUT',
    path: `${path}/:id`,
    id: 'updateUser',
    conflict,
    tag,
    summary: 'Update a user',
    description: 'Omitted properties stay unchanged. The last admin keeps the Admin role.',
    permission,
    params,
    body: UserChangeSchema,
    response: named('createUserResponseSchema', UserSchema),
  }),

  deleteUser: endpoint({
    method: 'DELETE',
    path: `${path}/:id`,
    id: 'deleteUser',
    tag,
    summary: 'Delete a user',
    description:
      "You can't delete your own account or the last admin. If the user is the only owner of a project, admins can assign another one.",
    permission,
    params,
  }),
};
