import { type Static, Type } from 'typebox';
import { endpoint } from '../../../../platform/contract/endpoint.ts';
import { instant, named } from '../../../../platform/contract/schema.ts';
import { RoleSchema } from '../../roles/contract.ts';
import { FeedbackSchema, SplashesSchema } from '../preferences/contract.ts';
import { UserSchema } from '../user-schema.ts';

const tag = 'Users';
const path = '/api/admin/user';
const permission = 'none';

const MeSchema = named(
  'meSchema',
  Type.Object({
    user: UserSchema,
    permissions: Type.Array(
      Type.Object({
        permission: Type.String(),
        project: Type.Optional(Type.String()),
        environment: Type.Optional(Type.String()),
      }),
      { description: 'Without a project or environment, the permission applies to all of them' },
    ),
    feedback: Type.Array(FeedbackSchema, {
      description: 'Feedback questions of the UI that you have answered',
    }),
    splash: SplashesSchema,
  }),
);
export type Me = Static<typeof MeSchema>;

const ProfileSchema = named(
  'profileSchema',
  Type.Object({
    rootRole: Type.Object(RoleSchema.properties, { description: 'Your root role' }),
    projects: Type.Array(Type.String(), {
      description: 'Projects in which you have a role; all projects for admins',
    }),
    subscriptions: Type.Array(Type.String(), {
      description: 'Email subscriptions; always empty',
    }),
    features: Type.Array(
      Type.Object({ name: Type.String(), project: Type.String(), createdAt: instant }),
      { description: 'Your 100 most recently created features, newest first' },
    ),
  }),
);
export type Profile = Static<typeof ProfileSchema>;

export const ownProfileContract = {
  getMe: endpoint({
    method: 'GET',
    path,
    id: 'getMe',
    tag,
    summary: 'Get your account and permissions',
    permission,
    response: MeSchema,
  }),

  getProfile: endpoint({
    method: 'GET',
    path: `${path}/profile`,
    id: 'getProfile',
    tag,
    summary: 'Get your role, projects, and recently created features',
    permission,
    response: ProfileSchema,
  }),

  getUserRoles: endpoint({
    method: 'GET',
    path: `${path}/roles`,
    id: 'getUserRoles',
    tag,
    summary: 'List your root roles or your roles in a project',
    description: 'Includes roles of your groups. In a project, admins also have the role Admin.',
    permission,
    query: Type.Object({ projectId: Type.Optional(Type.String({ maxLength: 200 })) }),
    response: named(
      'rolesSchema',
      Type.Object({
        version: Type.Integer(),
        roles: Type.Array(
          Type.Object({ ...RoleSchema.properties, project: Type.Optional(Type.String()) }),
        ),
      }),
    ),
  }),
};
