import { type Static, Type } from 'typebox';
import { endpoint, nullable } from '../../../../platform/contract/endpoint.ts';
import { atMoment, named, oneOf } from '../../../../platform/contract/schema.ts';
import { DefaultStrategySchema } from '../environments/default-strategy-schema.ts';
import { FeatureSummarySchema } from '../feature-summary-schema.ts';
import { memberCount, owners } from '../owners-schema.ts';
import { favorite, health, ProjectSchema, params, scope, tag } from '../project-schema.ts';

export const ProjectOverviewSchema = Type.Object({
  version: Type.Integer(),
  ...ProjectSchema.properties,
  favorite,
  health,
  technicalDebt: Type.Integer({
    description: 'Percentage of active features that are stale or potentially stale',
  }),
  members: memberCount,
  owners,
  environments: Type.Array(
    Type.Object({
      environment: Type.String(),
      changeRequestsEnabled: Type.Boolean(),
      defaultStrategy: DefaultStrategySchema,
    }),
  ),
  featureTypeCounts: Type.Array(Type.Object({ type: Type.String(), count: Type.Integer() }), {
    description: 'Number of active features by type',
  }),
});

const count = (description: string) => Type.Integer({ description });

export const StatsSchema = named(
  'projectStatsSchema',
  Type.Object(
    {
      avgTimeToProdCurrentWindow: Type.Number({
        description:
          'Mean days from creation to first being enabled in an environment of type production, for features that reached it in the current window; 0 without any',
      }),
      createdCurrentWindow: count('Features created, including those archived since'),
      createdPastWindow: Type.Integer(),
      archivedCurrentWindow: count('Features archived and still in the archive'),
      archivedPastWindow: Type.Integer(),
      projectActivityCurrentWindow: count('Events of the project'),
      projectActivityPastWindow: Type.Integer(),
      projectMembersAddedCurrentWindow: count('Users who got their first role in the project'),
    },
    {
      description: 'The current window is the last 30 days; the past window is the 30 days before',
    },
  ),
);
export type Stats = Static<typeof StatsSchema>;

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

export const overviewContract = {
  getProjectOverview: endpoint({
    method: 'GET',
    path: '/api/admin/projects/:projectId/overview',
    id: 'getProjectOverview',
    tag,
    summary: 'Get an overview of a project',
    permission: 'none',
    scope,
    params,
    query: atMoment,
    response: OverviewSchema,
  }),

  getDeprecatedProjectOverview: endpoint({
    method: 'GET',
    path: '/api/admin/projects/:projectId',
    id: 'getDeprecatedProjectOverview',
    largeResponse: true,
    deprecated: true,
    tag,
    summary: 'Get a project with its active features',
    description:
      'Also for archived projects. Use the overview, and the list or search of features, instead: they are paged.',
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
