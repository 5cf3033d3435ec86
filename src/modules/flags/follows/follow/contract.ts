import { type Static, Type } from 'typebox';
import { endpoint } from '../../../../platform/contract/endpoint.ts';
import { instant, named } from '../../../../platform/contract/schema.ts';
import { EmailChoiceSchema } from '../emails/contract.ts';

const tag = 'Following';
const path = '/api/admin/user/follows';
const permission = 'none';
const scope = 'projectId';

/** Features and projects together. */
export const maxFollows = 500;

const FollowsSchema = named(
  'followsSchema',
  Type.Object({
    features: Type.Array(
      Type.Object({ name: Type.String(), project: Type.String(), followedAt: instant }),
    ),
    projects: Type.Array(
      Type.Object({ id: Type.String(), name: Type.String(), followedAt: instant }),
    ),
    letters: EmailChoiceSchema,
  }),
);
export type Follows = Static<typeof FollowsSchema>;

const ofProject = {
  path: `${path}/projects/:projectId`,
  tag,
  permission,
  limitedPerAccount: true,
  scope,
  params: Type.Object({ projectId: Type.String() }),
} as const;

const ofFeature = {
  path: `${path}/projects/:projectId/features/:featureName`,
  tag,
  permission,
  limitedPerAccount: true,
  scope,
  params: Type.Object({ projectId: Type.String(), featureName: Type.String() }),
} as const;

export const followContract = {
  listFollows: endpoint({
    method: 'GET',
    path,
    id: 'getFollows',
    tag,
    summary: 'List the features and projects that you follow',
    description: 'Contains only what you can see at the moment. API tokens follow nothing.',
    permission,
    response: FollowsSchema,
  }),

  followProject: endpoint({
    method: 'PUT',
    ...ofProject,
    id: 'followProject',
    summary: 'Follow a project',
    description: `You can follow ${maxFollows} features and projects.`,
  }),

  unfollowProject: endpoint({
    method: 'DELETE',
    ...ofProject,
    id: 'unfollowProject',
    summary: 'Stop following a project',
  }),

  followFeature: endpoint({
    method: 'PUT',
    ...ofFeature,
    id: 'followFeature',
    summary: 'Follow a feature',
    description: `You can follow ${maxFollows} features and projects. The follow ends when the feature is deleted.`,
  }),

  unfollowFeature: endpoint({
    method: 'DELETE',
    ...ofFeature,
    id: 'unfollowFeature',
    summary: 'Stop following a feature',
  }),
};
