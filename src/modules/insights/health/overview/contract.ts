import { type Static, Type } from 'typebox';
import { endpoint, nullable } from '../../../../platform/contract/endpoint.ts';
import { named, oneOf } from '../../../../platform/contract/schema.ts';
import { ProjectOverviewSchema } from '../../../catalogue/projects/contract.ts';
import { FeatureSummarySchema } from '../../../flags/features/feature-schema.ts';
import { StatsSchema } from '../contract.ts';

export const OnboardingStatusSchema = Type.Object(
  {
    status: oneOf(
      ['onboarding-started', 'first-flag-created', 'onboarded'],
      'onboarding-started: no feature yet; first-flag-created: one, that no SDK has asked for; onboarded: SDKs ask for features',
    ),
    feature: Type.Optional(
      Type.String({ description: 'The first feature, while no SDK has asked for any' }),
    ),
  },
  { description: 'How far the project has come on the way to its first decision' },
);
export type OnboardingStatus = Static<typeof OnboardingStatusSchema>;

const text = (description: string) => nullable(Type.String({ description }));

const OverviewSchema = named(
  'projectOverviewSchema',
  Type.Object({
    ...ProjectOverviewSchema.properties,
    featureNaming: Type.Object(
      {
        pattern: text('RE2 expression that a whole feature name has to match'),
        example: text('A name that matches'),
        description: text('What is to be known of the pattern'),
      },
      { description: 'Null where nothing is set: any name will do' },
    ),
    stats: StatsSchema,
    onboardingStatus: OnboardingStatusSchema,
  }),
);

const scope = 'projectId';
const params = Type.Object({ projectId: Type.String() });

export const overviewContract = {
  getProjectOverview: endpoint({
    method: 'GET',
    path: '/api/admin/projects/:projectId/overview',
    id: 'getProjectOverview',
    tag: 'Projects',
    summary: 'One project with its environments and figures; an archived one too',
    permission: 'none',
    scope,
    params,
    response: OverviewSchema,
  }),

  getDeprecatedProjectOverview: endpoint({
    method: 'GET',
    path: '/api/admin/projects/:projectId',
    id: 'getDeprecatedProjectOverview',
    deprecated: true,
    tag: 'Projects',
    summary: 'One project with its environments and living features; an archived one too',
    description: 'Use the overview, and the list or search of features: it has pages.',
    permission: 'none',
    scope,
    params,
    response: named(
      'deprecatedProjectOverviewSchema',
      Type.Object({
        ...OverviewSchema.properties,
        features: Type.Array(FeatureSummarySchema),
      }),
    ),
  }),
};
