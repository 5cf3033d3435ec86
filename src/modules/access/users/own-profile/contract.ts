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
      { description: 'Without a project, or an environment: in all of them' },
    ),
    feedback: Type.Array(FeedbackSchema, { description: 'Questions of a page that you answered' }),
    splash: SplashesSchema,
  }),
);
export type Me = Static<typeof MeSchema>;

const ProfileSchema = named(
  'profileSchema',
  Type.Object({
    rootRole: Type.Object(RoleSchema.properties, { description: 'Your root role' }),
    projects: Type.Array(Type.String(), {
      description: 'In which you have a role; for administrators all of them',
    }),
    subscriptions: Type.Array(Type.String(), {
      description: 'Regular mails that you get: none, for there are none',
    }),
    features: Type.Array(
      Type.Object({ name: Type.String(), project: Type.String(), createdAt: instant }),
      { description: 'The last 100 features that you created, the newest first' },
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
    summary: 'Who you are, and what you may do',
    permission,
    response: MeSchema,
  }),

  getProfile: endpoint({
    method: 'GET',
    path: `${path}/profile`,
    id: 'getProfile',
    tag,
    summary: 'Your role, your projects, and the features that you created lately',
    permission,
    response: ProfileSchema,
  }),

  getUserRoles: endpoint({
    method: 'GET',
    path: `${path}/roles`,
    id: 'getUserRoles',
    tag,
    summary: 'Your root roles, or your roles in a project',
    description:
      'Those of your groups too. In a project an administrator has the role Admin as well, which holds in all of them.',
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
