import { type Static, Type } from 'typebox';
import { endpoint, nullable } from '../../../../platform/contract/endpoint.ts';
import { named, oneOf } from '../../../../platform/contract/schema.ts';
import { ProjectOverviewSchema } from '../../../catalogue/projects/contract.ts';
import { FeatureSummarySchema } from '../../../flags/features/feature-schema.ts';
import { StatsSchema } from '../report/contract.ts';

export const OnboardingStatusSchema = Type.Object(
  {
    status: oneOf(
      ['onboarding-started', 'first-flag-created', 'onboarded'],
      'onboarding-started: no feature yet; first-flag-created: a feature exists that no SDK has requested; onboarded: SDKs request features',
    ),
    feature: Type.Optional(
      Type.String({ description: 'The first feature, until an SDK requests one' }),
    ),
  },
  { description: 'Onboarding progress of the project' },
);
export type OnboardingStatus = Static<typeof OnboardingStatusSchema>;

const text = (description: string) => nullable(Type.String({ description }));

const OverviewSchema = named(
  'projectOverviewSchema',
  Type.Object({
    ...ProjectOverviewSchema.properties,
    featureNaming: Type.Object(
      {
        pattern: text('RE2 expression that must match the whole feature name'),
        example: text('A name that matches'),
        description: text('Description of the pattern'),
      },
      { description: 'Null if there is no pattern; any name is allowed' },
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
    summary: 'Get an overview of a project',
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
    summary: 'Get a project with its active features',
    description:
      'Also for archived projects. Use the overview, and the list or search of features, instead: they have pages.',
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
