import { type Static, Type } from 'typebox';
import { endpoint, nullable, withDefault } from '../../../platform/contract/endpoint.ts';
import {
  atMoment,
  descriptionOrNull,
  instant,
  maxInteger,
  named,
  nameText,
  oneOf,
} from '../../../platform/contract/schema.ts';
import { UserSchema } from '../users/user-schema.ts';

const tag = 'Users';

/** Enough for the people of a large company. */
const maxMembers = 10_000;

const GroupUserSchema = named(
  'groupUserModelSchema',
  Type.Object({
    joinedAt: instant,
    createdBy: Type.String({ description: 'Name of who added the user' }),
    user: UserSchema,
  }),
);
export type GroupUser = Static<typeof GroupUserSchema>;

const GroupSchema = named(
  'groupSchema',
  Type.Object({
    id: Type.Integer(),
    name: Type.String(),
    description: descriptionOrNull,
    mappingsSSO: Type.Array(Type.String(), {
      description: 'Groups of the identity provider whose users are members of this group',
    }),
    rootRole: Type.Optional(
      Type.Integer({ description: 'Root role that the members have in addition to their own' }),
    ),
    createdBy: Type.String(),
    createdAt: instant,
    projects: Type.Array(Type.String(), { description: 'Projects in which the group has a role' }),
    users: Type.Array(GroupUserSchema),
    userCount: Type.Integer(),
  }),
);
export type Group = Static<typeof GroupSchema>;

const name = nameText({ maxLength: 100, description: 'Unique name' });

const id = Type.Integer({ minimum: 0, maximum: maxInteger });

const users = Type.Array(Type.Object({ user: Type.Object({ id }) }), { maxItems: maxMembers });

const facts = {
  name,
  description: Type.Optional(nullable(Type.String({ maxLength: 1000 }))),
  mappingsSSO: withDefault(
    Type.Array(Type.String({ minLength: 1, maxLength: 500 }), { maxItems: 200 }),
    [],
  ),
  rootRole: Type.Optional(
    nullable(
      Type.Integer({
        ...id,
        description: 'ID of a role of type root or root-custom; null or omitted: none',
      }),
    ),
  ),
};

const CreateGroupSchema = named(
  'createGroupSchema',
  Type.Object({ ...facts, users: withDefault(users, []) }),
);
const UpdateGroupSchema = named(
  'updateGroupSchema',
  Type.Object({ ...facts, users: Type.Optional(users) }),
);
/** Without `users` the members stay. */
export type GroupInput = Static<typeof UpdateGroupSchema>;

const AccessSchema = Type.Object({
  userId: Type.Integer(),
  userName: Type.String(),
  userEmail: nullable(Type.String({ description: 'Null if the account has none' })),
  accountType: oneOf(['User', 'Service Account']),
  rootRole: Type.String({ description: "Name of the account's own root role" }),
  accessibleProjects: Type.Array(Type.String(), {
    description: 'Projects in which the user has a role',
  }),
  groups: Type.Array(Type.String(), { description: 'Names of the groups' }),
  groupProjects: Type.Array(Type.String(), {
    description: 'Projects in which one of the groups has a role',
  }),
  lastSeen: nullable(instant),
  createdAt: instant,
});
export type AccountAccess = Static<typeof AccessSchema>;

/** In the order of the schema. */
export const accessColumns = Object.keys(AccessSchema.properties) as (keyof AccountAccess)[];

/** A string, so that an id which is no number gives 404 and not 400. */
const params = Type.Object({ groupId: Type.String() });

export const contract = {
  listGroups: endpoint({
    method: 'GET',
    path: '/api/admin/groups',
    id: 'getGroups',
    tag,
    summary: 'List groups with their users and projects',
    permission: 'ADMIN',
    query: atMoment,
    response: named('groupsSchema', Type.Object({ groups: Type.Array(GroupSchema) })),
  }),

  createGroup: endpoint({
    method: 'POST',
    path: '/api/admin/groups',
    id: 'createGroup',
    conflict: 'the name is taken',
    tag,
    summary: 'Create a group',
    permission: 'ADMIN',
    body: CreateGroupSchema,
    response: GroupSchema,
    status: 201,
    locatedBy: 'id',
  }),

  getGroup: endpoint({
    method: 'GET',
    path: '/api/admin/groups/:groupId',
    id: 'getGroup',
    tag,
    summary: 'Get a group with its users and projects',
    permission: 'ADMIN',
    params,
    query: atMoment,
    response: GroupSchema,
  }),

  updateGroup: endpoint({
    method: 'PUT',
    path: '/api/admin/groups/:groupId',
    id: 'updateGroup',
    conflict: 'the name is taken',
    tag,
    summary: 'Replace a group',
    description:
      'An omitted description, mapping, or root role is removed; omitted users stay. ' +
      'Refused if no one would be left with the Admin role, or as owner of a project.',
    permission: 'ADMIN',
    params,
    body: UpdateGroupSchema,
    response: GroupSchema,
  }),

  deleteGroup: endpoint({
    method: 'DELETE',
    path: '/api/admin/groups/:groupId',
    id: 'deleteGroup',
    tag,
    summary: 'Delete a group and its project roles',
    description:
      'Refused if no one would be left with the Admin role. If the group is the only owner of a project, admins can assign another one.',
    permission: 'ADMIN',
    params,
  }),

  getAccessOverview: endpoint({
    method: 'GET',
    path: '/api/admin/access/overview',
    id: 'getAccessOverview',
    tag,
    summary: 'List all accounts with their root role, groups, and projects',
    permission: 'ADMIN',
    response: Type.Object({ overview: Type.Array(AccessSchema) }),
    alsoProduces: { 'text/csv': 'A header line, then one account per line' },
  }),
};
