import { type Static, Type } from 'typebox';
import { endpoint, nullable, withDefault } from '../../../platform/contract/endpoint.ts';
import {
  descriptionOrNull,
  instant,
  maxInteger,
  named,
  oneOf,
} from '../../../platform/contract/schema.ts';
import { UserSchema } from '../users/user-schema.ts';

const tag = 'Users';

/** More than a request needs for the people of a large company. */
const maxMembers = 10_000;

const GroupUserSchema = named(
  'groupUserModelSchema',
  Type.Object({
    joinedAt: instant,
    createdBy: Type.String({ description: 'Who added the user' }),
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
      description: 'Groups of the provider of log-ins whose people are members of this one',
    }),
    rootRole: Type.Optional(
      Type.Integer({ description: 'The role that members have beside their own' }),
    ),
    createdBy: Type.String(),
    createdAt: instant,
    projects: Type.Array(Type.String(), { description: 'In which the group has a role' }),
    users: Type.Array(GroupUserSchema),
    userCount: Type.Integer(),
  }),
);
export type Group = Static<typeof GroupSchema>;

const name = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '\\S',
  'x-fault': 'must be 1 to 100 characters, not all of them blank',
  description: 'Unique name',
});

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
        description: 'A role of the type root or root-custom; null, or left out: none',
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
/** What a group shall be. Without users: those that it has. */
export type GroupWish = Static<typeof UpdateGroupSchema>;

const AccessSchema = Type.Object({
  userId: Type.Integer(),
  userName: Type.String(),
  userEmail: nullable(Type.String({ description: 'Null: the account has none' })),
  accountType: oneOf(['User', 'Service Account']),
  rootRole: Type.String({ description: 'The name of the own one' }),
  accessibleProjects: Type.Array(Type.String(), { description: 'In which the user has a role' }),
  groups: Type.Array(Type.String(), { description: 'By their names' }),
  groupProjects: Type.Array(Type.String(), { description: 'In which one of the groups has one' }),
  lastSeen: nullable(instant),
  createdAt: instant,
});
export type AccountAccess = Static<typeof AccessSchema>;

/** In the order of the schema. */
export const accessColumns = Object.keys(AccessSchema.properties) as (keyof AccountAccess)[];

/** Text, so that an id that is no number is one of nothing, and not malformed. */
const params = Type.Object({ groupId: Type.String() });

export const contract = {
  listGroups: endpoint({
    method: 'GET',
    path: '/api/admin/groups',
    id: 'getGroups',
    tag,
    summary: 'All groups with their users and projects, by name',
    permission: 'ADMIN',
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
    summary: 'One group with its users and projects',
    permission: 'ADMIN',
    params,
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
      'A description, mappings or root role that is left out is none afterwards; users that are left out stay. ' +
      'Refused when nobody would be left with the Admin role, or as owner of a project.',
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
    summary: 'Delete a group, with the roles that it has in projects',
    description:
      'Refused when nobody would be left with the Admin role. A project that only this group owned is left to administrators.',
    permission: 'ADMIN',
    params,
  }),

  getAccessOverview: endpoint({
    method: 'GET',
    path: '/api/admin/access/overview',
    id: 'getAccessOverview',
    tag,
    summary: 'Who has which root role, is in which groups, and has a role in which projects',
    permission: 'ADMIN',
    response: Type.Object({ overview: Type.Array(AccessSchema) }),
    alsoProduces: { 'text/csv': 'One account a line, after a line of names' },
  }),
};
