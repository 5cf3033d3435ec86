import { Type } from 'typebox';
import { endpoint } from '../../../../platform/contract/endpoint.ts';
import { descriptionOrNull, named } from '../../../../platform/contract/schema.ts';
import { RoleSchema } from '../../roles/contract.ts';
import {
  EmailSchema,
  PasswordSchema,
  PersonNameSchema,
  RoleWishSchema,
  UserBasicsSchema,
  UsernameSchema,
  UserSchema,
} from '../user-schema.ts';

const tag = 'Users';
const path = '/api/admin/user-admin';
const params = Type.Object({ id: Type.String() });
const permission = 'ADMIN';
const conflict = 'the user name or the e-mail address is taken';

const CreateUserSchema = named(
  'createUserSchema',
  Type.Object({
    username: Type.Optional(UsernameSchema),
    email: Type.Optional(EmailSchema),
    name: Type.Optional(PersonNameSchema),
    password: Type.Optional(PasswordSchema),
    rootRole: RoleWishSchema,
    sendEmail: Type.Optional(
      Type.Boolean({ description: 'Whether the invitation is sent by mail; as a rule it is' }),
    ),
  }),
);

const UserChangeSchema = named(
  'updateUserSchema',
  Type.Object({
    name: Type.Optional(PersonNameSchema),
    email: Type.Optional(EmailSchema),
    rootRole: Type.Optional(RoleWishSchema),
  }),
);

const CreatedUserSchema = named(
  'createUserResponseSchema',
  Type.Object({
    ...UserSchema.properties,
    inviteLink: Type.Optional(
      Type.String({
        description: 'Where the person sets a password, once, within 7 days. Shown only here',
      }),
    ),
    emailSent: Type.Boolean({ description: 'Whether the link was sent to the person' }),
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
    summary: 'All people, and the root roles that they can have',
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
    conflict,
    tag,
    summary: 'Create a person',
    description: 'Without a password, the person sets one by the link of the invitation.',
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
    summary: 'People whose name, user name or e-mail address contains a text',
    description: 'At most 100; who has exactly this user name or address comes first.',
    permission: 'none',
    query: Type.Object({
      q: Type.Optional(
        Type.String({
          maxLength: 254,
          description: 'Upper and lower case are the same. An empty text finds nobody',
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
    summary: 'Everybody who can be given a role in a project: accounts and groups',
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
    summary: 'How many accounts have the Admin role, themselves or through a group',
    permission,
    response: named(
      'adminCountSchema',
      Type.Object({
        password: Type.Integer({ description: 'People with a password' }),
        noPassword: Type.Integer({ description: 'People without one' }),
        service: Type.Integer({ description: 'Service accounts' }),
      }),
    ),
  }),

  getUser: endpoint({
    method: 'GET',
    path: `${path}/:id`,
    id: 'getUser',
    tag,
    summary: 'One person',
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
    summary: 'Change a person',
    description: 'What is left out stays as it is. The last administrator keeps the Admin role.',
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
    summary: 'Delete a person',
    description:
      'The last administrator cannot be deleted, and nobody themself. A project that only this account owned is left to administrators, who can give it another owner.',
    permission,
    params,
  }),
};
